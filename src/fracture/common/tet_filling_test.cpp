#include "fracture/common/tet_filling.h"

#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"

namespace sunder::fracture {
namespace {

/// A thick foot of 0.3 m and a wall of 3 cm that stands out of it by 1 m: its mean thickness says nothing of the wall.
TriMesh footWithThinWall() {
    const std::array<Vec3, 6> outline{Vec3(0, 0, 0),      Vec3(1.3, 0, 0),   Vec3(1.3, 0.03, 0),
                                      Vec3(0.3, 0.03, 0), Vec3(0.3, 0.3, 0), Vec3(0, 0.3, 0)};
    constexpr std::array<std::array<uint32_t, 3>, 4> kCap{{{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}};
    TriMesh mesh;
    for (const double z : {0.0, 0.3}) {
        for (const Vec3& corner : outline) mesh.positions.push_back(corner + Vec3(0, 0, z));
    }
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
        mesh.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
    };
    for (const auto& [a, b, c] : kCap) {
        add(a, c, b);
        add(a + 6, b + 6, c + 6);
    }
    for (uint32_t i = 0; i < 6; ++i) {
        const uint32_t next = (i + 1) % 6;
        add(i, next, next + 6);
        add(i, next + 6, i + 6);
    }
    return mesh;
}

TEST(TetFilling, WallsFarThinnerThanTheMeanAreFilledWithLinearTetsThatCanBeSolvedInTime) {
    FillingOptions options;
    options.tets = 4000;
    Solid solid;
    solid.geometry = makeSolid(footWithThinWall());
    ASSERT_TRUE(isClosedManifold(solid.mesh(), MeshTopology(solid.mesh())));
    solid.wholeVolume = solid.volume();
    solid.mass = 2400 * solid.wholeVolume;
    const TetFilling body = fillWithTets(solid, options);
    EXPECT_GT(volume(body.tets), 0.9 * solid.wholeVolume);
    EXPECT_GT(body.tets.tetCount(), 20'000u);
    EXPECT_EQ(body.order, stress::ElementOrder::Linear);

    options.elements = ElementChoice::Quadratic;  // as asked for, but not eight times as many as asked for
    const TetFilling quadratic = fillWithTets(solid, options);
    EXPECT_EQ(quadratic.order, stress::ElementOrder::Quadratic);
    EXPECT_LT(quadratic.tets.tetCount(), 12'000u);
}

}  // namespace
}  // namespace sunder::fracture
