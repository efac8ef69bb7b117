#include "geometry/grid/flood_fill.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace sunder {
namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;

struct Lattice {
    DistanceGrid solid;
    std::vector<uint32_t> labels;
};

/// One layer of letters per string list entry: '.' outside, letters are labels. y runs down the rows.
Lattice lattice(const std::vector<std::vector<std::string>>& layers) {
    Lattice made;
    const Int3 points{static_cast<int>(layers[0][0].size()), static_cast<int>(layers[0].size()),
                      static_cast<int>(layers.size())};
    made.solid = DistanceGrid({Vec3::Zero(), 1, points}, 1);
    for (size_t k = 0; k < layers.size(); ++k) {
        for (size_t j = 0; j < layers[k].size(); ++j) {
            for (size_t i = 0; i < layers[k][j].size(); ++i) {
                const char letter = layers[k][j][i];
                if (letter != '.') made.solid.at(int(i), int(j), int(k)) = -1;
                made.labels.push_back(static_cast<uint32_t>(letter));
            }
        }
    }
    return made;
}

std::string labelsIn(const LatticeComponents& parts) {
    std::string letters;
    for (const uint32_t c : parts.ofPoint) {
        letters += c == kOutside ? '.' : static_cast<char>(parts.components[c].label);
    }
    return letters;
}

/// By repeated spreading, the slow way.
std::vector<uint32_t> componentsBySpreading(const Lattice& in) {
    const GridFrame& frame = in.solid.frame();
    std::vector<uint32_t> part(frame.pointCount(), kOutside);
    uint32_t count = 0;
    for (size_t start = 0; start < part.size(); ++start) {
        if (part[start] != kOutside || !(in.solid.values()[start] < 0)) continue;
        std::vector<size_t> open{start};
        part[start] = count;
        while (!open.empty()) {
            const size_t p = open.back();
            open.pop_back();
            const auto nx = static_cast<size_t>(frame.points[0]), ny = static_cast<size_t>(frame.points[1]);
            const Int3 at{static_cast<int>(p % nx), static_cast<int>(p / nx % ny), static_cast<int>(p / nx / ny)};
            for (size_t axis = 0; axis < 3; ++axis) {
                for (const int step : {-1, 1}) {
                    Int3 next = at;
                    next[axis] += step;
                    if (!frame.contains(next[0], next[1], next[2])) continue;
                    const size_t q = frame.index(next[0], next[1], next[2]);
                    if (part[q] != kOutside || !(in.solid.values()[q] < 0) || in.labels[q] != in.labels[p]) continue;
                    part[q] = count;
                    open.push_back(q);
                }
            }
        }
        ++count;
    }
    return part;
}

Lattice randomLattice(uint64_t seed, const Int3& points, uint64_t labelCount, double filled) {
    Lattice made;
    made.solid = DistanceGrid({Vec3::Zero(), 1, points}, 1);
    Random random(seed, 0);
    for (float& value : made.solid.values()) {
        value = random.uniform() < filled ? -1.0F : 1.0F;
        made.labels.push_back(static_cast<uint32_t>(random.below(labelCount)));
    }
    return made;
}

TEST(FloodFill, PartsOfOneLabelThatDoNotMeetAreTwo) {
    const Lattice in = lattice({{"aab.a", "aab.a", "...aa"}});
    const LatticeComponents parts = labelledComponents(in.solid, in.labels);
    ASSERT_EQ(parts.components.size(), 3u);
    EXPECT_EQ(parts.components[0].label, uint32_t{'a'});
    EXPECT_EQ(parts.components[0].cells, 4u);
    EXPECT_EQ(parts.components[1].label, uint32_t{'b'});
    EXPECT_EQ(parts.components[1].cells, 2u);
    EXPECT_EQ(parts.components[2].cells, 4u);
    EXPECT_EQ(parts.components[2].firstPoint, 4u);
}

TEST(FloodFill, DiagonalsDoNotJoin) {
    const Lattice in = lattice({{"a.", ".a"}, {"..", "a."}});
    EXPECT_EQ(labelledComponents(in.solid, in.labels).components.size(), 3u);
}

