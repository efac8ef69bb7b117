#include "geometry/mesh/topology.h"

#include <gtest/gtest.h>

#include "geometry/convex/convex_polytope.h"

namespace sunder {
namespace {

TriMesh boxMesh() { return toTriMesh(polytopeOf(Box3{Vec3(0, 0, 0), Vec3(1, 1, 1)})); }

TriMesh fromTriangles(size_t vertices, std::initializer_list<std::array<uint32_t, 3>> triangles) {
    TriMesh mesh;
    for (size_t i = 0; i < vertices; ++i)
        mesh.positions.push_back(Vec3::Unit(static_cast<int>(i % 3)) * static_cast<double>(i));
    for (const auto& t : triangles) mesh.triangles.push_back({VertexIndex{t[0]}, VertexIndex{t[1]}, VertexIndex{t[2]}});
    return mesh;
}

/// A grid on a torus.
TriMesh torusGrid(uint32_t n) {
    TriMesh mesh;
    mesh.positions.resize(n * n, Vec3::Zero());
    const auto at = [n](uint32_t i, uint32_t j) { return VertexIndex{(i % n) * n + j % n}; };
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

TEST(Topology, ClosedBox) {
    const TriMesh mesh = boxMesh();
    const MeshTopology topology(mesh);
    EXPECT_EQ(topology.edgeCount(), 18u);
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_EQ(genus(mesh, topology), 0);
    EXPECT_EQ(connectedComponents(mesh, topology).count, 1u);
    std::array<VertexIndex, 2> last{VertexIndex{0}, VertexIndex{0}};
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        EXPECT_LT(last, topology.vertices(e));  // numbered in order
        last = topology.vertices(e);
        EXPECT_LT(last[0], last[1]);
        ASSERT_EQ(topology.sides(e).size(), 2u);
        for (const HalfEdge& side : topology.sides(e)) EXPECT_EQ(topology.edge(side), e);
    }
    size_t corners = 0;
    for (const VertexIndex v : mesh.positions.indices()) corners += topology.triangles(v).size();
    EXPECT_EQ(corners, 36u);
}

TEST(Topology, GenusOfTorusAndOfTwoBodies) {
    TriMesh mesh = torusGrid(5);
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 1);
    append(mesh, boxMesh());
    EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 1);
    const Components parts = connectedComponents(mesh, MeshTopology(mesh));
    EXPECT_EQ(parts.count, 2u);
    EXPECT_EQ(parts.lists()[0].size(), 50u);
    EXPECT_EQ(parts.lists()[1].size(), 12u);
}

TEST(Topology, DefectsAreNotClosedManifold) {
    EXPECT_FALSE(isClosedManifold(TriMesh()));

    TriMesh open = boxMesh();
    open.triangles.items().pop_back();
    EXPECT_FALSE(isClosedManifold(open));
    const MeshTopology topology(open);
    size_t boundary = 0;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) boundary += topology.isBoundary(e);
    EXPECT_EQ(boundary, 3u);

    TriMesh clash = boxMesh();
    flipTriangle(clash, TriangleIndex{4});
    EXPECT_FALSE(isClosedManifold(clash));

    // two tetrahedra in one vertex: every edge is fine, the vertex has two fans
    const TriMesh bowtie =
        fromTriangles(7, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 5, 4}, {0, 4, 6}, {0, 6, 5}, {4, 5, 6}});
    EXPECT_FALSE(isClosedManifold(bowtie));
    EXPECT_EQ(connectedComponents(bowtie, MeshTopology(bowtie)).count, 2u);

    // a fin: an edge with three triangles
    const TriMesh fin = fromTriangles(5, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
    const MeshTopology finTopology(fin);
    EXPECT_TRUE(finTopology.isNonManifold(EdgeIndex{0}));
    EXPECT_FALSE(isClosedManifold(fin));
}

TEST(Topology, RepeatedIndicesDoNotConfuseIt) {
    const TriMesh mesh = fromTriangles(3, {{0, 1, 1}, {2, 2, 2}, {0, 1, 2}});
    const MeshTopology topology(mesh);
    EXPECT_FALSE(isClosedManifold(mesh, topology));
    EXPECT_EQ(topology.triangles(VertexIndex{1}).size(), 2u);
    EXPECT_EQ(topology.triangles(VertexIndex{2}).size(), 2u);
}

}  // namespace
}  // namespace sunder
