#include "geometry/tet/embedding.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/tet/detail/triangle_tet.h"
#include "geometry/tet/stuffing.h"
#include "geometry/tree/test_meshes.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

TetMesh ballOfTets(double cubeSize) {
    DistanceGrid grid(alignedFrame({Vec3::Constant(-1), Vec3::Constant(1)}, 0.1, 2));
    const Int3& n = grid.frame().points;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                grid.at(i, j, k) = static_cast<float>(grid.frame().position(i, j, k).norm() - 1);
            }
        }
    }
    return stuffIsosurface(grid, {.cellSize = cubeSize / kCubePerCell});
}

/// Area of the part of a triangle inside a tet, by clipping it at the four faces.
double clippedArea(const std::array<Vec3, 3>& triangle, const std::array<Vec3, 4>& tet) {
    std::vector<Vec3> polygon(triangle.begin(), triangle.end());
    for (const auto& [i, j, k] : kTetFaces) {
        const Vec3 normal = (tet[j] - tet[i]).cross(tet[k] - tet[i]);
        std::vector<Vec3> kept;
        for (size_t v = 0; v < polygon.size(); ++v) {
            const Vec3& a = polygon[v];
            const Vec3& b = polygon[(v + 1) % polygon.size()];
            const double da = normal.dot(a - tet[i]), db = normal.dot(b - tet[i]);
            if (da <= 0) kept.push_back(a);
            if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept.push_back(a + da / (da - db) * (b - a));
        }
        polygon = kept;
    }
    Vec3 sum = Vec3::Zero();
    for (size_t v = 2; v < polygon.size(); ++v) sum += (polygon[v - 1] - polygon[0]).cross(polygon[v] - polygon[0]);
    return 0.5 * sum.norm();
}

}  // namespace

TEST(Embedding, BarycentricWeightsGiveThePointBack) {
    const TetMesh mesh = ballOfTets(0.3);
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const auto t = static_cast<TetIndex>(random.below(mesh.tetCount()));
        const Vec3 x(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const Vec4 weights = barycentric(mesh, t, x);
        EXPECT_NEAR(weights.sum(), 1, 1e-13 * weights.cwiseAbs().sum());
        EXPECT_LE((pointAt(mesh, {t, weights}) - x).norm(), 1e-13 * weights.cwiseAbs().sum());
    }
}

TEST(Embedding, LocatorAgreesWithTryingAll) {
    const TetMesh mesh = ballOfTets(0.3);
    const TetLocator locator(mesh);
    Random random(2);
    int inside = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 x(random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2));
        const TetPoint found = locator.locate(x);
        ASSERT_NE(found.tet, kNone<TetIndex>);
        TetIndex expected = kNone<TetIndex>;
        for (const TetIndex t : mesh.tets.indices()) {
            if (barycentric(mesh, t, x).minCoeff() < 0) continue;
            expected = t;
            break;
        }
        if (expected != kNone<TetIndex>) {
            ++inside;
            EXPECT_EQ(found.tet, expected);
        } else {
            EXPECT_LT(found.weights.minCoeff(), 0);
            // nothing is nearer than the tet it is tied to
            const auto distance = [&](TetIndex t) {
                const auto c = mesh.corners(t);
                double nearest = 1e300;
                for (const auto& [a, b, d] : kTetFaces) {
                    nearest = std::min(nearest, closestPointOnTriangle(x, c[a], c[b], c[d]).squaredDistance);
                }
                return nearest;
            };
            for (const TetIndex t : mesh.tets.indices()) EXPECT_LE(distance(found.tet), distance(t) * (1 + 1e-12));
        }
    }
    EXPECT_GT(inside, 50);
    EXPECT_EQ(TetLocator(TetMesh()).locate(Vec3::Zero()).tet, kNone<TetIndex>);
    EXPECT_TRUE(TetLocator(TetMesh()).overlapping({Vec3::Zero(), Vec3::Ones()}).empty());
}

TEST(Embedding, NodesBelongToTheirLowestTet) {
    const TetMesh mesh = ballOfTets(0.4);
    const TetLocator locator(mesh);
    IndexedVector<NodeIndex, TetIndex> lowest(mesh.nodeCount(), kNone<TetIndex>);
    for (const TetIndex t : mesh.tets.indices()) {
        for (const NodeIndex n : mesh.tets[t]) lowest[n] = std::min(lowest[n], t);
    }
    for (const NodeIndex n : mesh.nodes.indices()) EXPECT_EQ(locator.locate(mesh.nodes[n]).tet, lowest[n]);
}

TEST(TriangleTetOverlap, KnownCases) {
    const std::array<Vec3, 4> tet{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    using T = std::array<Vec3, 3>;
    // inside, around, touching a face, an edge, a corner
    EXPECT_TRUE(detail::overlaps(T{Vec3(.1, .1, .1), Vec3(.2, .1, .1), Vec3(.1, .2, .1)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(-9, -9, .1), Vec3(9, -9, .1), Vec3(0, 20, .1)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(.1, .1, 0), Vec3(.2, .1, -1), Vec3(.1, .2, -1)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(.5, -1, -1), Vec3(.5, 1, -1), Vec3(.5, 0, 0)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(1, 0, 0), Vec3(2, 1, 0), Vec3(2, 0, 1)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0)}, tet));
    // past an edge, past a corner, beside in the same plane, and a flat one
    EXPECT_FALSE(detail::overlaps(T{Vec3(.6, .6, .2), Vec3(1, 1, .2), Vec3(1, 1, 1)}, tet));
    EXPECT_FALSE(detail::overlaps(T{Vec3(1.001, 0, 0), Vec3(2, 1, 0), Vec3(2, 0, 1)}, tet));
    EXPECT_FALSE(detail::overlaps(T{Vec3(1.001, 0, 0), Vec3(2, 1, 0), Vec3(2, -1, 0)}, tet));
    EXPECT_FALSE(detail::overlaps(T{Vec3(.7, .7, 0), Vec3(.8, .8, 0), Vec3(.9, .9, 0)}, tet));
    EXPECT_TRUE(detail::overlaps(T{Vec3(.1, .1, 0), Vec3(.1, .1, 0), Vec3(.1, .1, 0)}, tet));
}

