#include "geometry/tet/cracked_tets.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/disjoint_sets.h"
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

CrackedTets cracked(CrackedTets tets, const IndexedVector<NodeIndex, double>& side,
                    const IndexedVector<TetIndex, uint8_t>& marked) {
    crack(tets, side, marked);
    return tets;
}

/// m^3 of material in each component.
std::vector<double> volumes(const CrackedTets& tets) {
    const TetComponents components = componentsOf(tets);
    std::vector<double> sum(components.count, 0.0);
    for (const TetIndex t : tets.mesh.tets.indices()) sum[components.of[t]] += tets.filled[t] * volume(tets.mesh, t);
    std::sort(sum.begin(), sum.end());
    return sum;
}

TEST(CrackedTets, APlaneThroughABoxLeavesTwoPartsWithItsVolumes) {
    const TetMesh mesh = boxOfTets({6, 5, 4}, {3, 2, 1});
    const CrackedTets cut = cracked(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.31), everywhere(mesh));
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
    const CrackedTets cut = cracked(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.1), marked);
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
    const CrackedTets once = cracked(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.07), everywhere(mesh));
    const CrackedTets twice = cracked(once, planeField(once.mesh, {0, 1, 0}, -0.11), everywhere(once.mesh));
    const std::vector<double> found = volumes(twice);
    ASSERT_EQ(found.size(), 4u);
    const std::array<double, 4> expected{2 * 0.93 * 0.89, 2 * 1.07 * 0.89, 2 * 0.93 * 1.11, 2 * 1.07 * 1.11};
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(CrackedTets, ASecondCrackInOnePartAloneStopsAtTheFirst) {
    const TetMesh mesh = boxOfTets({5, 5, 5}, {2, 2, 2});
    const CrackedTets once = cracked(uncracked(mesh), planeField(mesh, {1, 0, 0}, 0.07), everywhere(mesh));
    const TetComponents parts = componentsOf(once);
    IndexedVector<TetIndex, uint8_t> marked;
    for (const TetIndex t : once.mesh.tets.indices()) marked.push_back(parts.of[t] == parts.of[TetIndex{0}]);
    const std::vector<double> found = volumes(cracked(once, planeField(once.mesh, {0, 1, 0}, 0.13), marked));
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
            crack(tets, planeField(tets.mesh, normal, random.uniform(-0.3, 0.3)), everywhere(tets.mesh));
        }
        double sum = 0;
        for (const double v : volumes(tets)) sum += v;
        EXPECT_NEAR(sum, 1, 1e-9);
        IndexedVector<TetIndex, double> perTet;
        perTet.assign(mesh.tetCount(), 0.0);
        for (const TetIndex t : tets.mesh.tets.indices()) perTet[tets.wholeTet[t]] += tets.filled[t];
        for (const double share : perTet) EXPECT_NEAR(share, 1, 1e-9);
    }
}

