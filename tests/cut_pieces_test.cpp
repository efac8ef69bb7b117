#include <cmath>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/join_pieces.h"
#include "geometry/cut/lattice_walls.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/diagnose.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
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
std::vector<TriMesh> cutAndCheck(const TriMesh& solid, std::span<const Vec3> sites, const std::string& what,
                                 double margin = 0) {
    const auto pieces = meshesOf(cutByCells(solid, voronoi(sites, boundsOf(solid).expanded(margin))));
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

/// A lattice of labels without sense or order, with walls halfway between: every way in which labels can meet.
CellWalls wallsOfRandomLabels(const TriMesh& solid, uint32_t labelCount, uint64_t seed) {
    const DistanceGrid grid = gridFromMesh(solid, cellSizeFor(solid, 6));
    std::vector<uint32_t> labels;
    Random random(seed, labelCount);
    for (size_t n = 0; n < grid.frame().pointCount(); ++n) {
        labels.push_back(static_cast<uint32_t>(random.uniform() * labelCount));
    }
    return latticeWalls({&grid, labels, labelCount, [](const Vec3&, uint32_t, uint32_t) { return 0.0; }});
}

}  // namespace

TEST(CutPieces, RandomLabels) {
    const TriMesh box = makeShape("box", {}, 8);
    RigidTransform aslant;
    aslant.rotation = Quat(0.9, 0.1, 0.3, -0.2).normalized();
    for (const TriMesh& solid : {makeShape("sphere", {}, 12), transformed(box, aslant)}) {
        for (uint64_t seed = 0; seed < 8; ++seed) {
            for (const uint32_t labels : {2u, 3u, 5u, 40u}) {
                SCOPED_TRACE(std::to_string(labels) + " labels, seed " + std::to_string(seed));
                const std::vector<CutPiece> pieces = cutByWalls(solid, wallsOfRandomLabels(solid, labels, seed));
                const PieceReport report = checkPieces(solid, meshesOf(pieces));
                EXPECT_TRUE(report.good()) << describe(report);
                const PieceReport joined = checkPieces(solid, meshesOf(withoutCrumbs(pieces, {.share = 0.3})));
                EXPECT_TRUE(joined.good()) << "joined: " << describe(joined);
                EXPECT_LE(joined.pieces, report.pieces);
            }
        }
    }
}

// faces and edges of the box lie on planes and lines of the lattice, so that walls meet in them: triangles without area
// may be left, of which none can say whether they are crack or surface
TEST(CutPieces, RandomLabelsOnALatticeThatTheBoxLiesOn) {
    const TriMesh box = makeShape("box", {}, 8);
    for (uint64_t seed = 0; seed < 8; ++seed) {
        for (const uint32_t labels : {2u, 3u, 5u, 40u}) {
            SCOPED_TRACE(std::to_string(labels) + " labels, seed " + std::to_string(seed));
            const PieceReport report =
                checkPieces(box, meshesOf(cutByWalls(box, wallsOfRandomLabels(box, labels, seed))));
            EXPECT_EQ(report.openPieces + report.inwardPieces, 0u) << describe(report);
            EXPECT_LT(report.volumeError, 1e-11);
            EXPECT_LT(report.areaError, 1e-11);
        }
    }
}

TEST(CutPieces, Box) { cutManyWays(makeShape("box"), "box"); }
TEST(CutPieces, Sphere) { cutManyWays(makeShape("sphere"), "sphere"); }
TEST(CutPieces, Torus) { cutManyWays(makeShape("torus"), "torus"); }
TEST(CutPieces, Goblet) { cutManyWays(makeShape("goblet"), "goblet"); }
TEST(CutPieces, Gyroid) { cutManyWays(makeShape("gyroid_block", {}, 8), "gyroid", 6); }
TEST(CutPieces, Animal) { cutManyWays(makeShape("animal", {}, 24), "animal"); }

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

/// Sites of a lattice of n x n x n cells that start at `corner`.
std::vector<Vec3> latticeSites(const Vec3& corner, const Vec3& cell, int n) {
    std::vector<Vec3> sites;
    for (int i = 0; i < n * n * n; ++i) {
        sites.push_back(corner + cell.cwiseProduct(Vec3(i % n + 0.5, i / n % n + 0.5, i / (n * n) + 0.5)));
    }
    return sites;
}

// walls in the box's faces, along its edges, through its vertices and through each other's edges
TEST(CutPieces, LatticeOnABox) {
    const TriMesh box = makeShape("box", {}, 8);
    const Box3 bounds = boundsOf(box);
    for (const int n : {1, 2, 3, 4, 5, 8}) {
        const auto sites = latticeSites(bounds.min - bounds.size() / n, bounds.size() / n, n + 2);
        const auto pieces = cutAndCheck(box, sites, "lattice of " + std::to_string(n), 2.0);
        ASSERT_EQ(pieces.size(), static_cast<size_t>(n * n * n));
        for (const TriMesh& piece : pieces) {
            EXPECT_NEAR(volume(piece) * n * n * n, volume(box), 1e-12);
            EXPECT_TRUE(diagnose(piece).solid()) << describe(diagnose(piece));
        }
    }
}