TEST(TriangleTetOverlap, AgreesWithClippingOnRandomPairs) {
    Random random(4);
    const auto point = [&](double size) {
        return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
    };
    int hits = 0;
    for (int i = 0; i < 20000; ++i) {
        std::array<Vec3, 4> tet{point(1), point(1), point(1), point(1)};
        if ((tet[1] - tet[0]).cross(tet[2] - tet[0]).dot(tet[3] - tet[0]) < 0) std::swap(tet[0], tet[1]);
        const Vec3 shift = point(1);
        std::array<Vec3, 3> triangle{point(0.7) + shift, point(0.7) + shift, point(0.7) + shift};
        const bool crossing = clippedArea(triangle, tet) > 0;
        hits += crossing;
        // clipping may leave nothing of a grazing triangle, never something of a missing one
        ASSERT_EQ(detail::overlaps(triangle, tet), crossing);
        for (const double scale : {1e-9, 1e9}) {
            auto farTriangle = triangle;
            auto farTet = tet;
            for (Vec3& x : farTriangle) x *= scale;
            for (Vec3& x : farTet) x *= scale;
            ASSERT_EQ(detail::overlaps(farTriangle, farTet), crossing);
        }
    }
    EXPECT_GT(hits, 2000);
}

TEST(Embedding, CrossedTetsCoverEveryInnerTriangle) {
    const TetMesh mesh = ballOfTets(0.25);
    const TriMesh surface = test::sphere(Vec3(0.05, 0, -0.03), 0.8, 3);  // wholly inside
    const Embedding embedding = embed(surface, mesh);
    ASSERT_EQ(embedding.firstTet.size(), surface.triangleCount() + 1);
    for (const TriangleIndex t : surface.triangles.indices()) {
        const auto crossed = embedding.tetsOf(t);
        ASSERT_TRUE(std::is_sorted(crossed.begin(), crossed.end()));
        const auto corners = surface.corners(t);
        double sum = 0;
        for (const TetIndex tet : crossed) sum += clippedArea(corners, mesh.corners(tet));
        const double area = 0.5 * surface.areaVector(t).norm();
        ASSERT_NEAR(sum, area, 1e-12 * area);
        // and none with area is missing
        double all = 0;
        for (const TetIndex tet : mesh.tets.indices()) all += clippedArea(corners, mesh.corners(tet)) > 1e-9 * area;
        ASSERT_LE(all, static_cast<double>(crossed.size()));
        if (raw(t) > 60) break;
    }
    for (const TetPoint& vertex : embedding.vertices) EXPECT_GE(vertex.weights.minCoeff(), -1e-14);
}

TEST(Embedding, SurfaceOutsideIsTiedToTheNearestTet) {
    const TetMesh mesh = ballOfTets(0.3);
    const TriMesh surface = test::sphere(Vec3(5, 0, 0), 0.1, 1);
    const Embedding embedding = embed(surface, mesh);
    for (const TriangleIndex t : surface.triangles.indices()) {
        ASSERT_EQ(embedding.tetsOf(t).size(), 1u);
        const auto x = mesh.corners(embedding.tetsOf(t)[0]);
        EXPECT_GT(std::max({x[0].x(), x[1].x(), x[2].x(), x[3].x()}), 0.9);
    }
}

TEST(Embedding, AffineMotionCarriesTheSurface) {
    const TetMesh mesh = ballOfTets(0.25);
    const TriMesh surface = test::sphere(Vec3::Zero(), 1, 4);  // partly outside the tets
    const Embedding embedding = embed(surface, mesh);
    Mat3 stretch;
    stretch << 1.1, 0.2, -0.3, 0.1, 0.8, 0.4, 0.5, -0.2, 1.3;
    const Vec3 shift(3, -2, 1);
    TetMesh moved = mesh;
    for (Vec3& x : moved.nodes) x = stretch * x + shift;
    const TriMesh result = deformed(surface, embedding, moved);
    for (const VertexIndex v : surface.positions.indices()) {
        ASSERT_LE((result.positions[v] - (stretch * surface.positions[v] + shift)).norm(), 1e-12);
    }
    EXPECT_TRUE(result.triangles == surface.triangles);
}

TEST(Embedding, SameForAnyNumberOfThreads) {
    const TetMesh mesh = ballOfTets(0.2);
    const TriMesh surface = test::sphere(Vec3::Zero(), 1, 4);
    const auto made = [&](int threads) {
        ThreadLimit limit(threads);
        return embed(surface, mesh);
    };
    const Embedding one = made(1), two = made(2);
    EXPECT_EQ(one.firstTet, two.firstTet);
    EXPECT_EQ(one.tets, two.tets);
    for (const VertexIndex v : surface.positions.indices()) {
        EXPECT_EQ(one.vertices[v].tet, two.vertices[v].tet);
        EXPECT_EQ(one.vertices[v].weights, two.vertices[v].weights);
    }
}

}  // namespace sunder
