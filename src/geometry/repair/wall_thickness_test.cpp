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

TEST(WallThickness, SurfacesInsideOverlapsAreNoWalls) {
    // two slabs of 0.1 that overlap in a layer of 0.001 are one of 0.199
    TriMesh mesh = slab(0.1), second = slab(0.1);
    for (Vec3& p : second.positions) p.z() += 0.099;
    append(mesh, second);
    EXPECT_NEAR(wallThickness(mesh).thinnest, 0.199, 1e-9);
}

/// A slab whose top leans from `thick` at x = 0 to `thin` at x = 1.
TriMesh taper(double thick, double thin) {
    TriMesh mesh = slab(1);
    for (Vec3& p : mesh.positions) p.z() *= p.x() == 0 ? thick : thin;
    return mesh;
}

TEST(WallThickness, OfABladeIsItsBluntEdgeNotItsSharpOne) {
    // sharp: nothing thinner than the shallow sides' own length is a wall
    const WallThickness sharp = wallThickness(taper(0.2, 1e-7), {.percentile = 0});
    EXPECT_TRUE(!sharp.known() || sharp.thinnest > 0.05) << sharp.thinnest;
    const WallThickness blunt = wallThickness(taper(0.2, 0.1), {.percentile = 0});
    EXPECT_NEAR(blunt.thinnest, 0.1, 0.01);
}

TEST(WallThickness, OfNothingIsUnknown) { EXPECT_FALSE(wallThickness(TriMesh{}).known()); }

}  // namespace
}  // namespace sunder
