// Where the surface is, and that creases stay sharp. Distances are in cells unless a unit is given.
#include <gtest/gtest.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/surface/detail/test_solids.h"
#include "geometry/surface/isosurface.h"

namespace sunder {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;
constexpr double kHalfSide = 1.9;  // m, of the grid's cube

struct Line {
    Vec3 from, to;
};

std::vector<Line> boxEdges(const Vec3& half) {
    std::vector<Line> lines;
    for (int axis = 0; axis < 3; ++axis) {
        for (int s = 0; s < 4; ++s) {
            Vec3 from;
            from[(axis + 1) % 3] = (s % 2 == 0 ? -1 : 1) * half[(axis + 1) % 3];
            from[(axis + 2) % 3] = (s / 2 == 0 ? -1 : 1) * half[(axis + 2) % 3];
            from[axis] = -half[axis];
            Vec3 to = from;
            to[axis] = half[axis];
            lines.push_back({from, to});
        }
    }
    return lines;
}

std::vector<Line> prismEdges(const std::vector<Vec2>& polygon, double halfHeight) {
    std::vector<Line> lines;
    const auto at = [&](size_t i, double z) {
        const Vec2& p = polygon[i % polygon.size()];
        return Vec3(p.x(), p.y(), z);
    };
    for (size_t i = 0; i < polygon.size(); ++i) {
        lines.push_back({at(i, halfHeight), at(i + 1, halfHeight)});
        lines.push_back({at(i, -halfHeight), at(i + 1, -halfHeight)});
        lines.push_back({at(i, -halfHeight), at(i, halfHeight)});
    }
    return lines;
}

std::vector<Line> circle(double radius, double z, int parts) {
    std::vector<Line> points;
    for (int i = 0; i < parts; ++i) {
        const double angle = 2 * kPi * i / parts;
        const Vec3 p(radius * std::cos(angle), radius * std::sin(angle), z);
        points.push_back({p, p});
    }
    return points;
}

struct CreaseCheck {
    Error crease;   // of the mesh at points of the true creases
    Error surface;  // of points all over the mesh
    double volume = 0;
};

CreaseCheck checkCreases(const Solid& solid, const std::vector<Line>& creases, const RigidTransform& pose, int cells,
                         const IsosurfaceOptions& options = {}) {
    const Solid placed = moved(solid, pose);
    const TriMesh mesh = isosurface(gridOf(placed, kHalfSide, cells), options);
    EXPECT_TRUE(isClosedManifold(mesh));
    const double h = 2 * kHalfSide / cells;
    CreaseCheck check;
    for (const Line& line : creases) {
        const int samples = line.from == line.to ? 0 : 40;
        for (int i = 0; i <= samples; ++i) {
            const Vec3 p = line.from + (line.to - line.from) * i / std::max(samples, 1);
            check.crease.add(distanceTo(mesh, pose * p) / h);
        }
    }
    check.surface = surfaceError(mesh, [&](const Vec3& p) { return placed(p) / h; });
    check.volume = volume(mesh);
    return check;
}

const Vec3 kHalf(1, 0.8, 0.6);

TEST(IsosurfaceCreases, BoxOnTheLatticeIsExact) {
    const CreaseCheck check = checkCreases(box(Vec3::Constant(0.95)), boxEdges(Vec3::Constant(0.95)), {}, 38);
    EXPECT_LT(check.crease.max, 1e-5);
    EXPECT_LT(check.surface.max, 1e-5);
    EXPECT_NEAR(check.volume, std::pow(1.9, 3), 1e-5);
}

TEST(IsosurfaceCreases, BoxBesideTheLatticeIsNearlyExact) {
    const CreaseCheck check = checkCreases(box(kHalf), boxEdges(kHalf), {}, 32);
    EXPECT_LT(check.crease.rms, 0.001);
    EXPECT_LT(check.surface.max, 0.01);
    EXPECT_NEAR(check.volume, 3.84, 0.001);
}

TEST(IsosurfaceCreases, TurnedBoxKeepsEdgesAndCorners) {
    for (const int cells : {24, 32, 48}) {
        const CreaseCheck check = checkCreases(box(kHalf), boxEdges(kHalf), oddPose(), cells);
        EXPECT_LT(check.crease.rms, 0.03) << cells;
        EXPECT_LT(check.crease.max, 0.3) << cells;
        EXPECT_LT(check.surface.rms, 0.005) << cells;
        EXPECT_NEAR(check.volume / 3.84, 1, 2e-4) << cells;
    }
}

TEST(IsosurfaceCreases, WithoutThemATurnedBoxIsRounded) {
    const CreaseCheck check =
        checkCreases(box(kHalf), boxEdges(kHalf), oddPose(), 32, {.keepCreases = false, .normalAt = {}});
    EXPECT_GT(check.crease.rms, 0.3);
    EXPECT_LT(check.crease.max, 1.2);
}

TEST(IsosurfaceCreases, LShapeHasConcaveEdgesToo) {
    for (const int cells : {24, 48}) {
        const CreaseCheck check = checkCreases(prism(lShape(), 0.5), prismEdges(lShape(), 0.5), oddPose(), cells);
        EXPECT_LT(check.crease.rms, 0.08) << cells;
        EXPECT_LT(check.surface.rms, 0.02) << cells;
        EXPECT_NEAR(check.volume / 2.56, 1, 2e-3) << cells;
    }
}

TEST(IsosurfaceCreases, CylinderKeepsItsRims) {
    std::vector<Line> rims = circle(1, 0.7, 60), lower = circle(1, -0.7, 60);
    rims.insert(rims.end(), lower.begin(), lower.end());
    for (const int cells : {24, 48}) {
        const CreaseCheck check = checkCreases(cylinder(1, 0.7), rims, oddPose(), cells);
        EXPECT_LT(check.crease.rms, 0.07) << cells;
        EXPECT_LT(check.surface.rms, 0.02) << cells;
        EXPECT_NEAR(check.volume / (1.4 * kPi), 1, 6e-3) << cells;
    }
}

TEST(IsosurfaceCreases, GivenNormalsAreUsed) {
    const RigidTransform pose = oddPose();
    const DistanceGrid grid = gridOf(moved(box(kHalf), pose), kHalfSide, 24);
    const auto trueNormal = [&](const Vec3& p) {
        const Vec3 q = (pose.inverse() * p).cwiseQuotient(kHalf);
        int axis = 0;
        q.cwiseAbs().maxCoeff(&axis);
        return Vec3(pose.rotation * (Vec3::Unit(axis) * (q[axis] < 0 ? -1 : 1)));
    };
    const TriMesh mesh = isosurface(grid, {.normalAt = trueNormal});
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_NEAR(volume(mesh) / 3.84, 1, 3e-3);

    // normals that are wrong everywhere spoil the creases, so they are not ignored
    const TriMesh spoilt = isosurface(grid, {.normalAt = [](const Vec3& p) { return Vec3(p.normalized()); }});
    EXPECT_TRUE(isClosedManifold(spoilt));
    EXPECT_GT(std::abs(volume(spoilt) - volume(mesh)) / 3.84, 1e-3);
}

/// log2 of the error's drop.
double order(double coarse, double fine) { return std::log2(coarse / fine); }

void expectSecondOrder(const Solid& solid, double trueVolume, int genusWanted) {
    std::vector<double> surfaceRms, volumeError;
    for (const int cells : {48, 96, 144}) {  // curvature radii of 10 cells and more
        const TriMesh mesh = isosurface(gridOf(solid, kHalfSide, cells));
        ASSERT_TRUE(isClosedManifold(mesh));
        EXPECT_EQ(genus(mesh, MeshTopology(mesh)), genusWanted);
        surfaceRms.push_back(surfaceError(mesh, solid).rms);
        volumeError.push_back(std::abs(volume(mesh) / trueVolume - 1));
    }
    EXPECT_GT(order(surfaceRms[0], surfaceRms[2]) / std::log2(3), 1.85);
    EXPECT_GT(order(volumeError[0], volumeError[2]) / std::log2(3), 1.75);
    EXPECT_LT(volumeError[2], 1e-3);
}

TEST(IsosurfaceAccuracy, SphereIsSecondOrder) { expectSecondOrder(sphere(1.2), 4 * kPi / 3 * std::pow(1.2, 3), 0); }

TEST(IsosurfaceAccuracy, TorusIsSecondOrderAndHasAHole) {
    expectSecondOrder(moved(torus(1.0, 0.7), oddPose()), 2 * kPi * kPi * 1.0 * 0.49, 1);
}

TEST(IsosurfaceAccuracy, VerticesLieOnSmoothSurfaces) {
    const Solid solid = sphere(1.2);
    const DistanceGrid grid = gridOf(solid, kHalfSide, 64);
    Error error;
    for (const Vec3& p : isosurface(grid).positions) error.add(solid(p) / grid.frame().cellSize);
    EXPECT_LT(error.max, 0.02);
    EXPECT_LT(error.rms, 0.003);
}

TEST(IsosurfaceAccuracy, GyroidIsNoDistanceButFine) {
    const auto gyroid = [](const Vec3& p) {
        const Vec3 q = 4 * p;
        const double wave =
            std::sin(q.x()) * std::cos(q.y()) + std::sin(q.y()) * std::cos(q.z()) + std::sin(q.z()) * std::cos(q.x());
        return std::max(wave / 6, p.norm() - 1.6);
    };
    const TriMesh mesh = isosurface(gridOf(gyroid, kHalfSide, 64));
    EXPECT_TRUE(isClosedManifold(mesh));
    Error error;
    for (const Vec3& p : mesh.positions) error.add(gyroid(p));
    EXPECT_LT(error.rms, 0.005);
    // a gyroid halves space
    EXPECT_NEAR(volume(mesh), 0.5 * 4 * kPi / 3 * std::pow(1.6, 3), 0.1 * std::pow(1.6, 3));
}

/// Every triangle marked inside lies on b, every other on a.
void expectMarksRight(const TriMesh& mesh, const Solid& a, const Solid& b, double tolerance) {
    ASSERT_EQ(mesh.inside.size(), mesh.triangleCount());
    Error marked, unmarked;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [p, q, r] = mesh.corners(t);
        const Vec3 middle = (p + q + r) / 3;
        (mesh.inside[t] != 0 ? marked : unmarked).add(mesh.inside[t] != 0 ? b(middle) : a(middle));
    }
    EXPECT_GT(marked.count, 50u);
    EXPECT_GT(unmarked.count, 50u);
    EXPECT_LT(marked.rms, tolerance);
    EXPECT_LT(unmarked.rms, tolerance);
}