/// Do the parts of a face that lie on the positive sides of all cuts of two copies have an area? Told by clipping it.
bool shareFace(const CrackedTets& tets, TetIndex a, TetIndex b, const std::array<NodeIndex, 3>& face) {
    const auto cornerOf = [&](TetIndex t, NodeIndex whole) {
        for (int i = 0; i < 4; ++i) {
            if (tets.wholeNode[tets.mesh.tets[t][static_cast<size_t>(i)]] == whole) return i;
        }
        return -1;
    };
    std::vector<Vec3> outline{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    for (const TetIndex t : {a, b}) {
        for (const TetCut& cut : tets.cuts[t]) {
            const Vec3 on(cut[cornerOf(t, face[0])], cut[cornerOf(t, face[1])], cut[cornerOf(t, face[2])]);
            std::vector<Vec3> kept;
            for (size_t i = 0; i < outline.size(); ++i) {
                const Vec3 &p = outline[i], &q = outline[(i + 1) % outline.size()];
                if (on.dot(p) > 0) kept.push_back(p);
                if ((on.dot(p) > 0) != (on.dot(q) > 0))
                    kept.push_back(p + on.dot(p) / (on.dot(p) - on.dot(q)) * (q - p));
            }
            outline = kept;
        }
    }
    Vec3 area = Vec3::Zero();
    for (size_t i = 2; i < outline.size(); ++i) area += (outline[i - 1] - outline[0]).cross(outline[i] - outline[0]);
    return area.norm() > 1e-9;
}

/// What crack() keeps up to date where it cuts is what one gets from all copies and their cuts alone.
TEST(CrackedTets, JointsAndNodesAreThoseOfAllCopiesTogether) {
    Random random(5);
    for (int round = 0; round < 10; ++round) {
        const TetMesh mesh = boxOfTets({5, 4, 4}, {1, 1, 1});
        CrackedTets tets = uncracked(mesh);
        for (int i = 0; i < 7; ++i) {  // planes that end at a ball, or leave it out
            const Vec3 normal(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            const Vec3 centre(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            IndexedVector<TetIndex, uint8_t> marked;
            for (const TetIndex t : tets.mesh.tets.indices())
                marked.push_back(((tets.mesh.corners(t)[0] - centre).norm() < 0.7) != (i == 3));
            const size_t tetsBefore = tets.mesh.tetCount(), nodesBefore = tets.mesh.nodeCount();
            const CrackedFurther further =
                crack(tets, planeField(tets.mesh, normal, random.uniform(-0.3, 0.3)), marked);
            ASSERT_EQ(tets.mesh.tetCount(), tetsBefore + further.tets.size());
            ASSERT_EQ(tets.mesh.nodeCount(), nodesBefore + further.nodes.size());
        }
        for (const TetIndex t : tets.cuts.indices()) EXPECT_NEAR(tets.filled[t], filledShare(tets.cuts[t]), 1e-12);

        // joints
        std::map<std::array<NodeIndex, 3>, std::vector<TetIndex>> byFace;
        for (const TetIndex t : tets.mesh.tets.indices()) {
            for (const auto& corners : kTetFaces) {
                std::array<NodeIndex, 3> face{};
                for (size_t k = 0; k < 3; ++k) face[k] = tets.wholeNode[tets.mesh.tets[t][corners[k]]];
                std::sort(face.begin(), face.end());
                byFace[face].push_back(t);
            }
        }
        std::set<std::pair<TetIndex, TetIndex>> expected, found;
        for (const auto& [face, around] : byFace) {
            for (const TetIndex a : around) {
                for (const TetIndex b : around) {
                    if (tets.wholeTet[a] < tets.wholeTet[b] && shareFace(tets, a, b, face)) expected.insert({a, b});
                }
            }
        }
        for (const TetIndex t : tets.mesh.tets.indices()) {
            forJointsOf(tets, t, [&](const auto&, TetIndex other, const auto&) {
                EXPECT_TRUE(tets.wholeTet[t] > tets.wholeTet[other] || found.insert({t, other}).second) << "twice";
            });
        }
        EXPECT_EQ(found, expected);
        EXPECT_EQ(tets.joints.size(), expected.size());

        // nodes: corners that joints make one have one name, others have others
        DisjointSets corners(4 * tets.mesh.tetCount());
        for (const CrackedTets::Joint& joint : tets.joints) {
            for (size_t k = 0; k < 3; ++k)
                corners.join(4 * raw(joint.first) + joint.inFirst[k], 4 * raw(joint.second) + joint.inSecond[k]);
        }
        std::set<std::pair<uint32_t, NodeIndex>> names;
        std::set<uint32_t> roots;
        std::set<NodeIndex> nodes;
        for (uint32_t c = 0; c < 4 * tets.mesh.tetCount(); ++c) {
            const NodeIndex node = tets.mesh.tets[TetIndex(c / 4)][c % 4];
            names.insert({corners.root(c), node});
            roots.insert(corners.root(c));
            nodes.insert(node);
        }
        EXPECT_EQ(names.size(), roots.size());
        EXPECT_EQ(names.size(), nodes.size());
        EXPECT_EQ(nodes.size(), tets.mesh.nodeCount());
    }
}

TEST(CrackedTets, PartsThatTouchAtANodeAloneGetOneEach) {
    TetMesh mesh;  // two tets that share a corner
    mesh.nodes = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(0, 1, 0), Vec3(0, 0, 1),
                  Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)};
    const auto n = [](uint32_t i) { return NodeIndex(i); };
    mesh.tets = {Tet{n(0), n(1), n(2), n(3)}, Tet{n(0), n(5), n(4), n(6)}};
    const CrackedTets tets = uncracked(mesh);
    EXPECT_EQ(componentsOf(tets).count, 2u);
    ASSERT_EQ(tets.mesh.nodeCount(), 8u);
    EXPECT_EQ(tets.wholeNode[n(7)], n(0));
    EXPECT_EQ(tets.mesh.tets[TetIndex(0)][0], n(0));
    EXPECT_EQ(tets.mesh.tets[TetIndex(1)][0], n(7));
}

}  // namespace

}  // namespace sunder
