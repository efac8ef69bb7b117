#include "geometry/tree/bvh.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

std::vector<Box3> randomBoxes(uint64_t seed, size_t count, double size) {
    Random random(seed);
    const Box3 unit{Vec3::Zero(), Vec3::Ones()};
    std::vector<Box3> boxes(count);
    for (Box3& box : boxes) {
        box.add(test::randomIn(random, unit));
        box.add(Vec3(box.min + size * test::randomIn(random, unit)));
    }
    return boxes;
}

void expectSound(const Bvh& tree, std::span<const Box3> boxes) {
    std::vector<int> seen(boxes.size(), 0);
    for (size_t n = 0; n < tree.nodes().size(); ++n) {
        const Bvh::Node& node = tree.nodes()[n];
        if (node.isLeaf()) {
            ASSERT_LE(node.count, Bvh::kMaxLeafItems);
            for (uint32_t i = node.first; i < node.first + node.count; ++i) {
                const uint32_t item = tree.order()[i];
                ++seen[item];
                Box3 both = node.box;
                both.add(boxes[item]);
                EXPECT_TRUE(both.min == node.box.min && both.max == node.box.max);
            }
        } else {
            ASSERT_GT(node.first, n);
            Box3 children = tree.nodes()[node.first].box;
            children.add(tree.nodes()[node.first + 1].box);
            EXPECT_TRUE(children.min == node.box.min && children.max == node.box.max);
        }
    }
    for (const int count : seen) EXPECT_EQ(count, 1);
}

TEST(Bvh, EveryItemIsInOneLeafAndBoxesAreTight) {
    for (const size_t count : {1, 2, 4, 5, 17, 1000, 20000}) {
        const auto boxes = randomBoxes(count, count, 0.05);
        expectSound(Bvh(boxes), boxes);
    }
}

TEST(Bvh, EmptyTreeAnswersNothing) {
    const Bvh tree;
    EXPECT_TRUE(tree.empty());
    EXPECT_TRUE(tree.overlapping({Vec3::Zero(), Vec3::Ones()}).empty());
    EXPECT_TRUE(tree.overlappingPairsWithin().empty());
    EXPECT_TRUE(Bvh(std::span<const Box3>()).empty());
}

TEST(Bvh, SameTreeForAnyNumberOfThreads) {
    const auto boxes = randomBoxes(3, 30000, 0.02);
    const Bvh all(boxes);
    const ThreadLimit one(1);
    const Bvh alone(boxes);
    ASSERT_EQ(all.nodes().size(), alone.nodes().size());
    EXPECT_TRUE(std::ranges::equal(all.order(), alone.order()));
    for (size_t i = 0; i < all.nodes().size(); ++i) EXPECT_EQ(all.nodes()[i].first, alone.nodes()[i].first);
}

TEST(Bvh, ManyEqualAndNonFiniteBoxesMakeAShallowTree) {
    std::vector<Box3> boxes(5000, Box3{Vec3::Ones(), Vec3::Ones()});
    expectSound(Bvh(boxes), boxes);
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < boxes.size(); i += 7) boxes[i] = {Vec3::Constant(nan), Vec3::Constant(nan)};
    for (size_t i = 3; i < boxes.size(); i += 7) boxes[i] = {Vec3::Constant(-inf), Vec3::Constant(inf)};
    for (size_t i = 5; i < boxes.size(); i += 7) boxes[i] = {};
    EXPECT_EQ(Bvh(boxes).order().size(), boxes.size());
}

TEST(Bvh, GeometricallySpacedItemsDoNotExceedTheDepth) {
    std::vector<Box3> boxes;
    for (int i = 0; i < 1000; ++i) {
        const Vec3 p(std::ldexp(1.0, i - 500), 0, 0);
        boxes.push_back({p, p});
    }
    const Bvh tree(boxes);
    std::vector<int> depth(tree.nodes().size(), 0);
    for (size_t n = 0; n < depth.size(); ++n) {
        EXPECT_LE(depth[n], Bvh::kMaxDepth);
        const Bvh::Node& node = tree.nodes()[n];
        if (!node.isLeaf()) depth[node.first] = depth[node.first + 1] = depth[n] + 1;
    }
}

TEST(Bvh, OverlapEqualsBruteForce) {
    const auto boxes = randomBoxes(11, 2000, 0.1), queries = randomBoxes(12, 200, 0.2);
    const Bvh tree(boxes);
    for (const Box3& query : queries) {
        std::vector<uint32_t> expected;
        for (uint32_t i = 0; i < boxes.size(); ++i) {
            if (boxes[i].overlaps(query)) expected.push_back(i);
        }
        EXPECT_EQ(tree.overlapping(query), expected);
    }
}

TEST(Bvh, PairsEqualBruteForce) {
    const auto a = randomBoxes(21, 900, 0.1), b = randomBoxes(22, 700, 0.1);
    std::vector<std::pair<uint32_t, uint32_t>> between, within;
    for (uint32_t i = 0; i < a.size(); ++i) {
        for (uint32_t j = 0; j < b.size(); ++j) {
            if (a[i].overlaps(b[j])) between.emplace_back(i, j);
        }
        for (uint32_t j = i + 1; j < a.size(); ++j) {
            if (a[i].overlaps(a[j])) within.emplace_back(i, j);
        }
    }
    EXPECT_EQ(Bvh(a).overlappingPairs(Bvh(b)), between);
    EXPECT_EQ(Bvh(a).overlappingPairsWithin(), within);
}

TEST(Bvh, RefitAnswersLikeARebuild) {
    const auto before = randomBoxes(31, 3000, 0.05);
    auto after = randomBoxes(32, 3000, 0.05);
    Bvh tree(before);
    tree.refit(after);
    expectSound(tree, after);
    const Bvh rebuilt(after);
    for (const Box3& query : randomBoxes(33, 100, 0.2)) EXPECT_EQ(tree.overlapping(query), rebuilt.overlapping(query));
    EXPECT_EQ(tree.overlappingPairsWithin(), rebuilt.overlappingPairsWithin());
}

}  // namespace
}  // namespace sunder
