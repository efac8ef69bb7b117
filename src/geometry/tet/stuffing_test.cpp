#include "geometry/tet/stuffing.h"

#include <cmath>
#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/tet/test_checks.h"
#include "geometry/tree/test_meshes.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

using Distance = std::function<double(const Vec3&)>;

DistanceGrid gridOf(const Box3& box, double cellSize, const Distance& distance) {
    DistanceGrid grid(alignedFrame(box, cellSize, 3));
    const Int3& n = grid.frame().points;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                grid.at(i, j, k) = static_cast<float>(distance(grid.frame().position(i, j, k)));
            }
        }
    }
    return grid;
}

Box3 cube(double half) { return {Vec3::Constant(-half), Vec3::Constant(half)}; }

double toSphere(const Vec3& x, double radius) { return x.norm() - radius; }
double toBox(const Vec3& x, const Vec3& half) {
    const Vec3 q = x.cwiseAbs() - half;
    return q.cwiseMax(0).norm() + std::min(0.0, q.maxCoeff());
}
double toTorus(const Vec3& x, double ring, double tube) {
    return std::hypot(std::hypot(x.x(), x.y()) - ring, x.z()) - tube;
}

DistanceGrid sphereGrid(double cellSize) {
    return gridOf(cube(1), cellSize, [](const Vec3& x) { return toSphere(x, 1); });
}

/// One number per grid point out of a few, so that exact zeros and equal values abound.
DistanceGrid noiseGrid(uint64_t seed, int points, int levels) {
    DistanceGrid grid({Vec3(-1, -2, -3), 1, {points, points, points}});
    Random random(seed);
    for (float& value : grid.values()) {
        value = levels == 0
                    ? static_cast<float>(random.uniform(-1, 1))
                    : static_cast<float>(static_cast<int>(random.below(static_cast<uint64_t>(levels))) - levels / 2);
    }
    return grid;
}

void printQuality(const char* name, const TetMesh& mesh) {
    const TetQuality quality = qualityOf(mesh);
    std::printf("%-12s %8zu tets, dihedral angles %.2f to %.2f degrees\n", name, mesh.tetCount(), quality.minDihedral,
                quality.maxDihedral);
}

/// Largest distance from points of `from` (vertices, edge middles and centroids) to the surface `to`.
double farthest(const TriMesh& from, const TriMesh& to) {
    const TriangleTree tree(to);
    double worst = 0;
    for (const TriangleIndex t : from.triangles.indices()) {
        const auto [a, b, c] = from.corners(t);
        for (const Vec3& x : {a, Vec3(0.5 * (a + b)), Vec3((a + b + c) / 3)}) {
            worst = std::max(worst, tree.closestPoint(x).squaredDistance);
        }
    }
    return std::sqrt(worst);
}

/// Options for a lattice with cubes of this size.
StuffingOptions withCubes(double size) { return {.cellSize = size / kCubePerCell}; }

/// Both ways within half a cell.
void expectFollows(const TriMesh& surface, const TetMesh& tets, double cellSize) {
    const TriMesh boundary = boundaryOf(tets).surface;
    EXPECT_LE(farthest(boundary, surface), 0.5 * cellSize);
    EXPECT_LE(farthest(surface, boundary), 0.5 * cellSize);
}

}  // namespace

TEST(Stuffing, SphereIsSoundAndRound) {
    for (const double cube : {0.5, 0.21, 0.1, 0.05}) {
        const TetMesh mesh = stuffIsosurface(sphereGrid(0.05), withCubes(cube));
        test::expectSound(mesh);
        printQuality("sphere", mesh);
        const TriMesh boundary = boundaryOf(mesh).surface;
        EXPECT_EQ(genus(boundary, MeshTopology(boundary)), 0);
        for (const Vec3& x : boundary.positions) ASSERT_NEAR(x.norm(), 1, 0.002 + 0.02 * cube);
        EXPECT_NEAR(volume(mesh), 4.18879, 0.8 * cube * cube * 4.18879);
    }
}

TEST(Stuffing, TorusKeepsItsHole) {
    const DistanceGrid grid = gridOf(cube(1.5), 0.05, [](const Vec3& x) { return toTorus(x, 1, 0.4); });
    const TetMesh mesh = stuffIsosurface(grid, withCubes(0.1));
    test::expectSound(mesh);
    printQuality("torus", mesh);
    const TriMesh boundary = boundaryOf(mesh).surface;
    EXPECT_EQ(genus(boundary, MeshTopology(boundary)), 1);
}