// the same turned, so that every coincidence is one up to rounding only, and with sites that are off by a little
TEST(CutPieces, LatticeUpToRounding) {
    const TriMesh upright = makeShape("box", {}, 8);
    const Quat turn = Quat(0.8, 0.3, -0.4, 0.2).normalized();
    for (const double noise : {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-9, 1e-6}) {
        for (const bool turned : {false, true}) {
            const RigidTransform frame{turned ? turn : Quat::Identity(), Vec3(0.1, 0.2, 0.3)};
            const TriMesh box = transformed(upright, frame);
            std::vector<Vec3> sites = latticeSites(Vec3::Constant(-1), Vec3::Constant(0.5), 4);
            for (size_t i = 0; i < sites.size(); ++i) {
                Random random(7, i);
                for (double& x : sites[i]) x += noise * random.uniform(-1, 1);
                sites[i] = frame * sites[i];
            }
            std::ostringstream what;
            what << "noise " << noise << (turned ? ", turned" : "");
            const auto pieces = cutAndCheck(box, sites, what.str(), 0.5);
            if (noise < 1e-13) {
                EXPECT_EQ(pieces.size(), 8u) << what.str();
            } else {
                EXPECT_GT(pieces.size(), 8u) << what.str();  // thin splinters, and closed all the same
            }
        }
    }
}

TEST(CutPieces, LatticeThroughRoundThings) {
    for (const char* name : {"sphere", "torus", "cylinder", "goblet"}) {
        const TriMesh solid = makeShape(name, {}, 24);
        const Box3 bounds = boundsOf(solid);
        for (const int n : {2, 4, 5}) cutAndCheck(solid, latticeSites(bounds.min, bounds.size() / n, n), name);
    }
}

TEST(CutPieces, CosphericalSites) {
    const TriMesh ball = makeShape("sphere");
    std::vector<Vec3> sites = randomSites(boundsOf(ball), 60, 3);
    for (Vec3& p : sites) p = 0.3 * p.normalized();
    EXPECT_EQ(cutAndCheck(ball, sites, "cospherical").size(), 60u);
}

TEST(CutPieces, SitesFarOutside) {
    const TriMesh ball = makeShape("sphere");
    std::vector<Vec3> sites = randomSites(boundsOf(ball), 8, 4);
    for (int i = 0; i < 8; ++i) sites.push_back(Vec3(i % 2 ? 1e6 : -1e6, i / 2 % 2 ? 1e3 : -1e3, 40.0 * i));
    cutAndCheck(ball, sites, "some far outside");
    for (Vec3& p : sites) p += Vec3(50, 0, 0);
    cutAndCheck(ball, sites, "all outside");
}

TEST(CutPieces, SmallLargeAndFarAway) {
    const TriMesh animal = makeShape("animal", {}, 24);
    for (const double scale : {1e-9, 1e9}) {
        const TriMesh solid = scaled(animal, scale);
        cutAndCheck(solid, randomSites(boundsOf(solid), 10, 6), "scale " + std::to_string(scale), 0.1 * scale);
    }
    const TriMesh away = transformed(animal, {Quat::Identity(), Vec3(1000, -2000, 500)});
    const auto pieces = meshesOf(cutByCells(away, voronoi(randomSites(boundsOf(away), 10, 6), boundsOf(away))));
    const PieceReport report = checkPieces(away, pieces);
    EXPECT_EQ(report.openPieces + report.inwardPieces + report.crackNotInside, 0u) << describe(report);
    EXPECT_LT(report.volumeError, 1e-9) << describe(report);
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
        cutManyWays(solid, name, kSiteSets, 20);
        const auto pieces = cutAndCheck(solid, randomSites(boundsOf(solid), 20, 50), name);
        for (size_t p = 0; p < pieces.size(); ++p) {
            cutAndCheck(pieces[p], randomSites(boundsOf(pieces[p]), 8, 100 + p),
                        std::string(name) + ", piece " + std::to_string(p));
        }
    }
}

// the checker sees what it must
TEST(PieceChecker, FindsFaults) {
    const TriMesh ball = makeShape("sphere");
    const auto pieces = meshesOf(cutByCells(ball, voronoi(randomSites(boundsOf(ball), 6, 1), boundsOf(ball))));
    ASSERT_TRUE(checkPieces(ball, pieces).good()) << describe(checkPieces(ball, pieces));

    std::vector<TriMesh> missing(pieces.begin() + 1, pieces.end());
    EXPECT_GT(checkPieces(ball, missing).volumeError, 1e-3);
    EXPECT_GT(checkPieces(ball, missing).strayTriangles, 0u);

    std::vector<TriMesh> open = pieces;
    open[0].triangles.items().pop_back();
    EXPECT_EQ(checkPieces(ball, open).openPieces, 1u);

    std::vector<TriMesh> turned = pieces;
    flipOrientation(turned[0]);
    EXPECT_EQ(checkPieces(ball, turned).inwardPieces, 1u);

    // one corner of a crack moved by one bit
    std::vector<TriMesh> moved = pieces;
    for (const TriangleIndex t : moved[0].triangles.indices()) {
        if (!moved[0].inside[t]) continue;
        double& x = moved[0].positions[moved[0].triangles[t][0]].x();
        x = std::nextafter(x, 10.0);
        break;
    }
    EXPECT_GT(checkPieces(ball, moved).strayTriangles, 0u);

    std::vector<TriMesh> unmarked = pieces;
    for (uint8_t& inside : unmarked[0].inside) inside = 0;
    EXPECT_GT(checkPieces(ball, unmarked).crackNotInside, 0u);

    std::vector<TriMesh> slid = pieces;
    for (auto& uv : slid[0].uvs) uv[0].x() += 0.01;
    EXPECT_GT(checkPieces(ball, slid).strayTriangles, 0u);
}
