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

}  // namespace
}  // namespace sunder::sim
