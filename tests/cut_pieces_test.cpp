#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh_io.h"
#include "tests/piece_checker.h"

using namespace sunder;

namespace {

constexpr int kSiteSets = 20;

std::vector<Vec3> randomSites(const Box3& box, size_t count, uint64_t seed) {
    std::vector<Vec3> sites(count);
    for (size_t i = 0; i < count; ++i) {
        Random random(seed, i);
        for (int k = 0; k < 3; ++k) sites[i][k] = box.min[k] + random.uniform() * box.size()[k];
    }
    return sites;
}

std::vector<TriMesh> meshesOf(std::vector<CutPiece> pieces) {
    std::vector<TriMesh> meshes;
    for (CutPiece& piece : pieces) meshes.push_back(std::move(piece.mesh));
    return meshes;
}

/// Cuts, checks, and returns the pieces.
std::vector<TriMesh> cutAndCheck(const TriMesh& solid, std::span<const Vec3> sites, const std::string& what) {
    const auto pieces = meshesOf(cutByCells(solid, voronoi(sites, boundsOf(solid))));
    const PieceReport report = checkPieces(solid, pieces);
    EXPECT_TRUE(report.good()) << what << ": " << describe(report);
    EXPECT_LT(report.volumeError, 1e-11) << what;
    return pieces;
}

void cutManyWays(const TriMesh& solid, const std::string& name, int sets = kSiteSets, size_t count = 0) {
    for (int set = 0; set < sets; ++set) {
        const size_t sites = count > 0 ? count : 2 + static_cast<size_t>(set) * 3;
        const auto pieces = cutAndCheck(solid, randomSites(boundsOf(solid), sites, static_cast<uint64_t>(set) + 1),
                                        name + ", set " + std::to_string(set));
        EXPECT_GE(pieces.size(), 1u);
    }
}

TriMesh inward(TriMesh mesh) {
    flipOrientation(mesh);
    return mesh;
}

}  // namespace

TEST(CutPieces, Box) { cutManyWays(makeShape("box"), "box"); }
TEST(CutPieces, Sphere) { cutManyWays(makeShape("sphere"), "sphere"); }
TEST(CutPieces, Torus) { cutManyWays(makeShape("torus"), "torus"); }
TEST(CutPieces, Goblet) { cutManyWays(makeShape("goblet"), "goblet"); }
TEST(CutPieces, Gyroid) { cutManyWays(makeShape("gyroid_block", {}, 24), "gyroid"); }
TEST(CutPieces, Animal) { cutManyWays(makeShape("animal"), "animal"); }

TEST(CutPieces, HollowSphere) {
    TriMesh hollow = makeShape("sphere");
    append(hollow, inward(scaled(hollow, 0.8)));
    cutManyWays(hollow, "hollow sphere");
}

TEST(CutPieces, NestedShells) {
    const TriMesh ball = makeShape("sphere");
    TriMesh nested = ball;
    append(nested, inward(scaled(ball, 0.8)));
    append(nested, scaled(ball, 0.5));
    cutManyWays(nested, "ball in a hollow ball");
}

TEST(CutPieces, EachPieceOnceMore) {
    for (const char* name : {"sphere", "animal", "goblet"}) {
        const TriMesh solid = makeShape(name);
        const auto pieces = cutAndCheck(solid, randomSites(boundsOf(solid), 12, 5), name);
        for (size_t p = 0; p < pieces.size(); ++p) {
            const std::string what = std::string(name) + ", piece " + std::to_string(p);
            const auto parts = cutAndCheck(pieces[p], randomSites(boundsOf(pieces[p]), 6, 100 + p), what);
            // and once more
            const TriMesh& largest = parts.at(0);
            cutAndCheck(largest, randomSites(boundsOf(largest), 4, 200 + p), what + ", again");
        }
    }
}

TEST(CutPieces, RealModels) {
    const std::filesystem::path folder = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes/models";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared test data";
    for (const char* name :
         {"bunny_5k.obj", "armadillo_10k.stl", "horse_20k.obj", "fertility_10k.off", "goblet_victorian_11k.stl"}) {
        const TriMesh solid = readMesh(folder / name).mesh;
        cutManyWays(solid, name, 20, 20);
    }
}
