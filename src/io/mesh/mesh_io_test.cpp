#include "io/mesh/mesh_io.h"

#include <fstream>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "io/files/file_access.h"
#include "io/mesh/test_support.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using test::readBytes;
using test::richTetrahedron;
using test::tri;

/// A fresh folder that goes away with the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        path_ = fs::path(testing::TempDir()) / (std::string("sunder_") + info->test_suite_name() + "_" + info->name());
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    fs::path operator/(const std::string& name) const { return path_ / name; }
    size_t fileCount() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

private:
    fs::path path_;
};

MeshFile throughBytes(const TriMesh& mesh, MeshFormat format) {
    return readBytes(meshBytes(mesh, format, "out"), format);
}

/// What one triangle looks like, whatever its vertices are called.
struct Look {
    std::array<Vec3, 3> corners;
    std::array<Vec2, 3> uvs;
    std::array<Vec3, 3> normals;
    std::string material;
    int inside = 0;
};

Look lookOf(const TriMesh& mesh, TriangleIndex t) {
    return {mesh.corners(t), mesh.uvs[t], mesh.normals[t], mesh.materialNames[mesh.materials[t]], mesh.inside[t]};
}

void expectAlike(const Look& a, const Look& b, double tolerance) {
    for (size_t k = 0; k < 3; ++k) {
        EXPECT_LE((a.corners[k] - b.corners[k]).norm(), tolerance);
        EXPECT_LE((a.uvs[k] - b.uvs[k]).norm(), tolerance);
        EXPECT_LE((a.normals[k] - b.normals[k]).norm(), tolerance);
    }
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(a.inside, b.inside);
}

/// A cube at awkward coordinates, no float among them.
TriMesh awkwardCube() {
    TriMesh mesh;
    for (int i = 0; i < 8; ++i) {
        mesh.positions.push_back(Vec3(1e5 / 3 + (i & 1), -2.0 / 7 + (i >> 1 & 1), 0.1 + (i >> 2)));
    }
    mesh.triangles = {tri(0, 2, 3), tri(0, 3, 1), tri(4, 5, 7), tri(4, 7, 6), tri(0, 1, 5), tri(0, 5, 4),
                      tri(2, 6, 7), tri(2, 7, 3), tri(0, 4, 6), tri(0, 6, 2), tri(1, 3, 7), tri(1, 7, 5)};
    return mesh;
}

TEST(MeshIo, FormatByExtension) {
    EXPECT_EQ(meshFormatOf("a/b.OBJ"), MeshFormat::Obj);
    EXPECT_EQ(meshFormatOf("x.y.Glb"), MeshFormat::Glb);
    try {
        meshFormatOf("bunny.blend");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "bunny.blend: the extension 'blend' names no mesh format; there are .obj, .ply, .stl, .off, .gltf, .glb");
    }
}

TEST(MeshIo, ObjAndPlyGiveBackEverythingInOrder) {
    const TriMesh mesh = richTetrahedron();
    for (const MeshFormat format : {MeshFormat::Obj, MeshFormat::Ply}) {
        SCOPED_TRACE(nameOf(format));
        const TriMesh back = throughBytes(mesh, format).mesh;
        EXPECT_EQ(back.positions, mesh.positions);
        EXPECT_EQ(back.triangles, mesh.triangles);
        EXPECT_EQ(back.materials, mesh.materials);
        EXPECT_EQ(back.materialNames, mesh.materialNames);
        EXPECT_EQ(back.inside, mesh.inside);
        for (const TriangleIndex t : mesh.triangles.indices()) expectAlike(lookOf(back, t), lookOf(mesh, t), 1e-6);
    }
}

TEST(MeshIo, GltfGivesBackEveryTriangle) {
    const TriMesh mesh = richTetrahedron();
    for (const MeshFormat format : {MeshFormat::Glb, MeshFormat::Gltf}) {
        SCOPED_TRACE(nameOf(format));
        const TriMesh back = throughBytes(mesh, format).mesh;
        EXPECT_EQ(back.vertexCount(), 4u);
        EXPECT_TRUE(isClosedManifold(back));
        // one primitive per material and side, in order of first use: here one triangle each
        ASSERT_EQ(back.triangleCount(), 4u);
        for (const TriangleIndex t : mesh.triangles.indices()) expectAlike(lookOf(back, t), lookOf(mesh, t), 1e-7);
    }
}

TEST(MeshIo, InsideWithoutMaterialsSurvives) {
    TriMesh mesh = richTetrahedron();
    mesh.materials.clear();
    mesh.materialNames.clear();
    for (const MeshFormat format : {MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Glb}) {
        SCOPED_TRACE(nameOf(format));
        const TriMesh back = throughBytes(mesh, format).mesh;
        EXPECT_EQ(back.inside, mesh.inside);
        EXPECT_TRUE(back.materials.empty());
        EXPECT_TRUE(back.materialNames.empty());
    }
}

TEST(MeshIo, DoublesAreExactWhereTheFormatAllows) {
    const TriMesh mesh = awkwardCube();
    for (const MeshFormat format : {MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off}) {
        SCOPED_TRACE(nameOf(format));
        const TriMesh back = throughBytes(mesh, format).mesh;
        EXPECT_EQ(back.positions, mesh.positions);
        EXPECT_EQ(back.triangles, mesh.triangles);
    }
}

