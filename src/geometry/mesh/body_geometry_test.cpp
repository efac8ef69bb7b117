#include "geometry/mesh/body_geometry.h"

#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

/// A square in the plane y = 0, of n by n cells.
TriMesh sheet(double size, uint32_t n) {
    TriMesh mesh;
    const double step = size / n;
    for (uint32_t i = 0; i <= n; ++i) {
        for (uint32_t j = 0; j <= n; ++j) mesh.positions.push_back({step * i - 0.3 * size, 0, step * j + 7});
    }
    const auto at = [&](uint32_t i, uint32_t j) { return VertexIndex{i * (n + 1) + j}; };
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
        }
    }
    return mesh;
}

TEST(BodyGeometry, ASheetWeighsWhatTheThinBoxDoes) {
    const double size = 2, h = 0.3;
    for (const uint32_t n : {1u, 5u}) {
        const BodyGeometry shell(sheet(size, n), Shell{h});
        EXPECT_NEAR(shell.volume(), size * size * h, 1e-14);
        EXPECT_NEAR((shell.mass().centre - Vec3(0.2 * size, 0, 7 + 0.5 * size)).norm(), 0, 1e-13);
        // a box of sides a, b, c has V (b^2 + c^2) / 12 about the axis of a
        const double across = shell.volume() * (size * size + h * h) / 12;
        EXPECT_NEAR(shell.mass().inertia.xx, across, 1e-13);
        EXPECT_NEAR(shell.mass().inertia.zz, across, 1e-13);
        EXPECT_NEAR(shell.mass().inertia.yy, shell.volume() * 2 * size * size / 12, 1e-13);
        EXPECT_NEAR(shell.mass().inertia.xy, 0, 1e-13);
    }
}

TEST(BodyGeometry, AClosedShellWeighsWhatTheHollowBallDoes) {
    const double radius = 0.5, h = 0.01;
    const BodyGeometry shell(makeShape("sphere", {{"radius", radius}}, 256), Shell{h});
    const double pi = std::numbers::pi;
    const double outer = radius + h / 2, inner = radius - h / 2;
    const auto power = [](double x, int n) { return std::pow(x, n); };
    EXPECT_NEAR(shell.volume() / (4 * pi / 3 * (power(outer, 3) - power(inner, 3))), 1, 3e-4);
    const double inertia = 8 * pi / 15 * (power(outer, 5) - power(inner, 5));
    EXPECT_NEAR(shell.mass().inertia.xx / inertia, 1, 6e-4);
    EXPECT_NEAR(shell.mass().inertia.yy / inertia, 1, 6e-4);
}

TEST(BodyGeometry, ASolidIsFull) {
    const BodyGeometry solid(makeShape("box", {{"width", 2}, {"height", 3}, {"depth", 4}}, 8));
    EXPECT_EQ(solid.shell(), nullptr);
    EXPECT_NEAR(solid.volume(), 24, 1e-12);
    EXPECT_EQ(solid.volume(), volume(solid.mesh()));  // the same bits: hashes of runs have it
    EXPECT_EQ(makeShell(sheet(1, 2), {0.002})->shell()->thickness, 0.002);
}

TEST(BodyGeometry, AThicknessIsPositiveAndFinite) {
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL})
        EXPECT_THROW(BodyGeometry(sheet(1, 1), Shell{bad}), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace sunder