TEST(IsosurfaceIntersection, SphereCutBySlab) {
    const Solid ball = sphere(1.3);
    const Solid slab = moved([](const Vec3& p) { return std::abs(p.z()) - 0.5; }, oddPose());
    const int cells = 48;
    const double h = 2 * kHalfSide / cells;
    const TriMesh mesh = isosurfaceOfIntersection(gridOf(ball, kHalfSide, cells), gridOf(slab, kHalfSide, cells));
    ASSERT_TRUE(isClosedManifold(mesh));
    expectMarksRight(mesh, ball, slab, 0.03 * h);

    // the rim where ball and slab's upper plane meet, in the slab's frame
    const RigidTransform pose = oddPose();
    const Vec3 centre = pose.inverse() * Vec3::Zero();
    Error rim;
    for (int i = 0; i < 100; ++i) {
        const double radius = std::sqrt(1.69 - std::pow(0.5 - centre.z(), 2)), angle = 2 * kPi * i / 100;
        const Vec3 p(centre.x() + radius * std::cos(angle), centre.y() + radius * std::sin(angle), 0.5);
        rim.add(distanceTo(mesh, pose * p) / h);
    }
    EXPECT_LT(rim.rms, 0.1);
}

TEST(IsosurfaceIntersection, TwoTurnedBoxes) {
    const RigidTransform other{Quat(0.9, -0.2, 0.3, 0.25).normalized(), Vec3(0.7, 0.4, 0.3)};
    const Solid a = moved(box(kHalf), oddPose()), b = moved(box(kHalf), other);
    const auto both = [&](const Vec3& p) { return std::max(a(p), b(p)); };
    std::vector<double> volumes;
    for (const int cells : {32, 64}) {
        const TriMesh mesh = isosurfaceOfIntersection(gridOf(a, kHalfSide, cells), gridOf(b, kHalfSide, cells));
        ASSERT_TRUE(isClosedManifold(mesh));
        EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 0);
        const double h = 2 * kHalfSide / cells;
        EXPECT_LT(surfaceError(mesh, both).rms, 0.03 * h);
        expectMarksRight(mesh, a, b, 0.05 * h);
        volumes.push_back(volume(mesh));
    }
    EXPECT_NEAR(volumes[0] / volumes[1], 1, 3e-3);
}

TEST(IsosurfaceIntersection, WithEverythingIsTheThingItself) {
    const DistanceGrid grid = gridOf(moved(box(kHalf), oddPose()), kHalfSide, 24);
    const DistanceGrid everything(grid.frame(), -100);
    const TriMesh alone = isosurface(grid), cut = isosurfaceOfIntersection(grid, everything);
    EXPECT_EQ(alone.positions, cut.positions);
    EXPECT_EQ(alone.triangles, cut.triangles);
    for (const uint8_t inside : cut.inside) EXPECT_EQ(inside, 0);
}

}  // namespace
}  // namespace sunder
