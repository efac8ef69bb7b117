#include "geometry/tree/triangle_tree.h"

#include <gtest/gtest.h>

#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

SurfacePoint nearestByBruteForce(const TriMesh& mesh, const Vec3& query) {
    SurfacePoint best;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        SurfacePoint found = closestPointOnTriangle(query, a, b, c);
        if (found.squaredDistance < best.squaredDistance) {
            best = found;
            best.triangle = t;
        }
    }
    return best;
}

void expectNearestLikeBruteForce(const TriMesh& mesh, const std::vector<Vec3>& queries) {
    const TriangleTree tree(mesh);
    for (const Vec3& query : queries) {
        const SurfacePoint expected = nearestByBruteForce(mesh, query), found = tree.closestPoint(query);
        ASSERT_EQ(found.squaredDistance, expected.squaredDistance) << query.transpose();
        ASSERT_EQ(raw(found.triangle), raw(expected.triangle)) << query.transpose();
        EXPECT_EQ(found.point, expected.point);
        const auto [a, b, c] = mesh.corners(found.triangle);
        const Vec3 again = found.barycentric[0] * a + found.barycentric[1] * b + found.barycentric[2] * c;
        EXPECT_LE((again - found.point).norm(), 1e-14 * (1 + query.norm() + a.norm()));
    }
}

std::vector<Vec3> randomPoints(uint64_t seed, size_t count, const Box3& box) {
    Random random(seed);
    std::vector<Vec3> points;
    for (size_t i = 0; i < count; ++i) points.push_back(test::randomIn(random, box));
    return points;
}

TEST(ClosestPointOnTriangle, KnownAnswersInEveryRegion) {
    const Vec3 a(0, 0, 0), b(2, 0, 0), c(0, 2, 0);
    const auto nearest = [&](const Vec3& q) { return closestPointOnTriangle(q, a, b, c).point; };
    EXPECT_EQ(nearest({0.5, 0.5, 3}), Vec3(0.5, 0.5, 0));
    EXPECT_EQ(nearest({-1, -1, 1}), a);
    EXPECT_EQ(nearest({4, -1, 1}), b);
    EXPECT_EQ(nearest({-1, 5, 0}), c);
    EXPECT_EQ(nearest({1, -3, 0}), Vec3(1, 0, 0));
    EXPECT_EQ(nearest({-3, 1, 2}), Vec3(0, 1, 0));
    EXPECT_NEAR((nearest({2, 2, 1}) - Vec3(1, 1, 0)).norm(), 0, 1e-15);
}

TEST(ClosestPointOnTriangle, DegenerateTrianglesAreTheirSegmentsAndPoints) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(3, 0, 0);
    EXPECT_EQ(closestPointOnTriangle({2, 1, 0}, a, b, c).point, Vec3(2, 0, 0));
    EXPECT_EQ(closestPointOnTriangle({2, 1, 0}, c, a, b).point, Vec3(2, 0, 0));
    EXPECT_EQ(closestPointOnTriangle({2, 1, 0}, a, a, a).point, a);
    EXPECT_EQ(closestPointOnTriangle({2, 1, 0}, a, a, c).point, Vec3(2, 0, 0));
    EXPECT_EQ(closestPointOnTriangle({2, 1, 0}, a, a, c).squaredDistance, 1);
}

// minimised over a fine sampling of the triangle as the second road
TEST(ClosestPointOnTriangle, NoSampledPointOfTheTriangleIsNearer) {
    const TriMesh mesh = test::soup(5, 200, 0.3);
    Random random(6);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        const Vec3 q = test::randomIn(random, {Vec3::Constant(-0.5), Vec3::Constant(1.5)});
        const double best = closestPointOnTriangle(q, a, b, c).squaredDistance;
        double sampled = 1e9;
        const int n = 40;
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; i + j <= n; ++j)
                sampled = std::min(sampled, (q - (a + (b - a) * i / n + (c - a) * j / n)).squaredNorm());
        }
        EXPECT_LE(best, sampled * (1 + 1e-12));
        EXPECT_LE(std::sqrt(sampled), std::sqrt(best) + 0.6 / n * 1.5);
    }
}

TEST(TriangleTree, NearestEqualsBruteForceOnASoup) {
    expectNearestLikeBruteForce(test::soup(1, 3000, 0.05),
                                randomPoints(2, 500, {Vec3::Constant(-0.5), Vec3::Constant(1.5)}));
}

