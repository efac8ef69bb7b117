#include "sim/fragment_shape.h"

#include <gtest/gtest.h>

#include "geometry/shapes/shapes.h"

namespace sunder::sim {
namespace {

dynamics::ShapePtr shapeOf(const TriMesh& mesh) { return makeFragmentShape(mesh, MeshTopology(mesh)); }

TEST(FragmentShape, ConvexPiecesWithFewCornersAreHulls) {
    EXPECT_TRUE(shapeOf(makeShape("box", {}, 8))->convex());
    EXPECT_TRUE(shapeOf(makeShape("animal", {}, 48))->field());
}

TEST(FragmentShape, WhatStandsOutBetweenItsPointsGetsMore) {
    for (const char* name : {"animal", "vase"}) {
        const TriMesh mesh = makeShape(name, {}, 64);
        const dynamics::ShapePtr usual = dynamics::makeFieldSolid(mesh), fragment = shapeOf(mesh);
        ASSERT_TRUE(fragment->field()) << name;
        EXPECT_LT(fragment->field()->bulge, 0.5 * usual->field()->bulge) << name;
    }
}

TEST(FragmentShape, WhatItsPointsSpanKeepsThem) {
    const TriMesh star = makeShape("star", {}, 64);  // all its tips are corners
    EXPECT_EQ(shapeOf(star)->field()->particleCount, dynamics::makeFieldSolid(star)->field()->particleCount);
}

}  // namespace
}  // namespace sunder::sim
