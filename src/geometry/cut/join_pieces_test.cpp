#include "geometry/cut/join_pieces.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

double sumOf(const std::vector<CutPiece>& pieces) {
    double sum = 0;
    for (const CutPiece& piece : pieces) sum += volume(piece.mesh);
    return sum;
}

std::vector<CutPiece> slices(const TriMesh& solid, const std::vector<double>& places) {
    // walls halfway between sites on the x axis
    std::vector<Vec3> sites;
    for (const double x : places) sites.emplace_back(x, 0.1, 0.05);
    return cutByCells(solid, voronoi(sites, boundsOf(solid).expanded(0.5)));
}

TEST(JoinPieces, AThinSliceGoesToItsLargerFace) {
    const TriMesh box = toTriMesh(polytopeOf({Vec3::Zero(), Vec3(1, 1, 1)}));
    // walls at 0.5, 0.502
    std::vector<CutPiece> pieces = slices(box, {0.499, 0.501, 0.503});
    ASSERT_EQ(pieces.size(), 3u);
    const std::vector<CutPiece> joined = withoutCrumbs(std::move(pieces), {.share = 0.01});
    ASSERT_EQ(joined.size(), 2u);
    EXPECT_NEAR(sumOf(joined), 1, 1e-15);
    for (const CutPiece& piece : joined) EXPECT_TRUE(isClosedManifold(piece.mesh));
    // the wall between the two that are left is one of the two there were, and closed on itself: 1 m^2 on each side
    for (const CutPiece& piece : joined) {
        double area = 0;
        for (const TriangleIndex t : piece.mesh.triangles.indices()) {
            if (piece.mesh.inside[t]) area += 0.5 * piece.mesh.areaVector(t).norm();
        }
        EXPECT_NEAR(area, 1, 1e-12);
    }
}

TEST(JoinPieces, NothingHappensToPiecesOfLikeSize) {
    const TriMesh ball = makeShape("sphere", {}, 24);
    const std::vector<CutPiece> pieces = slices(ball, {-0.3, 0, 0.3});
    const std::vector<CutPiece> joined = withoutCrumbs(pieces);
    ASSERT_EQ(joined.size(), pieces.size());
    for (size_t n = 0; n < pieces.size(); ++n) {
        EXPECT_EQ(joined[n].mesh.positions.items(), pieces[n].mesh.positions.items());
    }
}

TEST(JoinPieces, ALimitOfVolumeJoinsUntilAllAreLarger) {
    const TriMesh ball = makeShape("animal", {}, 32);
    const Box3 box = boundsOf(ball);
    std::vector<Vec3> sites;
    for (uint64_t n = 0; n < 150; ++n) {
        Random random(5, n);
        Vec3 p;
        for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.min[k], box.max[k]);
        sites.push_back(p);
    }
    const std::vector<CutPiece> pieces = cutByCells(ball, voronoi(sites, box.expanded(0.01)));
    const double whole = volume(ball), least = 0.01 * whole;
    const std::vector<CutPiece> joined = withoutCrumbs(pieces, {.share = 0, .volume = least});
    EXPECT_LT(joined.size(), pieces.size());
    EXPECT_GT(joined.size(), 10u);
    EXPECT_NEAR(sumOf(joined), whole, 1e-12 * whole);
    for (const CutPiece& piece : joined) {
        EXPECT_GE(volume(piece.mesh), least);
        EXPECT_TRUE(isClosedManifold(piece.mesh));
    }
}

TEST(JoinPieces, APieceWithoutNeighboursStays) {
    TriMesh two = toTriMesh(polytopeOf({Vec3::Zero(), Vec3(1, 1, 1)}));
    append(two, toTriMesh(polytopeOf({Vec3(2, 0, 0), Vec3(2.01, 0.01, 0.01)})));
    const std::vector<CutPiece> joined = withoutCrumbs(slices(two, {0.5, 2.5}), {.share = 0.5, .volume = 0.1});
    EXPECT_EQ(joined.size(), 2u);
}

}  // namespace
}  // namespace sunder
