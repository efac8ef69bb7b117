#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/tet/netgen_mesher.h"
#include "geometry/tet/test_checks.h"
#include "geometry/tree/test_meshes.h"
#include "io/mesh/mesh_io.h"
#include "io/tet/tet_io.h"

namespace sunder {

namespace {

/// Triangles as sorted corner triples that start with the smallest vertex.
std::vector<std::array<uint32_t, 3>> canonical(const TriMesh& mesh,
                                               const std::function<uint32_t(VertexIndex)>& number) {
    std::vector<std::array<uint32_t, 3>> result;
    for (const Triangle& t : mesh.triangles) {
        std::array<uint32_t, 3> v{number(t[0]), number(t[1]), number(t[2])};
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        result.push_back(v);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void expectConformingFill(const TriMesh& surface, const NetgenOptions& options = {}) {
    testing::internal::CaptureStdout();
    const NetgenResult result = meshWithNetgen(surface, options);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << "stdout is data";
    ASSERT_TRUE(result.ok()) << result.reason;
    test::expectSound(result.mesh, {.min = 0, .max = 180});

    // the boundary is the surface itself, vertex for vertex
    const TetBoundary boundary = boundaryOf(result.mesh);
    const auto ofSurface = canonical(surface, [](VertexIndex v) { return raw(v); });
    const auto ofTets = canonical(boundary.surface, [&](VertexIndex v) { return raw(boundary.nodeOfVertex[v]); });
    EXPECT_EQ(ofSurface, ofTets);
    for (const VertexIndex v : surface.positions.indices()) {
        ASSERT_EQ(surface.positions[v], result.mesh.nodes[static_cast<NodeIndex>(raw(v))]);
    }
    EXPECT_LT(test::relativeError(volume(result.mesh), volume(surface)), 1e-12);
}

class Netgen : public testing::Test {
protected:
    void SetUp() override {
        if (!netgenAvailable()) GTEST_SKIP() << meshWithNetgen({}).reason;
    }
};

TriMesh sharedModel(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes" / name;
    return std::filesystem::exists(path) ? readMesh(path).mesh : TriMesh();
}

}  // namespace

TEST(NetgenAbsent, SaysHowToGetIt) {
    if (netgenAvailable()) GTEST_SKIP() << "NETGEN is there";
    EXPECT_NE(meshWithNetgen({}).reason.find("libnglib-dev"), std::string::npos);
}

TEST_F(Netgen, FillsABoxAndABall) {
    expectConformingFill(test::box(Vec3(-1, -2, -3), Vec3(1, 2, 3)));
    expectConformingFill(test::sphere(Vec3(3, 2, 1), 0.5, 3), {.maxEdge = 0.2});
}

TEST_F(Netgen, TinyAndHugeToo) {
    expectConformingFill(test::sphere(Vec3::Zero(), 1e-9, 2));
    expectConformingFill(test::sphere(Vec3::Zero(), 1e9, 2));
}

TEST_F(Netgen, FillsModels) {
    for (const char* name : {"primitives/L_20.obj", "models/bunny_1k.obj"}) {
        const TriMesh surface = sharedModel(name);
        if (surface.empty()) GTEST_SKIP() << "no " << name << " below " << SUNDER_SHARED_DATA;
        SCOPED_TRACE(name);
        expectConformingFill(surface);
    }
}

TEST_F(Netgen, RefusesWhatIsNotASolid) {
    TriMesh open = test::box(Vec3::Zero(), Vec3::Ones());
    TriMesh inward = open;
    flipOrientation(inward);
    open.triangles.items().pop_back();
    EXPECT_NE(meshWithNetgen({}).reason.find("no triangles"), std::string::npos);
    EXPECT_NE(meshWithNetgen(open).reason.find("not a closed manifold"), std::string::npos);
    EXPECT_NE(meshWithNetgen(inward).reason.find("inward"), std::string::npos);
}

}  // namespace sunder
