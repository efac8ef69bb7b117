// Every closed model of the shared data, from file to grid, surface and tets, with a table of figures in the log.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/stopwatch.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/wall_thickness.h"
#include "geometry/surface/isosurface.h"
#include "geometry/tet/stuffing.h"
#include "geometry/tree/triangle_tree.h"
#include "io/mesh/mesh_io.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr int kUsualCells = 96;           // along the longest side
constexpr double kCellsPerWall = 3;       // where walls are thinner than that many usual cells
constexpr size_t kMostPoints = 40000000;  // of a grid this test is willing to make

struct Model {
    std::string file;
    int genus = 0;
};

/// The rows of the manifest's table that say closed = y.
std::vector<Model> closedModels(const fs::path& folder) {
    std::vector<Model> models;
    std::ifstream manifest(folder / "manifest.md");
    for (std::string line; std::getline(manifest, line);) {
        if (line.rfind("| models/", 0) != 0 && line.rfind("| primitives/", 0) != 0) continue;
        std::vector<std::string> columns;
        std::istringstream row(line.substr(1));
        for (std::string column; std::getline(row, column, '|');) {
            const size_t first = column.find_first_not_of(' '), last = column.find_last_not_of(' ');
            columns.push_back(first == std::string::npos ? "" : column.substr(first, last - first + 1));
        }
        if (columns.size() > 8 && columns[4] == "y") models.push_back({columns[0], std::atoi(columns[8].c_str())});
    }
    return models;
}

struct Resolution {
    double cellSize = 0;  // m
    double wall = 0;      // m, 0 = none found
    bool thin = false;    // the wall decided
    size_t points = 0;
};

Resolution resolutionFor(const TriMesh& mesh) {
    Resolution result;
    const WallThickness thickness = wallThickness(mesh);
    result.wall = thickness.known() ? thickness.thinnest : 0;
    result.cellSize = cellSizeFor(mesh, kUsualCells);
    result.thin = thickness.known() && result.wall < kCellsPerWall * result.cellSize;
    if (result.thin) result.cellSize = result.wall / kCellsPerWall;
    const Vec3 cells = boundsOf(mesh).size() / result.cellSize + Vec3::Constant(2 * GridOptions().bandCells + 2);
    result.points = static_cast<size_t>(cells.prod());
    return result;
}

bool fullTests() { return std::getenv("SUNDER_FULL_TESTS") != nullptr; }

struct Nearness {
    size_t samples = 0;
    double worst = 0;  // m
};

/// How far the boundary goes from the surface: its vertices, the middles of its edges and triangles, random points.
Nearness nearnessOf(const TriMesh& boundary, const TriangleTree& surface) {
    const size_t wanted = fullTests() ? 100000 : 20000;
    const size_t randomPoints = boundary.triangles.empty() ? 0 : 1 + wanted / boundary.triangleCount();
    Nearness result;
    const auto look = [&](const Vec3& x) {
        result.worst = std::max(result.worst, std::sqrt(surface.closestPoint(x).squaredDistance));
        ++result.samples;
    };
    for (const Vec3& x : boundary.positions) look(x);
    Random random(1);
    for (const TriangleIndex t : boundary.triangles.indices()) {
        const auto [a, b, c] = boundary.corners(t);
        for (const Vec3& x : {Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2), Vec3((a + b + c) / 3)}) look(x);
        for (size_t i = 0; i < randomPoints; ++i) {
            double u = random.uniform(), v = random.uniform();
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            look(a + u * (b - a) + v * (c - a));
        }
    }
    return result;
}

struct Tally {
    int done = 0;
    int refused = 0;
    size_t samples = 0;
    double farthest = 0;  // cells
};

/// The boundary keeps within half a cell of the input; returns how far it goes, in cells.
double checkNearness(const TriangleTree& surface, const Stuffing& tets, Tally& tally) {
    const Nearness nearness = nearnessOf(boundaryOf(tets.mesh).surface, surface);
    const double cells = nearness.worst / tets.report.cellSize;
    EXPECT_LE(cells, 0.5);
    EXPECT_TRUE(tets.mesh.tetCount() == 0 || nearness.samples >= 20000);
    tally.samples += nearness.samples;
    tally.farthest = std::max(tally.farthest, cells);
    return cells;
}

