#include "geometry/grid/mesh_to_grid.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/tree/test_meshes.h"
#include "geometry/tree/triangle_tree.h"
#include "geometry/tree/winding_number.h"

namespace sunder {
namespace {

struct FarError {
    double worst = 0;     // cells
    double mean = 0;      // cells
    double shortest = 0;  // cells; how far below the true distance
};

/// Compares a grid with exact distances from the tree (itself equal to brute force, see triangle_tree_test) at every
/// `stride`-th point: in the band to 1e-6 cells, beyond it statistics.
FarError expectExactBand(const TriMesh& mesh, const DistanceGrid& grid, double bandCells, size_t stride,
                         double tolerance = 1e-6) {
    const GridFrame& frame = grid.frame();
    const TriangleTree tree(mesh);
    FarError far;
    size_t bandPoints = 0, farPoints = 0, wrong = 0;
    for (size_t n = 0; n < frame.pointCount(); n += stride) {
        const int i = static_cast<int>(n % static_cast<size_t>(frame.points[0]));
        const int j = static_cast<int>(n / static_cast<size_t>(frame.points[0]) % static_cast<size_t>(frame.points[1]));
        const int k = static_cast<int>(n / static_cast<size_t>(frame.points[0]) / static_cast<size_t>(frame.points[1]));
        const double exact = std::sqrt(tree.closestPoint(frame.position(i, j, k)).squaredDistance) / frame.cellSize;
        const double error = std::abs(grid.at(i, j, k)) / frame.cellSize - exact;
        if (exact <= bandCells) {
            ++bandPoints;
            if (std::abs(error) > tolerance && ++wrong <= 5)
                ADD_FAILURE() << "point " << i << ' ' << j << ' ' << k << ": " << exact << " cells, error " << error;
        } else {
            ++farPoints;
            far.worst = std::max(far.worst, std::abs(error));
            far.shortest = std::max(far.shortest, -error);
            far.mean += std::abs(error);
        }
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(bandPoints, 0u);
    far.mean /= static_cast<double>(std::max<size_t>(farPoints, 1));
    return far;
}

void expectSign(const TriMesh& mesh, const DistanceGrid& grid, size_t stride) {
    const GridFrame& frame = grid.frame();
    size_t wrong = 0;
    for (size_t n = 0; n < frame.pointCount(); n += stride) {
        const int i = static_cast<int>(n % static_cast<size_t>(frame.points[0]));
        const int j = static_cast<int>(n / static_cast<size_t>(frame.points[0]) % static_cast<size_t>(frame.points[1]));
        const int k = static_cast<int>(n / static_cast<size_t>(frame.points[0]) / static_cast<size_t>(frame.points[1]));
        if (std::abs(grid.at(i, j, k)) < 1e-9 * frame.cellSize) continue;  // on the surface either side will do
        const double winding = exactWindingNumber(mesh, frame.position(i, j, k));
        if (std::abs(winding - 0.5) < 0.02) continue;  // within the error of fast winding numbers
        const bool inside = winding >= 0.5;
        if ((grid.at(i, j, k) < 0) != inside && ++wrong <= 5)
            ADD_FAILURE() << "point " << i << ' ' << j << ' ' << k << " value " << grid.at(i, j, k);
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(GridFromMesh, BoxHasKnownDistances) {
    const TriMesh cube = test::box(Vec3::Constant(-1), Vec3::Constant(1));
    const DistanceGrid grid = gridFromMesh(cube, 0.25);
    EXPECT_EQ(grid.frame().points, (Int3{15, 15, 15}));
    for (int k = 0; k < 15; ++k) {
        for (int j = 0; j < 15; ++j) {
            for (int i = 0; i < 15; ++i) {
                const Vec3 q = grid.frame().position(i, j, k).cwiseAbs() - Vec3::Ones();
                const double expected = q.maxCoeff() <= 0 ? q.maxCoeff() : q.cwiseMax(0).norm();
                EXPECT_NEAR(grid.at(i, j, k), expected, 0.25 * 1e-6) << i << ' ' << j << ' ' << k;
            }
        }
    }
}

TEST(GridFromMesh, BandEqualsBruteForceOnASphere) {
    const TriMesh ball = test::sphere(Vec3(0.1, 0.2, 0.3), 1, 4);
    for (const double band : {1.0, 3.0, 5.5}) {
        const DistanceGrid grid = gridFromMesh(ball, cellSizeFor(ball, 40), {.bandCells = band});
        const FarError far = expectExactBand(ball, grid, band, 1);
        EXPECT_LT(far.worst, 0.15);
        EXPECT_LT(far.shortest, 1e-4);
    }
}

TEST(GridFromMesh, SignOfASphereIsExact) {
    const TriMesh ball = test::sphere(Vec3(0.1, 0.2, 0.3), 1, 3);
    expectSign(ball, gridFromMesh(ball, cellSizeFor(ball, 24)), 11);
    expectSign(ball, gridFromMesh(ball, cellSizeFor(ball, 24), {.sign = GridSign::WindingNumber}), 11);
}

// Triangles far larger and far smaller than the cells, slivers, and open edges everywhere.
TEST(GridFromMesh, BandEqualsBruteForceOnSoups) {
    for (const double size : {0.005, 0.1, 1.0}) {
        TriMesh mesh = test::soup(77, size < 0.05 ? 3000 : 60, size);
        for (uint32_t i = 0; i < mesh.vertexCount(); i += 9)  // slivers of all widths
            mesh.positions[static_cast<VertexIndex>(i + 2)] = 0.3 * mesh.positions[static_cast<VertexIndex>(i)] +
                                                              0.7 * mesh.positions[static_cast<VertexIndex>(i + 1)] +
                                                              Vec3(0, 0, size * std::pow(0.1, i % 17));
        for (uint32_t i = 0; i < mesh.vertexCount(); i += 30)  // and points
            mesh.positions[static_cast<VertexIndex>(i + 2)] = mesh.positions[static_cast<VertexIndex>(i + 1)] =
                mesh.positions[static_cast<VertexIndex>(i)];
        const DistanceGrid grid = gridFromMesh(mesh, 0.04, {.sign = GridSign::WindingNumber});
        const FarError far = expectExactBand(mesh, grid, 3, 1);
        EXPECT_LT(far.worst, 0.15);
        expectSign(mesh, grid, 41);
    }
}

// Non-manifold: three sheets at an edge, cones that touch at a tip, a fin folded flat on itself.
TEST(GridFromMesh, BandEqualsBruteForceOnNonManifoldMeshes) {
    const TriMesh mesh =
        test::meshOf({{0, 0, 0},
                      {0, 0, 1},
                      {1, 0, 0.4},
                      {-1, 0.5, 0.6},
                      {0.2, -1, 0.5},
                      {0.3, 0.3, -1},
                      {0.6, -0.2, -1},
                      {0, 0, 0.9}},
                     {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {0, 5, 6}, {0, 6, 5}, {0, 1, 7}, {0, 0, 3}, {5, 5, 5}});
    const DistanceGrid grid = gridFromMesh(mesh, 0.0731, {.sign = GridSign::WindingNumber});
    expectExactBand(mesh, grid, 3, 1);
}

TEST(GridFromMesh, BunnyBandSignAndFarField) {
    SUNDER_LOAD_MODEL(bunny, "models/bunny_5k.obj");
    const DistanceGrid grid = gridFromMesh(bunny, cellSizeFor(bunny, 64));
    const FarError far = expectExactBand(bunny, grid, 3, 3);
    EXPECT_LT(far.worst, 0.15);
    EXPECT_LT(far.mean, 0.01);
    EXPECT_LT(far.shortest, 1e-3);
    expectSign(bunny, grid, 997);
}

TEST(GridFromMesh, FineBunnyHasManyTrianglesPerCell) {
    SUNDER_LOAD_MODEL(bunny, "models/bunny_70k.off");
    const DistanceGrid grid = gridFromMesh(bunny, cellSizeFor(bunny, 48));
    const FarError far = expectExactBand(bunny, grid, 3, 7);
    EXPECT_LT(far.worst, 0.15);
    expectSign(bunny, grid, 5003);
}

TEST(GridFromMesh, HollowOrnamentHasACavity) {
    SUNDER_LOAD_MODEL(ornament, "models/ornament_hollow_10k.obj");
    const DistanceGrid grid = gridFromMesh(ornament, cellSizeFor(ornament, 70));
    expectExactBand(ornament, grid, 3, 5);
    expectSign(ornament, grid, 1999);
    const Vec3 centre = boundsOf(ornament).centre();
    EXPECT_GT(grid.value(centre), 0);
    EXPECT_LT(grid.value(centre + Vec3(0.05 - 0.00075, 0, 0)), 0);
}

TEST(GridFromMesh, ThinPlate) {
    SUNDER_LOAD_MODEL(pane, "models/glass_pane_6k.obj");
    const DistanceGrid grid = gridFromMesh(pane, 0.004);  // the pane is a cell and a half thick
    expectExactBand(pane, grid, 3, 41);
    expectSign(pane, grid, 9973);
}

// Every lattice point of the surface lies exactly on a face, an edge or a corner, and lines of lattice points run along
// faces and edges.
TEST(GridFromMesh, SignWhereLatticeLinesRunAlongFacesAndEdges) {
    for (const double offset : {0.0, 0.5, 0.3}) {
        TriMesh mesh = test::box(Vec3::Zero(), Vec3(4, 3, 5));
        append(mesh, test::box(Vec3(6, 0, 0), Vec3(9, 3, 5)));
        TriMesh cavity = test::box(Vec3(1, 1, 1), Vec3(3, 2, 4));
        flipOrientation(cavity);
        append(mesh, cavity);
        append(mesh, test::sphere(Vec3(2, 10, 2), 2, 0));  // octahedron: its edges run through lattice points
        for (Vec3& p : mesh.positions) p += Vec3::Constant(offset);
        for (const double cell : {1.0, 0.5}) {
            const DistanceGrid grid = gridFromMesh(mesh, alignedFrame(boundsOf(mesh), cell, 2));
            expectExactBand(mesh, grid, 3, 1);
            expectSign(mesh, grid, 1);
        }
    }
}

TEST(GridFromMesh, TrianglesWithoutAreaAreNoSurface) {
    // a needle from one side of a box to the other, through its middle, as turned models have along their axis
    TriMesh mesh = test::box({-1, -1, -1}, {1, 1, 1});
    const DistanceGrid plain = gridFromMesh(mesh, 0.25);
    const VertexIndex below = mesh.positions.push_back(Vec3(0, 0, -1)), above = mesh.positions.push_back(Vec3(0, 0, 1));
    mesh.triangles.push_back({below, above, above});
    mesh.triangles.push_back({below, above, below});
    const DistanceGrid grid = gridFromMesh(mesh, 0.25);
    EXPECT_TRUE(std::equal(grid.values().begin(), grid.values().end(), plain.values().begin(), plain.values().end()));
}

TEST(GridFromMesh, SurfacePointsAreExactlyPlusZero) {
    const DistanceGrid grid = gridFromMesh(test::box(Vec3::Zero(), Vec3::Ones()), 0.25);
    const float onFace = grid.at(3, 5, 5);
    EXPECT_EQ(onFace, 0);
    EXPECT_FALSE(std::signbit(onFace));
}

// Random rotations and lattices of octahedra that overlap nothing: signs from many ways the lines can meet edges.
TEST(GridFromMesh, SignIsExactForRandomlyTurnedSolids) {
    Random random(5);
    for (int n = 0; n < 20; ++n) {
        const Quat turn = Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
        const TriMesh solid = transformed(test::box(Vec3(-1, -0.02, -0.6), Vec3(1, 0.02, 0.6)), {turn, Vec3(3, 2, 1)});
        const DistanceGrid grid = gridFromMesh(solid, 0.08);
        expectExactBand(solid, grid, 3, 3);
        expectSign(solid, grid, 5);
    }
}

TEST(GridFromMesh, DoesNotDependOnScaleOrPlace) {
    const TriMesh ball = test::sphere(Vec3(0.1, 0.2, 0.3), 1, 3);
    const double cell = 1.0 / 16;
    const DistanceGrid grid = gridFromMesh(ball, cell);
    for (const double scale : {std::ldexp(1.0, -30), std::ldexp(1.0, 30)}) {
        const DistanceGrid other = gridFromMesh(scaled(ball, scale), scale * cell);
        ASSERT_EQ(other.frame().points, grid.frame().points);
        for (size_t i = 0; i < grid.values().size(); ++i)
            ASSERT_EQ(other.values()[i], static_cast<float>(scale) * grid.values()[i]);
    }
    for (const double scale : {1e-9, 1e9}) {
        TriMesh moved = scaled(ball, scale);
        for (Vec3& p : moved.positions) p += scale * Vec3(1000, -2000, 3000);
        GridFrame frame = grid.frame();
        frame.cellSize *= scale;
        frame.origin = scale * (frame.origin + Vec3(1000, -2000, 3000));
        const DistanceGrid other = gridFromMesh(moved, frame);
        for (size_t i = 0; i < grid.values().size(); ++i)
            ASSERT_NEAR(other.values()[i] / scale, grid.values()[i], 1e-6 * (cell + std::abs(grid.values()[i])));
    }
}

TEST(GridFromMesh, SameBitsForAnyNumberOfThreads) {
    const TriMesh ball = test::sphere(Vec3(0.1, 0.2, 0.3), 1, 4);
    for (const GridSign sign : {GridSign::ClosedMesh, GridSign::WindingNumber}) {
        const DistanceGrid all = gridFromMesh(ball, 0.05, {.sign = sign});
        const ThreadLimit one(1);
        const DistanceGrid alone = gridFromMesh(ball, 0.05, {.sign = sign});
        EXPECT_TRUE(std::ranges::equal(all.values(), alone.values()));
    }
}

// A window through the surface, one inside, one outside far away: distances come from beyond the frame.
TEST(GridFromMesh, WindowsSeeTheSurfaceOutsideThem) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 4);
    const double cell = 0.05;
    for (const Vec3& centre : {Vec3(0.9, 0.1, 0), Vec3(0.1, 0.05, 0), Vec3(3, 2, 1), Vec3(0, 1.4, 0)}) {
        const GridFrame window = alignedFrame({centre - Vec3::Constant(0.3), centre + Vec3::Constant(0.3)}, cell, 0);
        for (const GridSign sign : {GridSign::ClosedMesh, GridSign::WindingNumber}) {
            const DistanceGrid grid = gridFromMesh(ball, window, {.sign = sign});
            expectSign(ball, grid, 17);
            const TriangleTree tree(ball);
            for (int k = 0; k < window.points[2]; ++k) {
                for (int j = 0; j < window.points[1]; ++j) {
                    for (int i = 0; i < window.points[0]; ++i) {
                        const double exact = std::sqrt(tree.closestPoint(window.position(i, j, k)).squaredDistance);
                        const double tolerance = exact <= 3 * cell ? 1e-6 * cell : 0.1 * cell;
                        ASSERT_NEAR(std::abs(grid.at(i, j, k)), exact, tolerance) << centre.transpose();
                    }
                }
            }
        }
    }
}

TEST(GridFromMesh, ThinFrames) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 3);
    const DistanceGrid line = gridFromMesh(ball, GridFrame{Vec3(-2, 0.01, 0.02), 0.1, {41, 1, 1}});
    for (int i = 0; i < 41; ++i) EXPECT_NEAR(line.at(i, 0, 0), std::hypot(-2 + 0.1 * i, 0.01, 0.02) - 1, 0.03);
    EXPECT_EQ(gridFromMesh(ball, GridFrame{Vec3::Zero(), 0.1, {0, 5, 5}}).values().size(), 0u);
}

// An open hemisphere: the winding number closes it in mid-air, where no triangle separates the points.
TEST(GridFromMesh, GeneralisedSignClosesAnOpenShell) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 4);
    std::vector<TriangleIndex> upper;
    for (const TriangleIndex t : ball.triangles.indices()) {
        if (ball.positions[ball.triangles[t][0]].z() + ball.positions[ball.triangles[t][1]].z() +
                ball.positions[ball.triangles[t][2]].z() >
            0)
            upper.push_back(t);
    }
    const TriMesh bowl = subset(ball, upper);
    const DistanceGrid grid = gridFromMesh(bowl, 0.06, {.sign = GridSign::WindingNumber});
    expectSign(bowl, grid, 37);
    EXPECT_LT(grid.value({0, 0, 0.5}), 0);
    EXPECT_GT(grid.value({0, 0, -0.5}), 0);
}

