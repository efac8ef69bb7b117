#include "geometry/mesh/tri_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/convex/convex_polytope.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder {
namespace {

TriMesh boxMesh(double side = 1) { return toTriMesh(polytopeOf(Box3{Vec3(0, 0, 0), Vec3::Constant(side)})); }

TriMesh withAttributes(TriMesh mesh, const std::string& material) {
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const double u = raw(t);
        mesh.uvs.push_back({Vec2(u, 0), Vec2(u, 1), Vec2(u, 2)});
        mesh.inside.push_back(raw(t) % 2);
        mesh.materials.push_back(0);
    }
    mesh.materialNames = {material};
    return mesh;
}

TEST(TriMesh, BoundsAreaAndStrayVertices) {
    TriMesh mesh = boxMesh();
    mesh.positions.push_back(Vec3(100, 100, 100));
    EXPECT_EQ(boundsOf(mesh).max, Vec3(1, 1, 1));
    EXPECT_DOUBLE_EQ(surfaceArea(mesh), 6);
    EXPECT_EQ(removeUnusedVertices(mesh), 1u);
    EXPECT_EQ(mesh.vertexCount(), 8u);
    EXPECT_EQ(removeUnusedVertices(mesh), 0u);
    EXPECT_TRUE(boundsOf(TriMesh()).empty());
    EXPECT_EQ(surfaceArea(TriMesh()), 0);
}

TEST(TriMesh, MovingAndScaling) {
    TriMesh mesh = boxMesh();
    computeNormals(mesh, 0.1);
    const Quat quarter(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // 90 degrees about z
    const TriMesh moved = transformed(mesh, {quarter, Vec3(10, 0, 0)});
    EXPECT_LT((boundsOf(moved).min - Vec3(9, 0, 0)).norm(), 1e-15);
    EXPECT_NEAR(volume(moved), 1, 1e-14);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        EXPECT_NEAR(moved.normals[t][0].dot(moved.areaVector(t).normalized()), 1, 1e-14);
    }
    EXPECT_DOUBLE_EQ(volume(scaled(mesh, 3)), 27);
}

TEST(TriMesh, AppendJoinsAttributesAndMaterials) {
    TriMesh mesh = withAttributes(boxMesh(), "glass");
    append(mesh, boxMesh(2));
    append(mesh, withAttributes(boxMesh(3), "stone"));
    append(mesh, withAttributes(boxMesh(4), "glass"));
    EXPECT_EQ(mesh.vertexCount(), 32u);
    EXPECT_EQ(mesh.triangleCount(), 48u);
    EXPECT_DOUBLE_EQ(volume(mesh), 1 + 8 + 27 + 64);
    ASSERT_EQ(mesh.uvs.size(), 48u);
    ASSERT_EQ(mesh.inside.size(), 48u);
    ASSERT_EQ(mesh.materials.size(), 48u);
    EXPECT_EQ(mesh.materialNames, (std::vector<std::string>{"glass", "stone"}));
    EXPECT_EQ(mesh.materials[TriangleIndex{25}], 1u);
    EXPECT_EQ(mesh.materials[TriangleIndex{40}], 0u);
    EXPECT_EQ(mesh.uvs[TriangleIndex{29}][1], Vec2(5, 1));
    EXPECT_EQ(mesh.uvs[TriangleIndex{14}][1], Vec2(0, 0));
}

TEST(TriMesh, SubsetKeepsOrderAttributesAndUsedVertices) {
    TriMesh mesh = withAttributes(boxMesh(), "glass");
    const TriMesh part = subset(mesh, {TriangleIndex{7}, TriangleIndex{2}});
    ASSERT_EQ(part.triangleCount(), 2u);
    EXPECT_EQ(part.corners(TriangleIndex{0}), mesh.corners(TriangleIndex{7}));
    EXPECT_EQ(part.corners(TriangleIndex{1}), mesh.corners(TriangleIndex{2}));
    EXPECT_EQ(part.uvs[TriangleIndex{1}], mesh.uvs[TriangleIndex{2}]);
    EXPECT_LE(part.vertexCount(), 6u);
    EXPECT_EQ(part.triangles[TriangleIndex{0}][0], VertexIndex{0});
}

TEST(TriMesh, FlippingTurnsEverythingAndTwiceNothing) {
    TriMesh mesh = withAttributes(boxMesh(), "glass");
    computeNormals(mesh, 0.1);
    const TriMesh before = mesh;
    flipOrientation(mesh);
    EXPECT_DOUBLE_EQ(volume(mesh), -1);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        EXPECT_NEAR(mesh.normals[t][1].dot(mesh.areaVector(t).normalized()), 1, 1e-14);
        EXPECT_EQ(mesh.uvs[t][1], before.uvs[t][2]);
    }
    flipOrientation(mesh);
    EXPECT_EQ(mesh.triangles, before.triangles);
    EXPECT_EQ(mesh.normals, before.normals);
}

TEST(TriMesh, NormalsKeepCreasesAndSmoothTheRest) {
    TriMesh mesh = boxMesh();
    computeNormals(mesh, 0.5);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const Vec3& n : mesh.normals[t]) EXPECT_NEAR(n.dot(mesh.areaVector(t).normalized()), 1, 1e-14);
    }
    computeNormals(mesh, 2);  // all three faces of a corner, weighted by their right angles
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t c = 0; c < 3; ++c) {
            const Vec3 outward = (mesh.corners(t)[c] - Vec3::Constant(0.5)).normalized();
            EXPECT_NEAR(mesh.normals[t][c].dot(outward), 1, 1e-14);
        }
    }
}

TEST(TriMesh, NormalsAreNotSmoothedOverTheRimOfACrackFace) {
    TriMesh mesh = boxMesh();
    for (const TriangleIndex t : mesh.triangles.indices())
        mesh.inside.push_back(mesh.areaVector(t).normalized().y() > 0.5 ? 1 : 0);
    computeNormals(mesh, 2);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const Vec3& n : mesh.normals[t]) {
            if (mesh.inside[t]) {
                EXPECT_NEAR(n.y(), 1, 1e-14);
            } else {
                EXPECT_LT(n.y(), 1e-14);
            }
        }
    }
}

}  // namespace
}  // namespace sunder
