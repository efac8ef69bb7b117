// Where walls and creases are.
#include "geometry/surface/labelled_surface.h"

#include <gtest/gtest.h>

#include "geometry/surface/detail/labelled_checks.h"

namespace sunder {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;

/// Vertices of triangles on walls, and of those on the solid's surface: those that are both are the crease.
struct Creases {
    std::vector<Vec3> points;
    size_t wallVertices = 0;
};
Creases creasesOf(const TriMesh& mesh) {
    IndexedVector<VertexIndex, uint8_t> seen(mesh.vertexCount(), 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const unsigned kind = mesh.inside[t] != 0 ? 1 : 2;
        for (const VertexIndex v : mesh.triangles[t]) seen[v] = static_cast<uint8_t>(seen[v] | kind);
    }
    Creases creases;
    for (const VertexIndex v : seen.indices()) {
        if (seen[v] == 3) creases.points.push_back(mesh.positions[v]);
        creases.wallVertices += seen[v] == 1 ? 1 : 0;
    }
    return creases;
}

/// Distance of wall vertices from where they should be.
Error wallError(const TriMesh& mesh, const Solid& wall) {
    Error error;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (mesh.inside[t] == 0) continue;
        for (const Vec3& p : mesh.corners(t)) error.add(wall(p));
    }
    return error;
}

TEST(LabelledSurface, HalvesOfASphere) {
    const Vec3 normal = Vec3(0.3, 0.5, 0.8).normalized();
    const auto plane = [&](const Vec3& p) { return normal.dot(p); };
    for (const int cells : {48, 96}) {
        const double h = 2.4 / cells;
        const Labelled ball = labelled(gridOf(sphere(1), 1.2, cells), 2,
                                       [&](const Vec3& p, uint32_t r) { return r == 0 ? -plane(p) : plane(p); });
        const std::vector<LabelledPiece> pieces = ball.pieces();
        ASSERT_EQ(pieces.size(), 2u);
        const double whole = expectPiecesFit(pieces).volume;
        EXPECT_NEAR(whole / (4 * kPi / 3), 1, cells < 60 ? 1.5e-3 : 1e-3);
        for (const LabelledPiece& piece : pieces) {
            EXPECT_NEAR(volume(piece.mesh) / (2 * kPi / 3), 1, 5e-3);
            const Creases creases = creasesOf(piece.mesh);
            EXPECT_GT(creases.points.size(), static_cast<size_t>(2 * kPi / h));
            Error fromSphere, fromPlane;
            for (const Vec3& p : creases.points) {
                fromSphere.add((p.norm() - 1) / h);
                fromPlane.add(plane(p) / h);
            }
            EXPECT_LT(fromSphere.max, 0.02) << cells;
            EXPECT_LT(fromPlane.max, 0.05) << cells;
            EXPECT_LT(fromPlane.rms, 0.003) << cells;
            EXPECT_LT(wallError(piece.mesh, plane).rms / h, 0.006) << cells;
        }
    }
}

TEST(LabelledSurface, ReachMakesRimsSharp) {
    const Vec3 normal = Vec3(0.3, 0.5, 0.8).normalized();
    const auto plane = [&](const Vec3& p) { return normal.dot(p); };
    const Labelled ball = labelled(gridOf(sphere(1), 1.2, 48), 2,
                                   [&](const Vec3& p, uint32_t r) { return r == 0 ? -plane(p) : plane(p); });
    const auto error = [&](double reach) {
        const std::vector<LabelledPiece> pieces = ball.pieces({.creaseReach = reach, .normalAt = {}});
        expectPiecesFit(pieces);
        Error rim;
        for (const Vec3& p : creasesOf(pieces[0].mesh).points) rim.add(plane(p) / 0.05);
        return rim.rms;
    };
    EXPECT_GT(error(0), 10 * error(0.5));
}

