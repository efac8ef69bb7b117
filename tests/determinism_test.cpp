// Same input, same bits, for any number of threads: every parallel part of the geometry, one after the other on real
// shapes, with 1, 2 and 4 threads. What comes out is compared byte by byte, so that even the sign of a zero counts.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/convex/sampling.h"
#include "geometry/convex/voronoi.h"
#include "geometry/grid/grid_mass.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/repair.h"
#include "geometry/shapes/shapes.h"
#include "geometry/surface/isosurface.h"
#include "geometry/tet/embedding.h"
#include "geometry/tet/stuffing.h"
#include "geometry/tree/self_intersections.h"
#include "io/mesh/mesh_io.h"

#ifndef SUNDER_PARALLEL_THREADS
#include <tbb/task_arena.h>
#endif

namespace sunder {
namespace {

namespace fs = std::filesystem;

// ---- results as bytes, member by member: padding has no defined content

using Bytes = std::string;

template <class Number>
requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void put(Bytes& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Scalar, int Rows>
void put(Bytes& bytes, const Eigen::Matrix<Scalar, Rows, 1>& vector) {
    for (int i = 0; i < Rows; ++i) put(bytes, vector[i]);
}

void put(Bytes& bytes, const SymMat3& m) {
    for (const double entry : {m.xx, m.yy, m.zz, m.xy, m.yz, m.zx}) put(bytes, entry);
}

template <class Range>
requires requires(const Range& range) { range.size(), range.begin(); }
void put(Bytes& bytes, const Range& range) {
    put(bytes, static_cast<uint64_t>(range.size()));
    for (const auto& item : range) put(bytes, item);
}

void put(Bytes& bytes, const TriMesh& mesh) {
    put(bytes, mesh.positions);
    put(bytes, mesh.triangles);
    put(bytes, mesh.uvs);
    put(bytes, mesh.normals);
    put(bytes, mesh.materials);
    put(bytes, mesh.inside);
}

void put(Bytes& bytes, const MassProperties& body) {
    put(bytes, body.volume);
    put(bytes, body.centre);
    put(bytes, body.inertia);
}

void put(Bytes& bytes, const RepairResult& result) {
    put(bytes, result.verdict);
    put(bytes, result.mesh);
    for (const RepairAction& action : result.actions) {
        put(bytes, action.what);
        put(bytes, action.count);
    }
    put(bytes, result.warnings);
    put(bytes, result.reason);
    put(bytes, result.rebuilt);
    put(bytes, result.cellSize);
    put(bytes, result.bodies);
    put(bytes, result.volume);
}

void put(Bytes& bytes, const VoronoiDiagram& diagram) {
    put(bytes, diagram.vertices());
    for (uint32_t i = 0; i < diagram.cellCount(); ++i) {
        const SiteIndex site{i};
        for (const VoronoiDiagram::Face& face : diagram.faces(site)) {
            put(bytes, face.neighbour);
            put(bytes, face.wall);
            put(bytes, diagram.loop(face));
        }
        put(bytes, diagram.volume(site));
    }
}

void put(Bytes& bytes, const Embedding& embedding) {
    for (const TetPoint& point : embedding.vertices) {
        put(bytes, point.tet);
        put(bytes, point.weights);
    }
    put(bytes, embedding.firstTet);
    put(bytes, embedding.tets);
}

template <class... Parts>
Bytes bytesOf(const Parts&... parts) {
    Bytes bytes;
    (put(bytes, parts), ...);
    return bytes;
}

// ---- the same work with 1, 2 and 4 threads

/// With TBB in an arena of that many places, since the usual one has no more than the machine has cores.
Bytes withThreads(int threads, const std::function<Bytes()>& work) {
    const ThreadLimit limit(threads);
#ifdef SUNDER_PARALLEL_THREADS
    return work();
#else
    tbb::task_arena arena(threads);
    return arena.execute(work);
#endif
}

void expectSameBytes(const std::string& what, const std::function<Bytes()>& work) {
    const Bytes one = withThreads(1, work);
    EXPECT_GT(one.size(), 1000u) << what << ": there is something to compare";
    for (const int threads : {2, 4}) {
        const Bytes many = withThreads(threads, work);
        const auto [here, there] = std::ranges::mismatch(one, many);
        EXPECT_TRUE(one == many) << what << " with " << threads << " threads: " << many.size() << " bytes instead of "
                                 << one.size() << ", the first other one at " << here - one.begin();
    }
}

TriMesh animal() { return makeShape("animal", {}, 32); }
TriMesh goblet() { return makeShape("goblet", {}, 48); }

DistanceGrid gridOf(const TriMesh& mesh, int cells) { return gridFromMesh(mesh, cellSizeFor(mesh, cells)); }

/// A grid whose surface takes every way through a cell there is.
DistanceGrid noise(uint64_t seed, int points) {
    Random random(seed);
    DistanceGrid grid(GridFrame{.origin = Vec3::Zero(), .cellSize = 0.1, .points = {points, points, points}});
    for (float& value : grid.values()) value = static_cast<float>(random.uniform(-0.05, 0.1));
    return grid;
}

std::vector<Vec3> randomSites(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<Vec3> sites(count);
    for (Vec3& site : sites) {
        for (int i = 0; i < 3; ++i) site[i] = random.uniform(0, 1);
    }
    return sites;
}

TEST(Determinism, Shapes) {
    for (const char* name : {"animal", "figure", "gyroid_block", "fluted_column"}) {
        expectSameBytes(name, [&] { return bytesOf(makeShape(name, {}, 24)); });
    }
}

TEST(Determinism, Grids) {
    for (const TriMesh& mesh : {animal(), goblet()}) {
        for (const GridSign sign : {GridSign::ClosedMesh, GridSign::WindingNumber}) {
            expectSameBytes("grid", [&] {
                const DistanceGrid grid = gridFromMesh(mesh, cellSizeFor(mesh, 64), {.sign = sign});
                return bytesOf(grid.values(), massProperties(grid));
            });
        }
    }
}

TEST(Determinism, Isosurfaces) {
    const DistanceGrid smooth = gridOf(goblet(), 64), a = noise(5, 40), b = noise(6, 40);
    expectSameBytes("goblet", [&] { return bytesOf(isosurface(smooth)); });
    expectSameBytes("noise", [&] { return bytesOf(isosurface(a)); });
    expectSameBytes("intersection", [&] { return bytesOf(isosurfaceOfIntersection(a, b)); });
}

TEST(Determinism, TetrahedraAndEmbedding) {
    const TriMesh surface = goblet();
    const DistanceGrid smooth = gridOf(surface, 64), rough = noise(11, 24);
    const double cell = smooth.frame().cellSize;
    for (const StuffingOptions& options : {StuffingOptions{.cellSize = 1.5 * cell}, {.targetTets = 20000}}) {
        expectSameBytes("goblet", [&] {
            const Stuffing stuffing = stuffWithReport(smooth, options);
            return bytesOf(stuffing.mesh.nodes, stuffing.mesh.tets, stuffing.report.lostVolume,
                           stuffing.report.solidVolume, embed(surface, stuffing.mesh));
        });
    }
    expectSameBytes("noise", [&] {
        const TetMesh mesh = stuffIsosurface(rough, {.cellSize = 0.05});
        return bytesOf(mesh.nodes, mesh.tets, boundaryOf(mesh).surface);
    });
}

TEST(Determinism, VoronoiCells) {
    const Box3 box{Vec3::Zero(), Vec3::Ones()};
    std::vector<Vec3> lattice;  // eight sites equally near to every inner corner
    for (int i = 0; i < 512; ++i) lattice.emplace_back((i % 8 + 0.5) / 8, (i / 8 % 8 + 0.5) / 8, (i / 64 + 0.5) / 8);
    for (const std::vector<Vec3>& sites : {randomSites(47, 2000), lattice}) {
        expectSameBytes("voronoi", [&] { return bytesOf(voronoi(sites, box)); });
    }
}

TEST(Determinism, SamplesMassAndSelfIntersections) {
    const TriMesh mesh = animal();
    for (const SampleSpread spread : {SampleSpread::Random, SampleSpread::BlueNoise}) {
        expectSameBytes("samples", [&] {
            Bytes bytes;
            const SamplingOptions options{.count = 2000, .seed = 3, .curvatureShare = 0.3, .spread = spread};
            for (const SurfaceSample& sample : sampleSurface(mesh, options)) {
                put(bytes, bytesOf(sample.triangle, sample.barycentric, sample.point));
            }
            return bytes;
        });
    }
    TriMesh crossing = mesh;
    append(crossing, transformed(mesh, RigidTransform{Quat::Identity(), Vec3::Constant(0.05)}));
    expectSameBytes("pairs", [&] {
        Bytes bytes = bytesOf(massProperties(crossing));
        for (const IntersectingPair& pair : selfIntersections(crossing)) {
            put(bytes, bytesOf(pair.first, pair.second, pair.relation));
        }
        return bytes;
    });
}

TEST(Determinism, Repair) {
    TriMesh local = animal();  // holes, turned triangles, copies: mended in place
    for (uint32_t t = 0; t < local.triangleCount(); t += 97) flipTriangle(local, TriangleIndex{t});
    append(local, subset(local, {TriangleIndex{3}, TriangleIndex{500}, TriangleIndex{900}}));
    std::vector<TriangleIndex> kept;
    for (const TriangleIndex t : local.triangles.indices()) {
        if (raw(t) % 401 != 7) kept.push_back(t);
    }
    local = subset(local, kept);

    TriMesh overlapping = makeShape("torus", {}, 32);  // two shells that cross: rebuilt through the grid
    append(overlapping, transformed(overlapping, RigidTransform{Quat::Identity(), Vec3(0.1, 0.05, 0.02)}));

    const RepairResult mended = repair(local), rebuilt = repair(overlapping);
    EXPECT_TRUE(mended.verdict == RepairVerdict::Repaired && !mended.rebuilt) << mended.reason;
    EXPECT_TRUE(rebuilt.verdict == RepairVerdict::Repaired && rebuilt.rebuilt) << rebuilt.reason;
    expectSameBytes("mended in place", [&] { return bytesOf(repair(local)); });
    expectSameBytes("rebuilt", [&] { return bytesOf(repair(overlapping, {.rebuildCells = 64})); });
}

// Every file of the shared bad meshes: verdict, actions, sentences and solid.
TEST(Determinism, RepairOfBadFiles) {
    if (std::getenv("SUNDER_FULL_TESTS") == nullptr) GTEST_SKIP() << "set SUNDER_FULL_TESTS=1";
    const fs::path folder = fs::path(SUNDER_SHARED_DATA) / "meshes/bad";
    if (!fs::exists(folder)) GTEST_SKIP() << "no shared meshes at " << folder;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        TriMesh mesh;
        try {
            mesh = readMesh(file).mesh;
        } catch (const InputError&) {
            continue;  // refused by the reader, or not a mesh
        }
        const auto work = [&] { return bytesOf(repair(mesh)); };
        EXPECT_TRUE(withThreads(1, work) == withThreads(4, work)) << file;
    }
}

}  // namespace
}  // namespace sunder