TEST(FloodFill, BorderCountsAsOutsideWhenAsked) {
    const Lattice in = lattice({{"aaa", "aaa", "aaa"}, {"aaa", "aaa", "aaa"}, {"aaa", "aaa", "aaa"}});
    const LatticeComponents parts = labelledComponents(in.solid, in.labels, LatticeBorder::Outside);
    ASSERT_EQ(parts.components.size(), 1u);
    EXPECT_EQ(parts.components[0].cells, 1u);
    EXPECT_EQ(parts.components[0].firstPoint, 13u);
    EXPECT_EQ(labelledComponents(in.solid, in.labels).components[0].cells, 27u);
}

TEST(FloodFill, RandomRegionsAgreeWithSpreading) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const Lattice in = randomLattice(seed, {9, 7, 8}, 1 + seed % 4, 0.3 + 0.035 * static_cast<double>(seed));
        const LatticeComponents parts = labelledComponents(in.solid, in.labels);
        EXPECT_EQ(parts.ofPoint, componentsBySpreading(in)) << seed;
        size_t cells = 0;
        for (const LatticeComponent& part : parts.components) cells += part.cells;
        EXPECT_EQ(cells, static_cast<size_t>(std::count(in.solid.values().begin(), in.solid.values().end(), -1.0F)));
    }
}

TEST(FloodFill, SmallPartGoesToTheLargestCommonFace) {
    // the two b touch a with 2 steps, c with 4
    const Lattice in = lattice({{"aaaaaa", "cbbccc", "cccccc"}});
    const LatticeComponents parts =
        withoutSmallComponents(labelledComponents(in.solid, in.labels), in.solid.frame(), 3);
    EXPECT_EQ(labelsIn(parts), "aaaaaacccccccccccc");
    EXPECT_EQ(parts.components.size(), 2u);
}

TEST(FloodFill, PartsThatMeetThroughAMergedOneBecomeOne) {
    const Lattice in = lattice({{"aaabaaa"}});
    const LatticeComponents parts =
        withoutSmallComponents(labelledComponents(in.solid, in.labels), in.solid.frame(), 2);
    ASSERT_EQ(parts.components.size(), 1u);
    EXPECT_EQ(parts.components[0].cells, 7u);
}

TEST(FloodFill, AloneAndSmallStays) {
    const Lattice in = lattice({{"aaa.b", "aaa.b"}});
    const LatticeComponents parts =
        withoutSmallComponents(labelledComponents(in.solid, in.labels), in.solid.frame(), 4);
    EXPECT_EQ(labelsIn(parts), "aaa.baaa.b");
}

TEST(FloodFill, MergingLosesNothingAndLeavesNothingSmall) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
        const Lattice in = randomLattice(seed, {12, 10, 11}, 5, 0.9);
        const LatticeComponents before = labelledComponents(in.solid, in.labels);
        const LatticeComponents after = withoutSmallComponents(before, in.solid.frame(), 30);
        EXPECT_LT(after.components.size(), before.components.size() / 10);
        size_t small = 0;
        for (size_t p = 0; p < in.labels.size(); ++p) {
            EXPECT_EQ(before.ofPoint[p] == kOutside, after.ofPoint[p] == kOutside);
        }
        for (const LatticeComponent& part : after.components) small += part.cells < 30 ? 1 : 0;
        // points of a sparse lattice may be alone
        const LatticeComponents whole = labelledComponents(in.solid, std::vector<uint32_t>(in.labels.size(), 0));
        size_t islands = 0;
        for (const LatticeComponent& part : whole.components) islands += part.cells < 30 ? 1 : 0;
        EXPECT_EQ(small, islands) << seed;
    }
}

TEST(FloodFill, WrongNumberOfLabelsIsSaid) {
    const Lattice in = lattice({{"ab", "ab"}});
    const std::vector<uint32_t> few(3, 0);
    EXPECT_THROW(labelledComponents(in.solid, few), InputError);
    const std::vector<uint32_t> reserved(4, kOutside);
    EXPECT_THROW(labelledComponents(in.solid, reserved), InputError);
}

}  // namespace
}  // namespace sunder
