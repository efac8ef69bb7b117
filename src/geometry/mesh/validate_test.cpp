#include "geometry/mesh/validate.h"

#include <limits>

#include <gtest/gtest.h>

#include "geometry/convex/convex_polytope.h"

namespace sunder {
namespace {

/// A box with everything a mesh may carry.
TriMesh richBox() {
    TriMesh mesh = toTriMesh(polytopeOf(Box3{Vec3::Zero(), Vec3::Ones()}));
    mesh.uvs.assign(mesh.triangleCount(), {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()});
    mesh.materials.assign(mesh.triangleCount(), 0);
    mesh.inside.assign(mesh.triangleCount(), 0);
    computeNormals(mesh, 0.5);
    return mesh;
}

TEST(ValidateTriMesh, ASoundMeshAndNoneHaveNoProblem) {
    EXPECT_EQ(problemWith(richBox()), "");
    EXPECT_EQ(problemWith(TriMesh()), "");
}

TEST(ValidateTriMesh, EachBrokenPromiseIsNamed) {
    const TriangleIndex third{2};
    const auto problem = [](auto&& spoil) {
        TriMesh mesh = richBox();
        spoil(mesh);
        return problemWith(mesh);
    };
    EXPECT_EQ(problem([&](TriMesh& m) { m.triangles[third][1] = VertexIndex{8}; }), "triangle 2 has no vertex 8");
    EXPECT_EQ(problem([&](TriMesh& m) { m.triangles[third][1] = m.triangles[third][2]; }),
              "triangle 2 has a vertex twice");
    EXPECT_EQ(problem([](TriMesh& m) { m.positions[VertexIndex{5}].y() = std::numeric_limits<double>::quiet_NaN(); }),
              "vertex 5 has no place");
    EXPECT_EQ(problem([](TriMesh& m) { m.uvs.push_back(m.uvs[TriangleIndex{0}]); }), "13 uvs for 12 triangles");
    EXPECT_EQ(problem([](TriMesh& m) { m.normals.resize(11); }), "11 normals for 12 triangles");
    EXPECT_EQ(problem([](TriMesh& m) { m.materials.resize(1); }), "1 materials for 12 triangles");
    EXPECT_EQ(problem([](TriMesh& m) { m.inside.resize(3); }), "3 marks of the inside for 12 triangles");
    EXPECT_EQ(problem([&](TriMesh& m) { m.normals[third][0] *= 2; }), "a normal of triangle 2 has length 2");
}

}  // namespace
}  // namespace sunder
