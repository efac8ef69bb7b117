// Closed, manifold and outward for any values whatever.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/surface/isosurface.h"

namespace sunder {
namespace {

DistanceGrid cubeGrid(int points, float value = 1) {
    return DistanceGrid({Vec3(-1, 2, 3), 0.5, {points, points, points}}, value);
}

/// Closed and manifold, and its enclosed volume is positive and bounded by that of the cells it passes through or
/// encloses.
void expectSolid(const TriMesh& mesh, const DistanceGrid& grid, const std::string& what) {
    if (mesh.empty()) return;
    ASSERT_TRUE(isClosedManifold(mesh)) << what;
    for (const Vec3& p : mesh.positions) ASSERT_TRUE(grid.frame().bounds().contains(p)) << what;
    ASSERT_GE(volume(mesh), 0) << what;
}

bool holdsInside(const DistanceGrid& grid) {
    const Int3 n = grid.frame().points;
    for (int k = 1; k + 1 < n[2]; ++k) {
        for (int j = 1; j + 1 < n[1]; ++j) {
            for (int i = 1; i + 1 < n[0]; ++i) {
                if (grid.at(i, j, k) < 0) return true;
            }
        }
    }
    return false;
}

void check(const DistanceGrid& grid, const std::string& what) {
    const TriMesh mesh = isosurface(grid);
    ASSERT_EQ(mesh.empty(), !holdsInside(grid)) << what;
    expectSolid(mesh, grid, what);
}

TEST(IsosurfaceTopology, NothingInsideGivesNothing) {
    EXPECT_TRUE(isosurface(DistanceGrid()).empty());
    EXPECT_TRUE(isosurface(cubeGrid(2, -1)).empty());  // nothing but border
    EXPECT_TRUE(isosurface(cubeGrid(5, 1)).empty());
    EXPECT_TRUE(isosurface(cubeGrid(5, 0)).empty());
    EXPECT_EQ(isosurface(cubeGrid(5, 1)).vertexCount(), 0u);
}

TEST(IsosurfaceTopology, AllInsideGivesTheBoxOfTheLattice) {
    const DistanceGrid grid = cubeGrid(7, -1);
    const TriMesh mesh = isosurface(grid);
    expectSolid(mesh, grid, "full grid");
    const double side = 0.5 * 6;
    EXPECT_NEAR(volume(mesh), side * side * side, 1e-6);
}

TEST(IsosurfaceTopology, OnePointIsABall) {
    DistanceGrid grid = cubeGrid(3);
    grid.at(1, 1, 1) = -1;
    const TriMesh mesh = isosurface(grid);
    expectSolid(mesh, grid, "one point");
    EXPECT_EQ(mesh.vertexCount(), 8u);
    EXPECT_EQ(mesh.triangleCount(), 12u);
    EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 0);
    EXPECT_GT(volume(mesh), 0);
}

TEST(IsosurfaceTopology, EverySingleCell) {
    Random random(1);
    for (unsigned corners = 0; corners < 256; ++corners) {
        for (int round = 0; round < 8; ++round) {
            DistanceGrid grid = cubeGrid(4);
            for (int c = 0; c < 8; ++c) {
                const double size = round == 0 ? 1 : random.uniform(0.01, 1);
                grid.at(1 + (c & 1), 1 + (c >> 1 & 1), 1 + (c >> 2)) =
                    static_cast<float>((corners >> c & 1U) != 0 ? -size : size);
            }
            check(grid, "cell " + std::to_string(corners) + " round " + std::to_string(round));
        }
    }
}

TEST(IsosurfaceTopology, EveryPairOfCells) {
    Random random(2);
    for (unsigned corners = 0; corners < 4096; ++corners) {
        for (int round = 0; round < 2; ++round) {
            DistanceGrid grid({Vec3::Zero(), 1, {5, 4, 4}}, round == 0 ? 1.0F : 0.05F);
            for (int c = 0; c < 12; ++c) {
                const double size = round == 0 ? 1 : random.uniform(0.01, 1);
                grid.at(1 + c % 3, 1 + c / 3 % 2, 1 + c / 6) =
                    static_cast<float>((corners >> c & 1U) != 0 ? -size : size);
            }
            check(grid, "pair " + std::to_string(corners));
        }
    }
}

/// A value for a lattice point, chosen to be as awkward as the kind says.
float awkwardValue(Random& random, int kind) {
    switch (kind) {
        case 0:
            return static_cast<float>(random.uniform(-1, 1));
        case 1:
            return random.below(2) != 0 ? 1.0F : -1.0F;  // every saddle undecided
        case 2:
            return static_cast<float>(static_cast<int>(random.below(3)) - 1);  // exact zeros
        case 3:
            return static_cast<float>(random.uniform() < 0.1 ? -random.uniform() : 1.0);
        case 4:
            return static_cast<float>(random.uniform() < 0.1 ? random.uniform() : -1.0);
        case 5:
            return static_cast<float>((random.below(2) != 0 ? 1 : -1) *
                                      std::ldexp(1.0, static_cast<int>(random.below(250)) - 140));
        case 6:
            return random.below(2) != 0 ? std::numeric_limits<float>::denorm_min()
                                        : -std::numeric_limits<float>::denorm_min();
        default: {
            const float infinity = std::numeric_limits<float>::infinity();
            const float choices[] = {infinity,
                                     -infinity,
                                     std::numeric_limits<float>::quiet_NaN(),
                                     0.0F,
                                     -0.0F,
                                     1.0F,
                                     -1.0F,
                                     std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::lowest()};
            return choices[random.below(9)];
        }
    }
}

TEST(IsosurfaceTopology, RandomGridsOfEveryKind) {
    for (int kind = 0; kind < 8; ++kind) {
        for (uint64_t seed = 0; seed < 400; ++seed) {
            Random random(mixSeed(3, static_cast<uint64_t>(kind)), seed);
            const auto side = [&] { return 3 + static_cast<int>(random.below(7)); };
            DistanceGrid grid({Vec3::Zero(), 1, {side(), side(), side()}});
            for (float& value : grid.values()) value = awkwardValue(random, kind);
            check(grid, "kind " + std::to_string(kind) + " seed " + std::to_string(seed));
            if (HasFatalFailure()) return;
        }
    }
}

TEST(IsosurfaceTopology, Checkerboards) {
    for (int period = 1; period <= 3; ++period) {
        DistanceGrid grid = cubeGrid(12);
        for (int k = 0; k < 12; ++k) {
            for (int j = 0; j < 12; ++j) {
                for (int i = 0; i < 12; ++i)
                    grid.at(i, j, k) = (i / period + j / period + k / period) % 2 == 0 ? -1.0F : 1.0F;
            }
        }
        check(grid, "checkerboard " + std::to_string(period));
    }
}

TEST(IsosurfaceTopology, SheetsOnePointThin) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const float value : {-1e-20F, -0.01F, -0.5F}) {
            DistanceGrid grid = cubeGrid(9);
            for (int k = 2; k < 7; ++k) {
                for (int j = 2; j < 7; ++j) {
                    Int3 p{j, k, 4};
                    std::rotate(p.begin(), p.begin() + axis, p.end());
                    grid.at(p[0], p[1], p[2]) = value;
                }
            }
            const TriMesh mesh = isosurface(grid);
            expectSolid(mesh, grid, "sheet");
            EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 0);
        }
    }
}

