#include "geometry/repair/wall_thickness.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TriMesh slab(double thickness) {
    TriMesh mesh;
    for (const double z : {0.0, thickness}) {
        for (const double y : {0.0, 1.0}) {
            for (const double x : {0.0, 1.0}) mesh.positions.push_back(Vec3(x, y, z));
        }
    }
    for (const auto& [a, b, c, d] :
         {std::array{0u, 2u, 3u, 1u}, std::array{4u, 5u, 7u, 6u}, std::array{0u, 1u, 5u, 4u},
          std::array{2u, 6u, 7u, 3u}, std::array{0u, 4u, 6u, 2u}, std::array{1u, 3u, 7u, 5u}}) {
        const auto v = [](uint32_t i) { return static_cast<VertexIndex>(i); };
        mesh.triangles.push_back({v(a), v(b), v(c)});
        mesh.triangles.push_back({v(a), v(c), v(d)});
    }
    return mesh;
}

TEST(WallThickness, OfASlabIsItsThickness) {
    for (const double thickness : {1e-6, 1e-3, 0.1}) {
        const WallThickness wall = wallThickness(slab(thickness));
        ASSERT_TRUE(wall.known());
        EXPECT_NEAR(wall.thinnest, thickness, 1e-6 * thickness + 1e-12);
        EXPECT_NEAR(std::abs(wall.inward.z()), 1, 1e-12);
    }
}

TEST(WallThickness, OfNothingIsUnknown) { EXPECT_FALSE(wallThickness(TriMesh{}).known()); }

}  // namespace
}  // namespace sunder