TEST(GridFromMesh, GeneralisedSignUnitesOverlapsAndBridgesHoles) {
    TriMesh mesh = test::sphere(Vec3::Zero(), 1, 4);
    append(mesh, test::sphere(Vec3(0.8, 0, 0), 1, 4));
    TriMesh holed = mesh;
    for (uint32_t t = 0; t < holed.triangleCount(); t += 97) flipTriangle(holed, static_cast<TriangleIndex>(t));
    for (const TriMesh& shape : {mesh, holed}) {
        const DistanceGrid grid = gridFromMesh(shape, 0.07, {.sign = GridSign::WindingNumber});
        expectSign(shape, grid, 211);
        EXPECT_LT(grid.value({0.4, 0, 0}), 0);
    }
}

TEST(GridFromMesh, EmptyMeshIsInfinitelyFar) {
    const DistanceGrid grid = gridFromMesh(TriMesh(), GridFrame{Vec3::Zero(), 1, {3, 3, 3}});
    for (const float value : grid.values()) EXPECT_EQ(value, std::numeric_limits<float>::infinity());
    EXPECT_EQ(gridFromMesh(TriMesh(), 1.0).values().size(), 0u);
    // nothing but NaN: no crash, nothing near
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const TriMesh broken = test::meshOf({{nan, 0, 0}, {0, nan, 0}, {nan, nan, nan}}, {{0, 1, 2}});
    EXPECT_GT(gridFromMesh(broken, GridFrame{Vec3::Zero(), 1, {3, 3, 3}}).at(1, 1, 1), 1e9f);
}

