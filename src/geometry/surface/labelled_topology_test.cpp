// Pieces are closed, manifold and fit, whatever the labels are.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/surface/detail/labelled_checks.h"
#include "geometry/surface/isosurface.h"

namespace sunder {
namespace {

using namespace test;

/// Each lattice point is outside or has one of the labels, at random.
Labelled randomLabels(uint64_t seed, const Int3& points, uint64_t labelCount, double filled) {
    Labelled made;
    made.solid = DistanceGrid({Vec3(-1, 2, 0.5), 0.25, points}, 1);
    Random random(seed, 0);
    for (float& value : made.solid.values()) {
        const auto depth = static_cast<float>(random.uniform(0.02, 0.3));
        value = random.uniform() < filled ? -depth : depth;
        made.labels.push_back(static_cast<uint32_t>(random.below(labelCount)));
    }
    return made;
}

TEST(LabelledTopology, RandomLabelsGiveCleanPieces) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
        const double filled = seed % 3 == 0 ? 1.0 : seed % 3 == 1 ? 0.6 : 0.3;
        const Labelled noise = randomLabels(seed, {13, 12, 11}, 5, filled);
        const std::vector<LabelledPiece> pieces = noise.pieces();
        EXPECT_GT(pieces.size(), 50u);
        expectPiecesFit(pieces);
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(LabelledTopology, EveryPairOfCellsOfTwoLabelsIsClean) {
    // two cells side by side, 2^12 ways to label their corners
    for (unsigned bits = 0; bits < 4096; ++bits) {
        Labelled two;
        two.solid = DistanceGrid({Vec3::Zero(), 1, {5, 4, 4}}, -1);
        two.labels.assign(two.solid.frame().pointCount(), 0);
        for (unsigned b = 0; b < 12; ++b) {
            const auto i = static_cast<int>(1 + b % 3), j = static_cast<int>(1 + b / 3 % 2),
                       k = static_cast<int>(1 + b / 6);
            two.labels[two.solid.frame().index(i, j, k)] = bits >> b & 1U;
        }
        for (const LabelledPiece& piece : two.pieces({.smoothingRounds = 2, .normalAt = {}})) {
            ASSERT_TRUE(isClosedManifold(piece.mesh)) << bits;
            ASSERT_GT(volume(piece.mesh), 0) << bits;
        }
    }
}

TEST(LabelledTopology, RegionThatTouchesItselfAtADiagonalIsNotPinched) {
    for (const Int3& step : {Int3{1, 1, 0}, Int3{1, -1, 0}, Int3{1, 1, 1}, Int3{1, 1, -1}, Int3{1, -1, 1}}) {
        Labelled blocks;
        blocks.solid = gridOf(box(Vec3::Constant(0.8)), 1, 16);
        const GridFrame& frame = blocks.solid.frame();
        // two cubes of label 1 that share an edge or a corner of the lattice
        blocks.labels.assign(frame.pointCount(), 0);
        const auto fill = [&](const Int3& from, const Int3& to) {
            for (int k = from[2]; k <= to[2]; ++k) {
                for (int j = from[1]; j <= to[1]; ++j) {
                    for (int i = from[0]; i <= to[0]; ++i) blocks.labels[frame.index(i, j, k)] = 1;
                }
            }
        };
        fill({6, 6, 6}, {8, 8, 8});
        Int3 low{6, 6, 6};
        for (size_t a = 0; a < 3; ++a) low[a] += 3 * step[a];
        fill(low, {low[0] + 2, low[1] + 2, low[2] + 2});
        const std::vector<LabelledPiece> pieces = blocks.pieces();
        ASSERT_EQ(pieces.size(), 3u);  // the lattice does not join over diagonals
        expectPiecesFit(pieces);
    }
}

TEST(LabelledTopology, PartsThatDoNotMeetAreTwoPieces) {
    // the outer thirds of a bar are one region
    const Labelled bar = [] {
        Labelled made{gridOf(box({1.2, 0.4, 0.4}), 1.5, 45), {}, {}};
        made.labels = labelsOn(made.solid.frame(), [](const Vec3& p) { return std::abs(p.x()) > 0.41 ? 7u : 3u; });
        made.difference = [](const Vec3& p, uint32_t a, uint32_t) {
            return (a == 7u ? 1 : -1) * (0.41 - std::abs(p.x()));
        };
        return made;
    }();
    const std::vector<LabelledPiece> pieces = bar.pieces();
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_EQ(pieces[0].label, 3u);
    EXPECT_EQ(pieces[1].label, 7u);
    EXPECT_EQ(pieces[2].label, 7u);
    expectPiecesFit(pieces);
    EXPECT_NEAR(volume(pieces[0].mesh), 0.82 * 0.64, 1e-3);
    EXPECT_NEAR(volume(pieces[1].mesh), 0.79 * 0.64, 1e-3);
    EXPECT_NEAR(volume(pieces[2].mesh), 0.79 * 0.64, 1e-3);
}

TEST(LabelledTopology, LabelWithoutMaterialHasNoPiece) {
    Labelled ball{gridOf(sphere(0.6), 1, 24), {}, {}};
    ball.labels = labelsOn(ball.solid.frame(), [](const Vec3& p) { return p.x() > 0.7 ? 2u : 1u; });
    const std::vector<LabelledPiece> pieces = ball.pieces();
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].label, 1u);
    expectPiecesFit(pieces);
}