TEST(LabelledSurface, OctantsOfABoxAreSharp) {
    // walls between lattice points, and the box turned against nothing: eight boxes of known size
    const Vec3 half(1, 0.8, 0.6), cut(0.137, -0.061, 0.083);
    const Labelled octants = labelled(gridOf(box(half), 1.3, 52), 8, [&](const Vec3& p, uint32_t r) {
        const Vec3 q = p - cut;
        return (r & 1U ? -q.x() : q.x()) + (r & 2U ? -q.y() : q.y()) + (r & 4U ? -q.z() : q.z());
    });
    const std::vector<LabelledPiece> pieces = octants.pieces();
    ASSERT_EQ(pieces.size(), 8u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume, 8 * half.prod(), 4e-3);
    for (const LabelledPiece& piece : pieces) {
        Vec3 low, high;
        for (int axis = 0; axis < 3; ++axis) {
            const bool upper = (piece.label >> axis & 1U) != 0;
            low[axis] = upper ? cut[axis] : -half[axis];
            high[axis] = upper ? half[axis] : cut[axis];
        }
        EXPECT_NEAR(volume(piece.mesh) / (high - low).prod(), 1, 2e-3) << piece.label;
        // all eight corners and twelve edges are there
        const double h = octants.solid.frame().cellSize;
        Error edges;
        for (int e = 0; e < 12; ++e) {
            Vec3 from, to;
            for (int axis = 0; axis < 3; ++axis) {
                const int bit = axis == e / 4 ? 0 : (e >> ((axis + 2 - e / 4) % 3) & 1);
                from[axis] = bit != 0 ? high[axis] : low[axis];
                to[axis] = axis == e / 4 ? high[axis] : from[axis];
            }
            const Error error = lineError(piece.mesh, from, to, 20);
            edges.add(error.max / h);
        }
        EXPECT_LT(edges.max, 0.05) << piece.label;
    }
}

TEST(LabelledSurface, TurnedOctantsStaySharp) {
    const RigidTransform pose = oddPose();
    const Labelled octants =
        labelled(gridOf(moved(box({1, 0.8, 0.6}), pose), 1.6, 64), 8, [&](const Vec3& p, uint32_t r) {
            const Vec3 q = pose.inverse() * p;
            return (r & 1U ? -q.x() : q.x()) + (r & 2U ? -q.y() : q.y()) + (r & 4U ? -q.z() : q.z());
        });
    const std::vector<LabelledPiece> pieces = octants.pieces({.fewestCells = 4, .normalAt = {}});
    ASSERT_EQ(pieces.size(), 8u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume / 3.84, 1, 1e-3);
    for (const LabelledPiece& piece : pieces) {
        EXPECT_NEAR(volume(piece.mesh) / 0.48, 1, 3e-3);
        EXPECT_LT(lineError(piece.mesh, pose.translation, pose.translation, 1).max / 0.05, 0.02);
    }
}

TEST(LabelledSurface, CylinderInABox) {
    const double radius = 0.5;
    const auto wall = [&](const Vec3& p) { return Vec2(p.x() - 0.02, p.y() + 0.03).norm() - radius; };
    const Labelled regions = labelled(gridOf(box({0.9, 0.8, 0.7}), 1, 50), 2,
                                      [&](const Vec3& p, uint32_t r) { return r == 0 ? wall(p) : -wall(p); });
    const std::vector<LabelledPiece> pieces = regions.pieces();
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume / (8 * 0.9 * 0.8 * 0.7), 1, 1e-3);
    EXPECT_NEAR(volume(pieces[0].mesh) / (kPi * radius * radius * 1.4), 1, 3e-3);
    EXPECT_EQ(genus(pieces[0].mesh, MeshTopology(pieces[0].mesh)), 0);
    EXPECT_EQ(genus(pieces[1].mesh, MeshTopology(pieces[1].mesh)), 1);
    const double h = 0.04;
    Error rim;
    for (const Vec3& p : creasesOf(pieces[0].mesh).points) {
        rim.add(wall(p) / h);
        rim.add((std::abs(p.z()) - 0.7) / h);
    }
    EXPECT_LT(rim.max, 0.02);
}

TEST(LabelledSurface, WallWithACreaseOfItsOwn) {
    // a turned box of one region within another: its edges are creases between the same two
    const Solid core = moved(box({0.5, 0.4, 0.45}), oddPose());
    const Labelled regions = labelled(gridOf(sphere(0.95), 1.1, 44), 2,
                                      [&](const Vec3& p, uint32_t r) { return r == 0 ? core(p) : -core(p); });
    const std::vector<LabelledPiece> pieces = regions.pieces();
    ASSERT_EQ(pieces.size(), 2u);
    expectPiecesFit(pieces);
    EXPECT_NEAR(volume(pieces[0].mesh) / (8 * 0.5 * 0.4 * 0.45), 1, 4e-3);
}