void checkModel(const fs::path& folder, const Model& model, Tally& tally) {
    SCOPED_TRACE(model.file);
    const Stopwatch watch;
    const TriMesh mesh = readMesh(folder / model.file).mesh;
    const double trueVolume = volume(mesh);
    ASSERT_GT(trueVolume, 0);
    const Resolution resolution = resolutionFor(mesh);
    const double longest = boundsOf(mesh).size().maxCoeff();
    if (resolution.points > kMostPoints) {
        std::printf("%-36s refused: a wall of %.3g m needs cells of %.3g m, a grid of %.0f million points\n",
                    model.file.c_str(), resolution.wall, resolution.cellSize,
                    static_cast<double>(resolution.points) / 1e6);
        ++tally.refused;
        return;
    }

    const DistanceGrid grid = gridFromMesh(mesh, resolution.cellSize);
    const TriMesh surface = isosurface(grid);
    const MeshTopology topology(surface);
    ASSERT_TRUE(isClosedManifold(surface, topology));
    const double surfaceVolume = volume(surface) / trueVolume - 1;
    EXPECT_LT(std::abs(surfaceVolume), 0.02);

    // the tets' lattice: one cube per wall, or half the usual resolution
    const double cube = resolution.thin ? kCellsPerWall * resolution.cellSize : 2 * resolution.cellSize;
    const Stuffing tets = stuffWithReport(grid, {.cellSize = cube / kCubePerCell});
    const TetQuality quality = qualityOf(tets.mesh);
    const double tetVolume = volume(tets.mesh) / trueVolume - 1;
    EXPECT_GT(quality.minVolume, 0);
    EXPECT_GT(quality.minDihedral, 8);
    EXPECT_LT(quality.maxDihedral, 165);
    EXPECT_LT(std::abs(tetVolume), resolution.thin ? 0.25 : 0.05);
    const double farthest = checkNearness(TriangleTree(mesh), tets, tally);

    std::printf("%-36s %6zu %8.3g %9.3g %6.0f %8zu %5d/%-5d %+9.4f%% %8zu %6.1f %6.1f %+8.2f%% %6.3f %6.1f\n",
                model.file.c_str(), mesh.triangleCount(), resolution.wall, resolution.cellSize,
                longest / resolution.cellSize, surface.triangleCount(), genus(surface, topology), model.genus,
                100 * surfaceVolume, tets.mesh.tetCount(), quality.minDihedral, quality.maxDihedral, 100 * tetVolume,
                farthest, watch.cpuSeconds());
    std::fflush(stdout);
    ++tally.done;
}

TEST(Models, ClosedOnesBecomeGridsSurfacesAndTets) {
    const fs::path folder = fs::path(SUNDER_SHARED_DATA) / "meshes";
    if (!fs::exists(folder / "manifest.md")) GTEST_SKIP() << "no shared meshes at " << folder;
    const std::vector<Model> models = closedModels(folder);
    ASSERT_EQ(models.size(), 61u);

    std::printf("%-36s %6s %8s %9s %6s %8s %11s %10s %8s %6s %6s %9s %6s %6s\n", "model", "tris", "wall m", "cell m",
                "cells", "surface", "genus/true", "volume", "tets", "min°", "max°", "volume", "far", "CPU s");
    const char* only = std::getenv("SUNDER_MODEL");  // part of a name, to look at one model
    Tally tally;
    for (const Model& model : models) {
        if (only == nullptr || model.file.find(only) != std::string::npos) checkModel(folder, model, tally);
    }
    std::printf("%d models done, %d refused; the tets' boundary goes up to %.3f cells from the input, %zu samples\n",
                tally.done, tally.refused, tally.farthest, tally.samples);
    EXPECT_LE(tally.refused, 2);
}

/// Coarse lattices, with walls and gaps far thinner than their cubes, on grids as `sunder tets` makes them.
TEST(Models, CoarseTetsKeepWithinHalfACell) {
    const fs::path folder = fs::path(SUNDER_SHARED_DATA) / "meshes";
    if (!fs::exists(folder / "manifest.md")) GTEST_SKIP() << "no shared meshes at " << folder;
    const std::vector<int> cubesAlong =
        fullTests() ? std::vector{12, 16, 20, 24, 27, 32, 37, 40, 48, 64} : std::vector{20, 32};
    Tally tally;
    for (const Model& model : closedModels(folder)) {
        const TriMesh mesh = readMesh(folder / model.file).mesh;
        const TriangleTree tree(mesh);
        std::printf("%-36s", model.file.c_str());
        for (const int cubes : cubesAlong) {
            SCOPED_TRACE(testing::Message() << model.file << ", " << cubes << " cubes");
            const double cube = boundsOf(mesh).size().maxCoeff() / cubes;
            const Stuffing tets = stuffWithReport(gridFromMesh(mesh, cube / 2), {.cellSize = cube / kCubePerCell});
            std::printf(" %6.3f", checkNearness(tree, tets, tally));
        }
        std::printf("\n");
        ++tally.done;
    }
    std::printf("up to %.3f cells from the input, %zu samples\n", tally.farthest, tally.samples);
    EXPECT_EQ(tally.done, 61);
}

TEST(Models, TopologySurvivesTheGrid) {
    const fs::path folder = fs::path(SUNDER_SHARED_DATA) / "meshes";
    if (!fs::exists(folder / "manifest.md")) GTEST_SKIP() << "no shared meshes at " << folder;
    const std::vector<Model> models{{"models/bunny_70k.off", 0},
                                    {"models/armadillo_52k.off", 0},
                                    {"models/fertility_10k.off", 4},
                                    {"models/knot_6k.off", 1},
                                    {"models/rotor.off", 1}};
    for (const Model& model : models) {
        SCOPED_TRACE(model.file);
        const TriMesh mesh = readMesh(folder / model.file).mesh;
        // at 96 cells the rotor has walls of 0.65 cells, and a hole breaks through
        const TriMesh surface = isosurface(gridFromMesh(mesh, resolutionFor(mesh).cellSize));
        ASSERT_TRUE(isClosedManifold(surface));
        EXPECT_EQ(genus(surface, MeshTopology(surface)), model.genus);
        EXPECT_NEAR(volume(surface) / volume(mesh), 1, 0.005);
    }
}

}  // namespace
}  // namespace sunder
