#include "geometry/grid/grid_mass.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

constexpr double kPi = 3.14159265358979323846;

template <class Field>
DistanceGrid gridOf(const GridFrame& frame, Field&& field) {
    DistanceGrid grid(frame);
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i)
                grid.at(i, j, k) = static_cast<float>(field(frame.position(i, j, k)));
        }
    }
    return grid;
}

/// A ball of radius 1 with the given number of cells across it, its centre off the lattice.
MassProperties massOfBall(int cellsAcross, double scale = 1) {
    const double cell = 2.0 / cellsAcross;
    const Vec3 centre = cell * Vec3(0.31, 0.17, -0.44);
    const GridFrame frame = alignedFrame({Vec3::Constant(-scale), Vec3::Constant(scale)}, scale * cell, 3);
    return massProperties(gridOf(frame, [&](const Vec3& p) { return (p - scale * centre).norm() - scale; }));
}

TEST(GridMass, BallOfTwentyCellsIsRightToATenthOfAPercent) {
    const MassProperties ball = massOfBall(20);
    EXPECT_NEAR(ball.volume / (4 * kPi / 3), 1, 1e-3);
    EXPECT_NEAR((ball.centre - 0.1 * Vec3(0.31, 0.17, -0.44)).norm(), 0, 1e-4);
    const double inertia = 0.4 * 4 * kPi / 3;
    EXPECT_NEAR(ball.inertia.xx / inertia, 1, 2e-3);
    EXPECT_NEAR(ball.inertia.yy / inertia, 1, 2e-3);
    EXPECT_NEAR(ball.inertia.zz / inertia, 1, 2e-3);
    EXPECT_NEAR(ball.inertia.xy / inertia, 0, 1e-3);
}

TEST(GridMass, ErrorFallsQuicklyWithTheCellSize) {
    const double coarse = std::abs(massOfBall(10).volume / (4 * kPi / 3) - 1);
    const double fine = std::abs(massOfBall(40).volume / (4 * kPi / 3) - 1);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_LT(fine, 1e-4);
    EXPECT_LT(fine, coarse / 16);
}

TEST(GridMass, DoesNotDependOnScale) {
    for (const double scale : {1e-9, 1e9}) {
        const MassProperties ball = massOfBall(20, scale);
        EXPECT_NEAR(ball.volume / std::pow(scale, 3) / massOfBall(20).volume, 1, 1e-6);
        EXPECT_NEAR(ball.inertia.xx / std::pow(scale, 5) / massOfBall(20).inertia.xx, 1, 1e-6);
    }
}

TEST(GridMass, HalfSpaceInABoxIsExact) {
    const GridFrame frame{Vec3(1, 2, 3), 0.25, {9, 9, 9}};
    const Vec3 normal = Vec3(1, 2, -0.5).normalized();
    const Vec3 middle = frame.bounds().centre();
    const MassProperties half = massProperties(gridOf(frame, [&](const Vec3& p) { return normal.dot(p - middle); }));
    EXPECT_NEAR(half.volume, 4, 1e-5);  // half of 2 x 2 x 2, by symmetry
}

TEST(GridMass, LatticeAlignedBoxIsExact) {
    const GridFrame frame{Vec3::Constant(-2), 0.25, {17, 17, 17}};
    const MassProperties box =
        massProperties(gridOf(frame, [](const Vec3& p) { return std::abs(p.x() - 0.1) - 1.03; }));
    EXPECT_NEAR(box.volume, 2.06 * 16, 1e-4);
    EXPECT_NEAR(box.centre.x(), 0.1, 1e-6);
    EXPECT_NEAR(box.inertia.yy, 2.06 * 16 * (2.06 * 2.06 + 16) / 12, 1e-3);
}

TEST(GridMass, MatchesThePolyhedralIntegralsOfMeshes) {
    for (const char* name : {"models/bunny_5k.obj", "models/ornament_hollow_10k.obj"}) {
        SUNDER_LOAD_MODEL(mesh, name);
        const MassProperties exact = massProperties(mesh);
        const MassProperties grid = massProperties(gridFromMesh(mesh, cellSizeFor(mesh, 100)));
        const double size = boundsOf(mesh).diagonal();
        EXPECT_NEAR(grid.volume / exact.volume, 1, 6e-3) << name;  // the ornament's wall is a cell and a half
        EXPECT_NEAR((grid.centre - exact.centre).norm() / size, 0, 1e-4) << name;
        EXPECT_NEAR((grid.inertia.matrix() - exact.inertia.matrix()).norm() / exact.inertia.matrix().norm(), 0, 1.2e-2)
            << name;
    }
}

TEST(GridMass, NothingInsideHasNoVolume) {
    EXPECT_EQ(massProperties(DistanceGrid()).volume, 0);
    EXPECT_EQ(massProperties(DistanceGrid(GridFrame{Vec3::Zero(), 1, {5, 5, 5}}, 2)).volume, 0);
    EXPECT_EQ(
        massProperties(DistanceGrid(GridFrame{Vec3::Zero(), 1, {5, 5, 5}}, std::numeric_limits<float>::infinity()))
            .volume,
        0);
    EXPECT_NEAR(massProperties(DistanceGrid(GridFrame{Vec3::Zero(), 1, {5, 5, 5}}, -2)).volume, 64, 1e-12);
}

TEST(GridMass, SameBitsForAnyNumberOfThreads) {
    const MassProperties all = massOfBall(30);
    const ThreadLimit one(1);
    const MassProperties alone = massOfBall(30);
    EXPECT_EQ(all.volume, alone.volume);
    EXPECT_EQ(all.centre, alone.centre);
    EXPECT_EQ(all.inertia, alone.inertia);
}

}  // namespace
}  // namespace sunder