TEST(TriangleTree, NearestEqualsBruteForceFarAwayAndFarOff) {
    TriMesh mesh = test::sphere(Vec3::Zero(), 1, 3);
    expectNearestLikeBruteForce(mesh, randomPoints(3, 50, {Vec3::Constant(-1e6), Vec3::Constant(1e6)}));
    for (Vec3& p : mesh.positions) p += Vec3(1e7, -2e7, 3e7);
    expectNearestLikeBruteForce(
        mesh, randomPoints(4, 100, {Vec3(1e7 - 2, -2e7 - 2, 3e7 - 2), Vec3(1e7 + 2, -2e7 + 2, 3e7 + 2)}));
}

// The centre of a sphere, and points on the symmetry planes of a box, are equally far from many triangles.
TEST(TriangleTree, TiesGoToTheLowestTriangle) {
    const TriMesh cube = test::box(Vec3::Constant(-1), Vec3::Constant(1));
    std::vector<Vec3> queries;
    for (int i = -4; i <= 4; ++i) {
        for (int j = -4; j <= 4; ++j) {
            for (int k = -4; k <= 4; ++k) queries.emplace_back(0.5 * i, 0.5 * j, 0.5 * k);
        }
    }
    expectNearestLikeBruteForce(cube, queries);
    expectNearestLikeBruteForce(test::sphere(Vec3::Zero(), 1, 4), {Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 0, -3)});

    // the same triangle many times over
    TriMesh copies;
    for (int i = 0; i < 500; ++i) append(copies, test::meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
    EXPECT_EQ(raw(TriangleTree(copies).closestPoint({3, 4, 5}).triangle), 0u);
}

TEST(TriangleTree, NearestEqualsBruteForceOnTheBunny) {
    SUNDER_LOAD_MODEL(bunny, "models/bunny_5k.obj");
    expectNearestLikeBruteForce(bunny, randomPoints(7, 400, boundsOf(bunny).expanded(0.02)));
}

TEST(TriangleTree, WithinLimitsTheSearch) {
    const TriMesh cube = test::box(Vec3::Constant(-1), Vec3::Constant(1));
    const TriangleTree tree(cube);
    EXPECT_EQ(tree.closestPoint({3, 0, 0}, 1.9).triangle, kNone<TriangleIndex>);
    EXPECT_EQ(tree.closestPoint({3, 0, 0}, 1.9).squaredDistance, std::numeric_limits<double>::infinity());
    EXPECT_EQ(tree.closestPoint({3, 0, 0}, 2).squaredDistance, 4);
    EXPECT_EQ(tree.closestPoint({3, 0, 0}, 2.1).squaredDistance, 4);
}

TEST(TriangleTree, EmptyMeshAnswersNothing) {
    const TriMesh nothing;
    TriangleTree tree(nothing);
    EXPECT_EQ(tree.closestPoint({0, 0, 0}).triangle, kNone<TriangleIndex>);
    EXPECT_FALSE(tree.raycast({0, 0, 0}, {1, 0, 0}));
    EXPECT_TRUE(tree.overlapping({Vec3::Zero(), Vec3::Ones()}).empty());
    tree.refit();
}

TEST(TriangleTree, RefitAnswersLikeARebuild) {
    TriMesh mesh = test::sphere(Vec3::Zero(), 1, 4);
    TriangleTree tree(mesh);
    Random random(9);
    for (Vec3& p : mesh.positions) p += 0.3 * test::randomIn(random, {-Vec3::Ones(), Vec3::Ones()});
    tree.refit();
    const TriangleTree rebuilt(mesh);
    for (const Vec3& q : randomPoints(10, 300, {Vec3::Constant(-2), Vec3::Constant(2)})) {
        EXPECT_EQ(raw(tree.closestPoint(q).triangle), raw(rebuilt.closestPoint(q).triangle));
        EXPECT_EQ(tree.closestPoint(q).squaredDistance, rebuilt.closestPoint(q).squaredDistance);
        const auto hit = tree.raycast(q, -q), again = rebuilt.raycast(q, -q);
        ASSERT_EQ(hit.has_value(), again.has_value());
        if (!hit) continue;
        EXPECT_EQ(raw(hit->triangle), raw(again->triangle));
    }
}

/// One triangle at a time through a tree of its own.
std::optional<RayHit> firstHitByBruteForce(const TriMesh& mesh, const Vec3& origin, const Vec3& direction) {
    std::optional<RayHit> best;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const TriMesh alone = subset(mesh, {t});
        auto hit = TriangleTree(alone).raycast(origin, direction);
        if (!hit || (best && hit->distance >= best->distance)) continue;
        hit->triangle = t;
        best = hit;
    }
    return best;
}

