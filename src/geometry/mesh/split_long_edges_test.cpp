#include "geometry/mesh/split_long_edges.h"

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

double longestEdge(const TriMesh& mesh) {
    double longest = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto corners = mesh.corners(t);
        for (size_t k = 0; k < 3; ++k) longest = std::max(longest, (corners[k] - corners[(k + 1) % 3]).norm());
    }
    return longest;
}

TEST(SplitLongEdges, KeepsTheSurfaceAndItsVertices) {
    for (const char* name : {"box", "vase"}) {
        const TriMesh mesh = makeShape(name, {});
        const double wanted = boundsOf(mesh).diagonal() / 40;
        ASSERT_GT(longestEdge(mesh), wanted);
        const TriMesh split = splitLongEdges(mesh, wanted);
        EXPECT_LE(longestEdge(split), wanted);
        EXPECT_TRUE(isClosedManifold(split));
        EXPECT_NEAR(volume(split), volume(mesh), 1e-12 * volume(mesh));
        EXPECT_NEAR(surfaceArea(split), surfaceArea(mesh), 1e-12 * surfaceArea(mesh));
        for (const VertexIndex v : mesh.positions.indices()) EXPECT_EQ(split.positions[v], mesh.positions[v]);
        // halving alone: no edge is cut where it need not be
        EXPECT_LT(static_cast<double>(split.vertexCount()),
                  static_cast<double>(mesh.vertexCount()) + 6 * surfaceArea(mesh) / (wanted * wanted));
    }
}

TEST(SplitLongEdges, LeavesShortOnesAlone) {
    const TriMesh mesh = makeShape("vase", {});
    const TriMesh split = splitLongEdges(mesh, longestEdge(mesh));
    EXPECT_EQ(split.vertexCount(), mesh.vertexCount());
    EXPECT_EQ(split.triangleCount(), mesh.triangleCount());
}

}  // namespace
}  // namespace sunder