// Its sides lie exactly on lattice planes: every boundary lattice point has the value zero.
TEST(Stuffing, BoxOnTheLatticeIsExact) {
    const DistanceGrid grid = gridOf(cube(1), 0.25, [](const Vec3& x) { return toBox(x, Vec3(1, 1, 0.5)); });
    const auto [mesh, report] = stuffWithReport(grid, withCubes(0.25));
    ASSERT_EQ(report.latticeSize, 0.25);
    test::expectSound(mesh);
    printQuality("box", mesh);
    // no edge of a cube's side is bare of lattice points, but centres lie half a cell away from the sides
    const Box3 bounds = boundsOf(boundaryOf(mesh).surface);
    EXPECT_EQ(bounds.max, Vec3(1, 1, 0.5));
    EXPECT_NEAR(volume(mesh), 4, 0.4);
}

TEST(Stuffing, FollowsMeshesWithinHalfACell) {
    const TriMesh ball = test::sphere(Vec3(0.3, -0.2, 0.1), 1, 4);
    const TriMesh box = test::box(Vec3(-1, -0.7, -0.5), Vec3(1, 0.8, 0.6));
    for (const auto* surface : {&ball, &box}) {
        for (const double cellSize : {0.2, 0.1}) {
            const TetMesh mesh = stuffIsosurface(gridFromMesh(*surface, 0.05), {.cellSize = cellSize});
            test::expectSound(mesh);
            expectFollows(*surface, mesh, cellSize);
        }
    }
}

TEST(Stuffing, AnyGridGivesASoundMesh) {
    const bool full = std::getenv("SUNDER_FULL_TESTS") != nullptr;
    const uint64_t seeds = full ? 40 : 2;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        for (const int levels : {0, 2, 3, 5}) {
            for (const double cube : {0.45, 1.0, 2.0}) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << ", levels " << levels << ", cube " << cube);
                const Stuffing made = stuffWithReport(noiseGrid(seed, 11, levels), withCubes(cube));
                test::expectSound(made.mesh, {.min = 10.5, .max = 163.8});
                if (seed == 0) printQuality("noise", made.mesh);
            }
        }
    }
}

TEST(Stuffing, NoiseThatIsNotANumberCountsAsOutside) {
    DistanceGrid grid = noiseGrid(5, 12, 0);
    Random random(9);
    for (float& value : grid.values()) {
        const uint64_t pick = random.below(20);
        if (pick == 0) value = std::numeric_limits<float>::quiet_NaN();
        if (pick == 1) value = std::numeric_limits<float>::infinity();
        if (pick == 2) value = -std::numeric_limits<float>::infinity();
    }
    test::expectSound(stuffIsosurface(grid, withCubes(0.8)));
}

TEST(Stuffing, AFullGridIsCutOffAtItsBounds) {
    const DistanceGrid grid({Vec3(1, 2, 3), 0.5, {5, 6, 7}}, -1.0f);
    const TetMesh mesh = stuffIsosurface(grid, withCubes(0.25));
    test::expectSound(mesh);
    const Box3 bounds = boundsOf(boundaryOf(mesh).surface);
    EXPECT_LE((bounds.min - grid.frame().bounds().min).norm(), 1e-12);
    EXPECT_LE((bounds.max - grid.frame().bounds().max).norm(), 1e-12);
}

TEST(Stuffing, NothingInsideGivesNothing) {
    EXPECT_EQ(stuffIsosurface(DistanceGrid({Vec3::Zero(), 1, {4, 4, 4}}, 1.0f), {.cellSize = 1}).tetCount(), 0u);
    EXPECT_EQ(stuffIsosurface(DistanceGrid({Vec3::Zero(), 1, {4, 4, 4}}, 0.0f), {.targetTets = 99}).tetCount(), 0u);
    EXPECT_EQ(stuffIsosurface(DistanceGrid(), {.targetTets = 99}).tetCount(), 0u);
}

TEST(Stuffing, RefusesImpossibleSizes) {
    const DistanceGrid grid = sphereGrid(0.2);
    EXPECT_THROW(stuffIsosurface(grid, {}), std::invalid_argument);
    EXPECT_THROW(stuffIsosurface(grid, {.cellSize = -1}), std::invalid_argument);
    EXPECT_THROW(stuffIsosurface(grid, {.cellSize = std::nan("")}), std::invalid_argument);
    EXPECT_THROW(stuffIsosurface(grid, {.cellSize = 1e-6}), std::length_error);
}

TEST(Stuffing, MeetsTheTarget) {
    const DistanceGrid ball = sphereGrid(0.05);
    const DistanceGrid ring = gridOf(cube(1.5), 0.05, [](const Vec3& x) { return toTorus(x, 1, 0.2); });
    for (const DistanceGrid* grid : {&ball, &ring}) {
        for (const size_t target : {1000u, 5000u, 20000u, 100000u}) {
            const auto [mesh, report] = stuffWithReport(*grid, {.targetTets = target});
            EXPECT_DOUBLE_EQ(report.latticeSize, kCubePerCell * report.cellSize);
            EXPECT_NEAR(static_cast<double>(mesh.tetCount()), static_cast<double>(target),
                        (target < 5000 ? 0.1 : 0.05) * static_cast<double>(target));
        }
    }
}