TEST(TriangleTree, RaysHitLikeBruteForce) {
    const TriMesh mesh = test::soup(41, 400, 0.2);
    const TriangleTree tree(mesh);
    Random random(42);
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec3 origin = test::randomIn(random, {Vec3::Constant(-1), Vec3::Constant(2)});
        Vec3 direction = test::randomIn(random, {-Vec3::Ones(), Vec3::Ones()});
        if (i % 5 == 0) direction[i % 3] = 0;
        const auto expected = firstHitByBruteForce(mesh, origin, direction), found = tree.raycast(origin, direction);
        ASSERT_EQ(found.has_value(), expected.has_value());
        if (!found) continue;
        ++hits;
        EXPECT_EQ(raw(found->triangle), raw(expected->triangle));
        EXPECT_EQ(found->distance, expected->distance);
        const auto [a, b, c] = mesh.corners(found->triangle);
        const Vec3 onTriangle = found->barycentric[0] * a + found->barycentric[1] * b + found->barycentric[2] * c;
        EXPECT_LE((origin + found->distance * direction - onTriangle).norm(), 1e-9);
    }
    EXPECT_GT(hits, 40);
}

TEST(TriangleTree, RayKnownAnswersAndLimits) {
    const TriMesh cube = test::box(Vec3::Constant(-1), Vec3::Constant(1));
    const TriangleTree tree(cube);
    ASSERT_TRUE(tree.raycast({-3, 0.25, 0.5}, {1, 0, 0}));
    EXPECT_EQ(tree.raycast({-3, 0.25, 0.5}, {1, 0, 0})->distance, 2);
    EXPECT_EQ(tree.raycast({-3, 0.25, 0.5}, {4, 0, 0})->distance, 0.5);
    EXPECT_EQ(tree.raycast({0, 0.25, 0.5}, {0, 0, -2})->distance, 0.75);
    EXPECT_TRUE(tree.raycast({-3, 0.25, 0.5}, {1, 0, 0}, 2));
    EXPECT_FALSE(tree.raycast({-3, 0.25, 0.5}, {1, 0, 0}, 1.99));
    EXPECT_FALSE(tree.raycast({-3, 0.25, 0.5}, {-1, 0, 0}));
    EXPECT_FALSE(tree.raycast({-3, 0.25, 0.5}, {0, 0, 0}));
    EXPECT_EQ(tree.raycast({-1, 0.25, 0.5}, {1, 0, 0})->distance, 0);
}

// From the inside every ray must leave through the surface, also exactly through vertices and edge midpoints.
TEST(TriangleTree, NoRayEscapesThroughEdgesOrVertices) {
    const TriMesh ball = test::sphere(Vec3(0.1, 0.2, 0.3), 1.7, 3);
    const TriangleTree tree(ball);
    const Vec3 origin(0.3, 0.1, 0.2);
    for (const TriangleIndex t : ball.triangles.indices()) {
        const auto [a, b, c] = ball.corners(t);
        for (const Vec3& target : {a, b, c, Vec3(0.5 * (a + b)), Vec3(0.3 * b + 0.7 * c)})
            EXPECT_TRUE(tree.raycast(origin, target - origin)) << raw(t);
    }
}

TEST(PointTree, NearestAndWithinEqualBruteForceWithTies) {
    // lattice points twice over: every query at a cell centre ties eight ways, and each point has a twin
    std::vector<Vec3> points;
    for (int copy = 0; copy < 2; ++copy) {
        for (int n = 0; n < 1000; ++n) points.emplace_back(n % 10, n / 10 % 10, n / 100);
    }
    const PointTree tree(points);
    for (const Vec3& q : {Vec3(0.5, 0.5, 0.5), Vec3(4, 4, 4), Vec3(3.5, 7, 2), Vec3(-5, 20, 3.5)}) {
        PointTree::Nearest best;
        std::vector<uint32_t> inside;
        for (uint32_t i = 0; i < points.size(); ++i) {
            const double squared = (points[i] - q).squaredNorm();
            if (squared < best.squaredDistance) best = {i, squared};
            if (squared <= 4) inside.push_back(i);
        }
        EXPECT_EQ(tree.nearest(q).index, best.index);
        EXPECT_EQ(tree.nearest(q).squaredDistance, best.squaredDistance);
        EXPECT_EQ(tree.within(q, 2), inside);
    }
    EXPECT_EQ(PointTree({}).nearest({0, 0, 0}).index, kInvalidIndex);
    EXPECT_TRUE(PointTree({}).within({0, 0, 0}, 1).empty());
}

}  // namespace
}  // namespace sunder