TEST(GridFromMesh, ReportsProgressAndStopsWhenAsked) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 3);
    for (const GridSign sign : {GridSign::ClosedMesh, GridSign::WindingNumber}) {
        Progress progress;
        gridFromMesh(ball, 0.1, {.sign = sign}, &progress);
        EXPECT_TRUE(progress.state().finished);
        EXPECT_NEAR(progress.state().fraction(), 1, 1e-9);
        progress.cancel();
        EXPECT_THROW(gridFromMesh(ball, 0.1, {.sign = sign}, &progress), Cancelled);
    }
}

// Larger sweep over the shared models.
TEST(GridFromMesh, EveryClosedModelHasAnExactBandAndSign) {
    if (std::getenv("SUNDER_FULL_TESTS") == nullptr) GTEST_SKIP() << "set SUNDER_FULL_TESTS=1";
    for (const char* name : {"models/armadillo_52k.off", "models/fertility_10k.off", "models/star_trim_10k.off",
                             "models/cheese_18k_genus133.off", "models/table_2.5k.obj", "models/moebius_solid.obj",
                             "models/knot_6k.off", "models/column_fluted_13k.obj"}) {
        SUNDER_LOAD_MODEL(mesh, name);
        SCOPED_TRACE(name);
        const DistanceGrid grid = gridFromMesh(mesh, cellSizeFor(mesh, 96));
        const FarError far = expectExactBand(mesh, grid, 3, 11);
        std::printf("%s: far field error %.4f cells worst, %.4f mean\n", name, far.worst, far.mean);
        EXPECT_LT(far.worst, 0.15);
        expectSign(mesh, grid, 5003);
    }
}

}  // namespace
}  // namespace sunder