TEST(LabelledTopology, OneLabelIsTheIsosurfaceItself) {
    for (const Solid& solid : {sphere(1.2), moved(torus(1, 0.5), oddPose())}) {
        Labelled whole{gridOf(solid, 1.9, 40), {}, {}};
        whole.labels.assign(whole.solid.frame().pointCount(), 5);
        const std::vector<LabelledPiece> pieces = whole.pieces();
        ASSERT_EQ(pieces.size(), 1u);
        const TriMesh surface = isosurface(whole.solid);
        EXPECT_EQ(pieces[0].mesh.triangleCount(), surface.triangleCount());
        EXPECT_NEAR(expectPiecesFit(pieces).volume / volume(surface), 1, 1e-12);
        EXPECT_EQ(std::count(pieces[0].mesh.inside.begin(), pieces[0].mesh.inside.end(), 1), 0);
    }
}

TEST(LabelledTopology, OneLabelWithEdgesIsNearlyTheIsosurface) {
    // sharp edges that cut corners off cells are connected otherwise
    Labelled whole{gridOf(moved(box({1, 0.8, 0.6}), oddPose()), 1.9, 40), {}, {}};
    whole.labels.assign(whole.solid.frame().pointCount(), 5);
    const std::vector<LabelledPiece> pieces = whole.pieces();
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume / volume(isosurface(whole.solid)), 1, 3e-4);
    EXPECT_NEAR(volume(pieces[0].mesh) / 3.84, 1, 5e-4);
}

TEST(LabelledTopology, SmallPartsAreGivenAway) {
    Labelled ball{gridOf(sphere(0.8), 1, 30), {}, {}};
    Random random(4, 0);
    ball.labels = labelsOn(ball.solid.frame(), [&](const Vec3& p) {
        return random.uniform() < 0.02 ? 9u : p.x() > 0.01 ? 2u : 1u;
    });
    const std::vector<LabelledPiece> all = ball.pieces(), large = ball.pieces({.fewestCells = 40, .normalAt = {}});
    EXPECT_GT(all.size(), 20u);
    ASSERT_EQ(large.size(), 2u);
    EXPECT_NEAR(expectPiecesFit(large).volume / expectPiecesFit(all).volume, 1, 2e-3);
}

TEST(LabelledTopology, RegionWithinARegionHasTwoShells) {
    const Labelled nut = labelled(gridOf(box(Vec3::Constant(0.9)), 1, 32), 2,
                                  [](const Vec3& p, uint32_t r) { return r == 0 ? p.norm() - 0.5 : 0.5 - p.norm(); });
    const std::vector<LabelledPiece> pieces = nut.pieces();
    ASSERT_EQ(pieces.size(), 2u);
    expectPiecesFit(pieces);
    EXPECT_EQ(connectedComponents(pieces[1].mesh, MeshTopology(pieces[1].mesh)).count, 2u);
}

TEST(LabelledTopology, SolidBeyondTheGridIsClosedAtItsBorder) {
    Labelled full{DistanceGrid({Vec3::Zero(), 0.1, {12, 12, 12}}, -1), {}, {}};
    full.labels = labelsOn(full.solid.frame(), [](const Vec3& p) { return p.x() > 0.52 ? 1u : 0u; });
    const std::vector<LabelledPiece> pieces = full.pieces();
    ASSERT_EQ(pieces.size(), 2u);
    expectPiecesFit(pieces);
}

TEST(LabelledTopology, ValuesThatAreNoNumbersAreOutside) {
    Labelled ball{gridOf(sphere(0.7), 1, 20), {}, {}};
    ball.labels = labelsOn(ball.solid.frame(), [](const Vec3& p) { return p.y() > 0.01 ? 1u : 0u; });
    for (size_t i = 0; i < ball.solid.values().size(); i += 17) ball.solid.values()[i] = std::nanf("");
    expectPiecesFit(ball.pieces());
}

TEST(LabelledTopology, ThreadsDoNotMatter) {
    const Labelled ball = labelled(gridOf(sphere(0.8), 1, 40), 12, noisyVoronoi(12, 0.7, 0.05, 3));
    const Labelled noise = randomLabels(1, {16, 15, 14}, 4, 0.8);
    for (const Labelled* regions : {&ball, &noise}) {
        const auto run = [&](int threads) {
            const ThreadLimit limit(threads);
            return regions->pieces();
        };
        const std::vector<LabelledPiece> one = run(1), two = run(2);
        ASSERT_EQ(one.size(), two.size());
        for (size_t i = 0; i < one.size(); ++i) {
            EXPECT_EQ(one[i].mesh.positions, two[i].mesh.positions);
            EXPECT_EQ(one[i].mesh.triangles, two[i].mesh.triangles);
        }
    }
}

TEST(LabelledTopology, BadInputGetsASentence) {
    const std::vector<uint32_t> labels(8, 0);
    EXPECT_THROW(labelledSurface({nullptr, labels, {}}), InputError);
    const DistanceGrid grid({Vec3::Zero(), 1, {3, 3, 3}}, -1);
    EXPECT_THROW(labelledSurface({&grid, labels, {}}), InputError);
    const std::vector<uint32_t> enough(27, 0);
    EXPECT_THROW(labelledSurface({&grid, enough, {}}, {.creaseAngle = -1, .normalAt = {}}), InputError);
    EXPECT_THROW(labelledSurface({&grid, enough, {}}, {.creaseReach = 2, .normalAt = {}}), InputError);
    EXPECT_EQ(labelledSurface({&grid, enough, {}}).size(), 1u);
}

}  // namespace
}  // namespace sunder
