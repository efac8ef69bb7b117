#include "geometry/convex/fragment_generator.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "geometry/convex/convex_hull.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {
namespace {

double depthOf(const ConvexPolytope& piece) {
    double least = 1e300;
    for (const auto& face : piece.faces) least = std::min(least, -face.surface.height(Vec3::Zero()));
    return least;
}

TEST(Fragments, ConvexPiecesHaveTheStatisticsOfTheBenchmark) {
    const auto pieces = convexFragments(7, 1024);
    double corners = 0, faces = 0, extent = 0, depth = 0;
    for (const ConvexPolytope& piece : pieces) {
        EXPECT_GE(piece.vertices.size(), 12u);
        EXPECT_LE(piece.vertices.size(), 20u);
        const double size = boundsOf(piece).size().maxCoeff();
        EXPECT_GE(size, 0.106 - 1e-12);
        EXPECT_LE(size, 0.300 + 1e-12);
        EXPECT_GE(depthOf(piece), 0.02);
        EXPECT_LT(centreOf(piece).norm(), 1e-15);
        corners += static_cast<double>(piece.vertices.size());
        faces += static_cast<double>(piece.faces.size());
        extent += size;
        depth += depthOf(piece);
    }
    const double n = static_cast<double>(pieces.size());
    EXPECT_NEAR(corners / n, 15.7, 0.3);
    EXPECT_NEAR(faces / n, 9.9, 0.15);
    EXPECT_NEAR(extent / n, 0.227, 0.005);
    EXPECT_NEAR(depth / n, 0.040, 0.003);
}

TEST(Fragments, ConvexPiecesAreSolidAndDistinct) {
    std::set<double> volumes;
    for (const ConvexPolytope& piece : convexFragments(8)) {
        const TriMesh mesh = toTriMesh(piece);
        EXPECT_TRUE(isClosedManifold(mesh));
        EXPECT_NEAR(volume(mesh), volume(piece), 1e-15);
        // its own hull: nothing dented
        EXPECT_NEAR(volume(convexHull(piece.vertices).polytope), volume(piece), 1e-12 * volume(piece));
        volumes.insert(volume(piece));
    }
    EXPECT_EQ(volumes.size(), 256u);
}

TEST(Fragments, ConcavePiecesAreCleanSolids) {
    for (const ConcaveKind kind : {ConcaveKind::Corner, ConcaveKind::Crescent, ConcaveKind::Notched}) {
        for (uint64_t i = 0; i < 50; ++i) {
            const TriMesh mesh = concaveFragment(kind, 9, i);
            EXPECT_TRUE(isClosedManifold(mesh));
            EXPECT_EQ(genus(mesh, MeshTopology(mesh)), 0);
            EXPECT_TRUE(selfIntersections(mesh).empty()) << static_cast<int>(kind) << " " << i;
            const double solid = volume(mesh), hull = volume(convexHull(mesh.positions.items()).polytope);
            EXPECT_GT(solid, 0);
            EXPECT_LT(solid, 0.95 * hull) << static_cast<int>(kind) << " " << i;
            EXPECT_LT(massProperties(mesh).centre.norm(), 1e-12);
            const double size = boundsOf(mesh).size().maxCoeff();
            EXPECT_GE(size, 0.106 - 1e-12);
            EXPECT_LE(size, 0.300 + 1e-12);
        }
    }
}

TEST(Fragments, SeedsDecide) {
    EXPECT_EQ(convexFragment(1, 5).vertices, convexFragments(1, 6)[5].vertices);
    EXPECT_NE(convexFragment(1, 5).vertices, convexFragment(2, 5).vertices);
    EXPECT_NE(concaveFragment(ConcaveKind::Corner, 1, 0).positions,
              concaveFragment(ConcaveKind::Corner, 1, 1).positions);
}

}  // namespace
}  // namespace sunder
