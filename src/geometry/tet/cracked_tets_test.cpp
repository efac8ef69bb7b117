#include "geometry/tet/cracked_tets.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/tet/test_boxes.h"

namespace sunder {

namespace {

using test::boxOfTets;

IndexedVector<NodeIndex, double> planeField(const TetMesh& mesh, const Vec3& normal, double offset) {
    IndexedVector<NodeIndex, double> side;
    for (const Vec3& p : mesh.nodes) side.push_back(normal.dot(p) - offset);
    return side;
}
IndexedVector<TetIndex, uint8_t> everywhere(const TetMesh& mesh) {
    IndexedVector<TetIndex, uint8_t> marked;
    marked.assign(mesh.tetCount(), 1);
    return marked;
}

/// m^3 of material in each component.
std::vector<double> volumes(const CrackedTets& tets) {
    const TetComponents components = componentsOf(tets);
    const auto shares = filledShare(tets);
    std::vector<double> sum(components.count, 0.0);
    for (const TetIndex t : tets.mesh.tets.indices()) sum[components.of[t]] += shares[t] * volume(tets.mesh, t);
    std::sort(sum.begin(), sum.end());
    return sum;
}

TEST(CrackedTets, APlaneThroughABoxLeavesTwoPartsWithItsVolumes) {
    const TetMesh mesh = boxOfTets({6, 5, 4}, {3, 2, 1});
    const CrackedTets cut = crack(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.31), everywhere(mesh)).tets;
    const std::vector<double> found = volumes(cut);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0], 2 * (1.5 - 0.31), 1e-12);
    EXPECT_NEAR(found[1], 2 * (1.5 + 0.31), 1e-12);
    // no node belongs to both
    const TetComponents components = componentsOf(cut);
    IndexedVector<NodeIndex, uint32_t> owner;
    owner.assign(cut.mesh.nodeCount(), kInvalidIndex);
    for (const TetIndex t : cut.mesh.tets.indices()) {
        for (const NodeIndex n : cut.mesh.tets[t]) {
            EXPECT_TRUE(owner[n] == kInvalidIndex || owner[n] == components.of[t]);
            owner[n] = components.of[t];
        }
    }
}

TEST(CrackedTets, ACrackThatEndsInsideLeavesOnePartWithMoreNodes) {
    const TetMesh mesh = boxOfTets({6, 6, 4}, {3, 3, 1});
    auto marked = everywhere(mesh);
    for (const TetIndex t : mesh.tets.indices()) {
        double highest = -10;
        for (const Vec3& p : mesh.corners(t)) highest = std::max(highest, p.y());
        if (highest > 0.01) marked[t] = 0;  // the upper half holds
    }
    const CrackedTets cut = crack(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.1), marked).tets;
    EXPECT_EQ(componentsOf(cut).count, 1u);
    EXPECT_GT(cut.mesh.nodeCount(), mesh.nodeCount());
    EXPECT_NEAR(volumes(cut)[0], 9, 1e-12);
    // the nodes of the crack's mouth are doubled, those of its front are not
    std::vector<int> copies(mesh.nodeCount(), 0);
    for (const NodeIndex n : cut.wholeNode) ++copies[raw(n)];
    for (const NodeIndex n : mesh.nodes.indices()) {
        const Vec3& p = mesh.nodes[n];
        const bool atFront = p.y() > -0.01, atMouth = p.y() < -1.4 && std::abs(p.x() - 0.1) < 0.3;
        EXPECT_TRUE(!atFront || copies[raw(n)] == 1) << p.transpose();
        EXPECT_TRUE(!atMouth || copies[raw(n)] == 2) << p.transpose();
    }
}

TEST(CrackedTets, TwoPlanesOneAfterTheOtherLeaveFourParts) {
    const TetMesh mesh = boxOfTets({5, 5, 5}, {2, 2, 2});
    const CrackedTets once = crack(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.07), everywhere(mesh)).tets;
    const CrackedTets twice = crack(once, planeField(once.mesh, {0, 1, 0}, -0.11), everywhere(once.mesh)).tets;
    const std::vector<double> found = volumes(twice);
    ASSERT_EQ(found.size(), 4u);
    const std::array<double, 4> expected{2 * 0.93 * 0.89, 2 * 1.07 * 0.89, 2 * 0.93 * 1.11, 2 * 1.07 * 1.11};
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(CrackedTets, ASecondCrackInOnePartAloneStopsAtTheFirst) {
    const TetMesh mesh = boxOfTets({5, 5, 5}, {2, 2, 2});
    const CrackedTets once = crack(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.07), everywhere(mesh)).tets;
    const TetComponents parts = componentsOf(once);
    IndexedVector<TetIndex, uint8_t> marked;
    for (const TetIndex t : once.mesh.tets.indices()) marked.push_back(parts.of[t] == parts.of[TetIndex{0}]);
    const std::vector<double> found = volumes(crack(once, planeField(once.mesh, {0, 1, 0}, 0.13), marked).tets);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(found[2], 2 * 2 * 0.93, 1e-12) << "the other part is whole";
    EXPECT_NEAR(found[1], 2 * 1.07 * 1.13, 1e-12);
    EXPECT_NEAR(found[0], 2 * 1.07 * 0.87, 1e-12);
}

TEST(CrackedTets, RandomPlanesKeepAllMaterial) {
    Random random(11);
    for (int round = 0; round < 20; ++round) {
        const TetMesh mesh = boxOfTets({4, 4, 4}, {1, 1, 1});
        CrackedTets tets = uncracked(mesh);
        for (int i = 0; i < 4; ++i) {
            const Vec3 normal(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            tets = crack(tets, planeField(tets.mesh, normal, random.uniform(-0.3, 0.3)), everywhere(tets.mesh)).tets;
        }
        double sum = 0;
        for (const double v : volumes(tets)) sum += v;
        EXPECT_NEAR(sum, 1, 1e-9);
        IndexedVector<TetIndex, double> perTet;
        perTet.assign(mesh.tetCount(), 0.0);
        const auto shares = filledShare(tets);
        for (const TetIndex t : tets.mesh.tets.indices()) perTet[tets.wholeTet[t]] += shares[t];
        for (const double share : perTet) EXPECT_NEAR(share, 1, 1e-9);
    }
}

}  // namespace

}  // namespace sunder
