#include "geometry/mesh/weld.h"

#include <limits>

#include <gtest/gtest.h>

#include "geometry/mesh/topology.h"

namespace sunder {
namespace {

Triangle tri(uint32_t a, uint32_t b, uint32_t c) {
    return {static_cast<VertexIndex>(a), static_cast<VertexIndex>(b), static_cast<VertexIndex>(c)};
}

TEST(WeldExact, EmptyMeshStaysEmpty) {
    TriMesh mesh;
    EXPECT_EQ(weldExact(mesh), 0u);
    EXPECT_TRUE(mesh.positions.empty());
}

TEST(WeldExact, SoupOfTetrahedronBecomesClosed) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0), d(0, 0, 1);
    TriMesh mesh;
    for (const std::array<Vec3, 3>& face :
         std::initializer_list<std::array<Vec3, 3>>{{a, c, b}, {a, b, d}, {b, c, d}, {c, a, d}}) {
        const uint32_t first = static_cast<uint32_t>(mesh.vertexCount());
        for (const Vec3& p : face) mesh.positions.push_back(p);
        mesh.triangles.push_back(tri(first, first + 1, first + 2));
    }
    EXPECT_FALSE(isClosedManifold(mesh));
    EXPECT_EQ(weldExact(mesh), 8u);
    EXPECT_EQ(mesh.vertexCount(), 4u);
    EXPECT_TRUE(isClosedManifold(mesh));
    // order of first appearance: a c b d
    EXPECT_EQ(mesh.positions.items(), (std::vector<Vec3>{a, c, b, d}));
    EXPECT_EQ(mesh.triangles.items().front(), tri(0, 1, 2));
}

TEST(WeldExact, ZeroMeetsMinusZeroAndNothingElseMoves) {
    TriMesh mesh;
    const double tiny = std::numeric_limits<double>::denorm_min();
    mesh.positions = {Vec3(0, 1, 2), Vec3(-0.0, 1, 2), Vec3(tiny, 1, 2), Vec3(9, 9, 9)};
    mesh.triangles = {tri(1, 2, 3)};
    EXPECT_EQ(weldExact(mesh), 1u);
    EXPECT_EQ(mesh.vertexCount(), 3u);
    EXPECT_EQ(mesh.triangles.items().front(), tri(0, 1, 2));
}

TEST(WeldExact, KeepsAttributesAndDegenerateTriangles) {
    TriMesh mesh;
    mesh.positions = {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0)};
    mesh.triangles = {tri(0, 1, 2)};
    mesh.uvs = {{Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)}};
    EXPECT_EQ(weldExact(mesh), 1u);
    EXPECT_EQ(mesh.triangles.items().front(), tri(0, 0, 1));
    EXPECT_EQ(mesh.uvs.items().front()[1], Vec2(1, 0));
}

}  // namespace
}  // namespace sunder