TEST(MeshIo, FloatFormatsKeepTheTopology) {
    const TriMesh mesh = awkwardCube();
    for (const MeshFormat format : {MeshFormat::Stl, MeshFormat::Glb, MeshFormat::Gltf}) {
        SCOPED_TRACE(nameOf(format));
        const TriMesh back = throughBytes(mesh, format).mesh;
        EXPECT_EQ(back.vertexCount(), 8u);
        EXPECT_EQ(back.triangleCount(), 12u);
        EXPECT_TRUE(isClosedManifold(back));
        EXPECT_NEAR(volume(back), 1, 0.01);
        for (const TriangleIndex t : mesh.triangles.indices()) {
            for (size_t k = 0; k < 3; ++k) EXPECT_LT((back.corners(t)[k] - mesh.corners(t)[k]).norm(), 0.004);
        }
    }
}

TEST(MeshIo, FloatPositionsTakeHalfThePlaceInPly) {
    TriMesh mesh = awkwardCube();
    const size_t asDouble = meshBytes(mesh, MeshFormat::Ply, "").size();
    for (Vec3& p : mesh.positions) {
        for (double& x : p) x = static_cast<float>(x);
    }
    const std::string bytes = meshBytes(mesh, MeshFormat::Ply, "");
    EXPECT_EQ(asDouble - bytes.size(), 8 * 12 + 3 * 1u);  // "double" has one letter more than "float", three times
    EXPECT_EQ(readBytes(bytes, MeshFormat::Ply).mesh.positions, mesh.positions);
}

TEST(MeshIo, LargeMeshNeedsLongIndices) {
    // a fan of 70000 vertices
    TriMesh mesh;
    const uint32_t n = 70000;
    for (uint32_t i = 0; i < n; ++i) mesh.positions.push_back(Vec3(i, (i * 7919) % 1000, 0));
    for (uint32_t i = 2; i < n; ++i) mesh.triangles.push_back(tri(0, i - 1, i));
    const TriMesh back = throughBytes(mesh, MeshFormat::Glb).mesh;
    EXPECT_EQ(back.positions, mesh.positions);
    EXPECT_EQ(back.triangles, mesh.triangles);
}

TEST(MeshIo, FilesAreWrittenWholeAndReadBack) {
    const TemporaryFolder folder;
    const TriMesh mesh = richTetrahedron();
    for (const char* name : {"a b.obj", "\xc3\xa4.ply", "x.stl", "x.off", "x.gltf", "x.glb"}) {
        writeMesh(mesh, folder / name);
        writeMesh(mesh, folder / name);  // over the old one
        const MeshFile file = readMesh(folder / name);
        EXPECT_EQ(file.mesh.triangleCount(), 4u);
        EXPECT_EQ(file.format, meshFormatOf(name));
    }
    EXPECT_EQ(folder.fileCount(), 7u);  // with "a b.mtl", and no leftovers
    EXPECT_NE(readWholeFile(folder / "a b.mtl").find("newmtl old brick"), std::string::npos);
    EXPECT_NE(readWholeFile(folder / "a b.obj").find("mtllib a b.mtl"), std::string::npos);
}

TEST(MeshIo, AFailedWriteLeavesTheOldFileAlone) {
    const TemporaryFolder folder;
    writeMesh(richTetrahedron(), folder / "x.obj");
    const std::string before = readWholeFile(folder / "x.obj");
    TriMesh broken = richTetrahedron();
    broken.positions.items()[2].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(writeMesh(broken, folder / "x.obj"), InputError);
    EXPECT_EQ(readWholeFile(folder / "x.obj"), before);
    fs::create_directories(folder / "dir.ply" / "full");
    EXPECT_THROW(writeMesh(richTetrahedron(), folder / "dir.ply"), InputError);
    EXPECT_THROW(writeMesh(richTetrahedron(), folder / "nowhere/x.obj"), InputError);
    EXPECT_EQ(folder.fileCount(), 3u);
}

TEST(MeshIo, WhatNoFileCanHoldIsRefused) {
    TriMesh huge = awkwardCube();
    huge.positions.items()[7].x() = 1e39;
    EXPECT_NO_THROW(meshBytes(huge, MeshFormat::Obj, ""));
    EXPECT_NO_THROW(meshBytes(huge, MeshFormat::Ply, ""));
    EXPECT_THROW(meshBytes(huge, MeshFormat::Stl, ""), InputError);
    EXPECT_THROW(meshBytes(huge, MeshFormat::Glb, ""), InputError);
    EXPECT_THROW(meshBytes(TriMesh(), MeshFormat::Obj, ""), InputError);
    TriMesh badUv = richTetrahedron();
    badUv.uvs.items()[1][1].x() = std::numeric_limits<double>::infinity();
    EXPECT_THROW(meshBytes(badUv, MeshFormat::Glb, ""), InputError);
}

TEST(MeshIo, UnreadablePathsAreNamed) {
    const TemporaryFolder folder;
    fs::create_directories(folder / "folder.obj");
    const std::map<fs::path, std::string> cases = {{folder / "none.obj", "cannot be opened: No such file"},
                                                   {folder / "folder.obj", "is a folder"}};
    for (const auto& [path, expected] : cases) {
        try {
            readMesh(path);
            FAIL() << path;
        } catch (const InputError& error) {
            EXPECT_EQ(error.where(), path.string());
            EXPECT_NE(error.message().find(expected), std::string::npos) << error.message();
        }
    }
}

}  // namespace
}  // namespace sunder