TEST(IsosurfaceTopology, IntersectionsOfNoise) {
    for (uint64_t seed = 0; seed < 400; ++seed) {
        Random random(4, seed);
        const int kind = static_cast<int>(seed % 8);
        DistanceGrid a = cubeGrid(7), b = cubeGrid(7);
        for (float& value : a.values()) value = awkwardValue(random, kind) - 0.2F;
        for (float& value : b.values()) value = awkwardValue(random, kind) - 0.2F;
        const TriMesh mesh = isosurfaceOfIntersection(a, b);
        expectSolid(mesh, a, "intersection seed " + std::to_string(seed));
        ASSERT_EQ(mesh.inside.size(), mesh.triangleCount());
    }
}

TEST(IsosurfaceTopology, SameBitsForAnyNumberOfThreads) {
    Random random(5);
    DistanceGrid grid = cubeGrid(40);
    for (float& value : grid.values()) value = static_cast<float>(random.uniform(-1, 1.5));
    const auto meshWith = [&](int threads) {
        const ThreadLimit limit(threads);
        return isosurface(grid);
    };
    const TriMesh one = meshWith(1), two = meshWith(2), four = meshWith(4);
    EXPECT_EQ(one.triangles, two.triangles);
    EXPECT_EQ(one.positions, two.positions);
    EXPECT_EQ(one.triangles, four.triangles);
    EXPECT_EQ(one.positions, four.positions);
}

TEST(IsosurfaceTopology, ScaleDoesNotMatter) {
    Random random(6);
    DistanceGrid grid = cubeGrid(16);
    for (float& value : grid.values()) value = static_cast<float>(random.uniform(-1, 1));
    const TriMesh mesh = isosurface(grid);
    const double factor = 0x1p-60;
    GridFrame frame = grid.frame();
    frame.origin *= factor;
    frame.cellSize *= factor;
    DistanceGrid tiny(frame);
    for (size_t i = 0; i < grid.values().size(); ++i) {
        tiny.values()[i] = static_cast<float>(grid.values()[i] * factor);
    }
    const TriMesh small = isosurface(tiny);
    EXPECT_EQ(mesh.triangles, small.triangles);
    for (const VertexIndex v : mesh.positions.indices())
        EXPECT_EQ(Vec3(mesh.positions[v] * factor), small.positions[v]);
}

}  // namespace
}  // namespace sunder
