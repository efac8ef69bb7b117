#include "geometry/tet/validate.h"

#include <limits>

#include <gtest/gtest.h>

#include "geometry/tet/test_boxes.h"

namespace sunder {
namespace {

const TetIndex kThird{2};

/// A box of tets, cracked across the middle as far as half its width.
CrackedTets halfCracked() {
    CrackedTets tets = uncracked(test::boxOfTets({3, 3, 3}, Vec3::Ones()));
    IndexedVector<NodeIndex, double> side;
    IndexedVector<TetIndex, uint8_t> marked;
    for (const Vec3& p : tets.mesh.nodes) side.push_back(p.y() - 0.05);
    for (const TetIndex t : tets.mesh.tets.indices()) marked.push_back(middleOf(tets.mesh, t).x() < 0);
    crack(tets, side, marked);
    return tets;
}

TEST(ValidateTetMesh, ASoundMeshAndNoneHaveNoProblem) {
    EXPECT_EQ(problemWith(test::boxOfTets({2, 3, 1}, Vec3(1, 2, 3))), "");
    EXPECT_EQ(problemWith(TetMesh()), "");
}

TEST(ValidateTetMesh, EachBrokenPromiseIsNamed) {
    const auto problem = [](auto&& spoil) {
        TetMesh mesh = test::boxOfTets({1, 1, 1}, Vec3::Ones());
        spoil(mesh);
        return problemWith(mesh);
    };
    EXPECT_EQ(problem([](TetMesh& m) { m.tets[kThird][0] = NodeIndex{9}; }), "tet 2 has no node 9");
    EXPECT_EQ(problem([](TetMesh& m) { m.nodes[NodeIndex{1}].x() = std::numeric_limits<double>::infinity(); }),
              "node 1 has no place");
    EXPECT_EQ(problem([](TetMesh& m) { std::swap(m.tets[kThird][0], m.tets[kThird][1]); }).substr(0, 18),
              "tet 2 has volume -");
    EXPECT_EQ(problem([](TetMesh& m) { m.regions.push_back(1); }), "1 regions for 6 tets");
    EXPECT_EQ(problem([](TetMesh& m) {
                  m.tets.push_back(m.tets[kThird]);
                  m.tets.push_back(m.tets[kThird]);
              }),
              "tets 2, 6 and 7 share a face");
}

TEST(ValidateCrackedTets, ACrackThatEndsInsideHasNoProblem) {
    const CrackedTets tets = halfCracked();
    EXPECT_EQ(problemWith(tets), "");
    EXPECT_GT(tets.mesh.tetCount(), 6u * 27);  // it does run through some
}

TEST(ValidateCrackedTets, EachBrokenPromiseIsNamed) {
    const auto problem = [](auto&& spoil) {
        CrackedTets tets = halfCracked();
        spoil(tets);
        return problemWith(tets);
    };
    EXPECT_EQ(problem([](CrackedTets& c) { c.cuts.push_back({}); }), "arrays of different lengths");
    EXPECT_EQ(problem([](CrackedTets& c) { c.filled[kThird] = 0; }), "0 of tet 2 is material");
    EXPECT_EQ(problem([](CrackedTets& c) { c.filled[kThird] *= 0.5; }), "the copies of tet 2 have 0.5 of its material");
    EXPECT_EQ(problem([](CrackedTets& c) { std::swap(c.mesh.tets[kThird][0], c.mesh.tets[kThird][1]); }).substr(0, 18),
              "tet 2 has volume -");
    EXPECT_NE(problem([](CrackedTets& c) {
                  std::swap(c.joints[0].inFirst[0], c.joints[0].inFirst[1]);
              }).find("are joined at different nodes"),
              std::string::npos);
    EXPECT_NE(problem([](CrackedTets& c) { c.joints[0].second = TetIndex{100000}; }).find("a joint of tets"),
              std::string::npos);
    EXPECT_NE(problem([](CrackedTets& c) { c.firstJoint[kThird] = kInvalidIndex; }).find("not twice each"),
              std::string::npos);
    EXPECT_NE(problem([](CrackedTets& c) {
                  CrackedTets::Joint& joint = c.joints[c.firstJoint[kThird]];
                  (joint.first == kThird ? joint.nextOfFirst : joint.nextOfSecond) = c.firstJoint[kThird];
              }).find("are no list"),
              std::string::npos);
}

}  // namespace
}  // namespace sunder