TEST(Stuffing, SaysWhatIsTooThin) {
    // a ball with a thin disc round it
    const auto saturn = [](const Vec3& x) { return std::min(toSphere(x, 0.5), toBox(x, Vec3(0.95, 0.95, 0.031))); };
    const DistanceGrid grid = gridOf(cube(1), 0.01, saturn);
    const StuffingReport coarse = stuffWithReport(grid, withCubes(0.33)).report;
    const StuffingReport fine = stuffWithReport(grid, withCubes(0.04)).report;
    const StuffingReport ball = stuffWithReport(sphereGrid(0.02), withCubes(0.2)).report;
    EXPECT_GT(coarse.lostFraction(), 0.05);
    EXPECT_LT(fine.lostFraction(), 1e-3);
    EXPECT_EQ(ball.lostVolume, 0);
    EXPECT_NEAR(ball.solidVolume, 4.18879, 0.01);
}

TEST(Stuffing, SameBitsForAnyNumberOfThreads) {
    const DistanceGrid noise = noiseGrid(11, 20, 0);
    const auto stuffed = [&](int threads) {
        ThreadLimit limit(threads);
        return stuffIsosurface(noise, withCubes(0.5));
    };
    const TetMesh one = stuffed(1), two = stuffed(2);
    EXPECT_TRUE(one.nodes == two.nodes);
    EXPECT_TRUE(one.tets == two.tets);
}

TEST(Stuffing, TinyAndHugeSolids) {
    const TetMesh plain = stuffIsosurface(sphereGrid(0.1), withCubes(0.15));
    // powers of two scale without rounding: the same mesh, node for node
    for (const double scale : {std::ldexp(1.0, -30), std::ldexp(1.0, 30)}) {
        const DistanceGrid grid = gridOf(cube(scale), 0.1 * scale, [&](const Vec3& x) { return toSphere(x, scale); });
        const TetMesh mesh = stuffIsosurface(grid, withCubes(0.15 * scale));
        test::expectSound(mesh);
        EXPECT_TRUE(mesh.tets == plain.tets);
    }
}

TEST(Stuffing, CanBeCancelled) {
    Progress progress;
    progress.cancel();
    EXPECT_THROW(stuffIsosurface(sphereGrid(0.1), {.cellSize = 0.1}, &progress), Cancelled);
}

/// Vertices within a quarter of a cube; the middles of edges and triangles within half a cell.
void expectNearSurface(const TriMesh& boundary, const TriangleTree& tree, const StuffingReport& report) {
    const auto away = [&](const Vec3& x) { return std::sqrt(tree.closestPoint(x).squaredDistance); };
    for (const Vec3& x : boundary.positions) ASSERT_LE(away(x), 0.25 * report.latticeSize);
    double worst = 0;
    for (const TriangleIndex t : boundary.triangles.indices()) {
        const auto [a, b, c] = boundary.corners(t);
        for (const Vec3& x : {Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2), Vec3((a + b + c) / 3)}) {
            worst = std::max(worst, away(x));
        }
    }
    EXPECT_LE(worst, 0.5 * report.cellSize);
}

TEST(Stuffing, Models) {
    for (const char* name : {"models/bunny_5k.obj", "models/fertility_10k.off", "models/armadillo_52k.off"}) {
        SUNDER_LOAD_MODEL(surface, name);
        SCOPED_TRACE(name);
        const double expectedCube = std::cbrt(12 * volume(surface) / 50000);
        const DistanceGrid grid = gridFromMesh(surface, expectedCube / 2);
        const Stuffing made = stuffWithReport(grid, {.targetTets = 50000});
        test::expectSound(made.mesh, {.min = 10.5, .max = 163.8});
        printQuality(name, made.mesh);
        EXPECT_NEAR(static_cast<double>(made.mesh.tetCount()), 50000, 2500);
        EXPECT_NEAR(volume(made.mesh) / volume(surface), 1, 0.04);
        expectNearSurface(boundaryOf(made.mesh).surface, TriangleTree(surface), made.report);
    }
}

TEST(Stuffing, FertilityKeepsItsHandlesAndFollowsBothWays) {
    SUNDER_LOAD_MODEL(surface, "models/fertility_10k.off");
    const double cellSize = cellSizeFor(surface, 60);
    const TetMesh mesh = stuffIsosurface(gridFromMesh(surface, cellSize / 2), {.cellSize = cellSize});
    test::expectSound(mesh);
    expectFollows(surface, mesh, cellSize);
    const TriMesh boundary = boundaryOf(mesh).surface;
    EXPECT_EQ(genus(boundary, MeshTopology(boundary)), genus(surface, MeshTopology(surface)));
}

}  // namespace sunder