TEST(LabelledSurface, NoisyVoronoiInASphereAndATorus) {
    const RegionDistance regions = noisyVoronoi(30, 0.9, 0.04, 11);
    const Labelled ball = labelled(gridOf(sphere(1), 1.1, 55), 30, regions);
    const std::vector<LabelledPiece> pieces = ball.pieces();
    EXPECT_GE(pieces.size(), 25u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume / (4 * kPi / 3), 1, 1.2e-3);
    // walls are where two regions are equally far
    Error error;
    for (const LabelledPiece& piece : pieces) {
        for (const TriangleIndex t : piece.mesh.triangles.indices()) {
            if (piece.mesh.inside[t] == 0) continue;
            for (const Vec3& p : piece.mesh.corners(t)) {
                double other = 1e300;
                for (uint32_t r = 0; r < 30; ++r) {
                    if (r != piece.label) other = std::min(other, regions(p, r));
                }
                error.add((regions(p, piece.label) - other) / 0.04);
            }
        }
    }
    EXPECT_LT(error.rms, 0.03);  // cells

    const Labelled ring = labelled(gridOf(moved(torus(0.7, 0.3), oddPose()), 1.1, 60), 30, regions);
    const std::vector<LabelledPiece> parts = ring.pieces({.fewestCells = 20, .normalAt = {}});
    EXPECT_GE(parts.size(), 15u);
    EXPECT_NEAR(expectPiecesFit(parts).volume / (2 * kPi * kPi * 0.7 * 0.09), 1, 5e-3);
}

TEST(LabelledSurface, ThinPlate) {
    const double h = 0.01;
    const GridFrame frame = alignedFrame({Vec3(-0.75, -0.05, -0.5), Vec3(0.75, 0.05, 0.5)}, h, 3);
    DistanceGrid grid(frame);
    const Solid plate = box({0.75, 0.05, 0.5});
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i) {
                grid.at(i, j, k) = static_cast<float>(plate(frame.position(i, j, k)));
            }
        }
    }
    const Labelled regions = labelled(std::move(grid), 25, noisyVoronoi(25, 0.6, 0.02, 5));
    const std::vector<LabelledPiece> pieces = regions.pieces({.fewestCells = 8, .normalAt = {}});
    EXPECT_GE(pieces.size(), 8u);
    EXPECT_NEAR(expectPiecesFit(pieces).volume / (1.5 * 0.1 * 1.0), 1, 1e-3);
}

TEST(LabelledSurface, WallsWithoutADifferenceAreSmoothed) {
    const Vec3 normal = Vec3(0.2, 0.3, 0.9).normalized();
    const auto plane = [&](const Vec3& p) { return normal.dot(p); };
    Labelled ball{gridOf(sphere(1), 1.2, 48), {}, {}};
    ball.labels = labelsOn(ball.solid.frame(), [&](const Vec3& p) { return plane(p) > 0 ? 1u : 0u; });
    const std::vector<LabelledPiece> smooth = ball.pieces(),
                                     steps = ball.pieces({.smoothingRounds = 0, .normalAt = {}});
    ASSERT_EQ(smooth.size(), 2u);
    expectPiecesFit(smooth);
    expectPiecesFit(steps);
    // how far walls turn away from the plane
    const auto tilt = [&](const TriMesh& mesh) {
        double lost = 0, area = 0;
        for (const TriangleIndex t : mesh.triangles.indices()) {
            if (mesh.inside[t] == 0) continue;
            const Vec3 n = mesh.areaVector(t);
            lost += n.norm() - std::abs(n.dot(normal));
            area += n.norm();
        }
        return lost / area;
    };
    EXPECT_GT(tilt(steps[0].mesh), 0.04);
    EXPECT_LT(tilt(smooth[0].mesh), 0.2 * tilt(steps[0].mesh));
    EXPECT_LT(wallError(smooth[0].mesh, plane).rms / 0.05, 0.3);
    Error crease;
    for (const Vec3& p : creasesOf(smooth[0].mesh).points) crease.add((p.norm() - 1) / 0.05);
    EXPECT_LT(crease.max, 0.02);
}

}  // namespace
}  // namespace sunder
