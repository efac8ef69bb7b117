#include "geometry/convex/convex_hull.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/mesh/topology.h"
#include "math/predicates.h"

namespace sunder {
namespace {

std::vector<Vec3> randomPoints(size_t count, uint64_t seed) {
    std::vector<Vec3> points(count);
    Random random(seed);
    for (Vec3& p : points) {
        for (double& x : p) x = random.uniform(-1, 1);
    }
    return points;
}

/// Closed, convex and around all points, all decided exactly.
void expectHullOf(const std::vector<Vec3>& points, const ConvexHull& hull) {
    ASSERT_EQ(hull.dimension, 3);
    EXPECT_TRUE(isClosedManifold(hull.mesh));
    EXPECT_GT(volume(hull.polytope), 0);
    for (size_t v = 0; v < hull.indices.size(); ++v) EXPECT_EQ(hull.polytope.vertices[v], points[hull.indices[v]]);
    for (const TriangleIndex t : hull.mesh.triangles.indices()) {
        const auto [a, b, c] = hull.mesh.corners(t);
        for (const Vec3& p : points) ASSERT_LE(orient3d(a, b, c, p), 0);
    }
    size_t corners = 0;
    for (const auto& face : hull.polytope.faces) corners += face.cornerCount;
    EXPECT_EQ(hull.polytope.vertices.size() + hull.polytope.faces.size(), corners / 2 + 2);  // Euler
}

TEST(ConvexHull, CubeWithPointsOnFacesEdgesAndInside) {
    std::vector<Vec3> points;
    for (int x = 0; x <= 4; ++x) {
        for (int y = 0; y <= 4; ++y) {
            for (int z = 0; z <= 4; ++z) points.emplace_back(x, y, z);
        }
    }
    for (int round = 0; round < 20; ++round) {
        const ConvexHull hull = convexHull(points);
        expectHullOf(points, hull);
        EXPECT_EQ(hull.polytope.vertices.size(), 8u);
        EXPECT_EQ(hull.polytope.faces.size(), 6u);
        EXPECT_EQ(hull.mesh.triangleCount(), 12u);
        EXPECT_DOUBLE_EQ(volume(hull.polytope), 64);
        Random random(50, static_cast<uint64_t>(round));
        for (size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[random.below(i)]);
    }
}

TEST(ConvexHull, SpherePointsAreAllCorners) {
    std::vector<Vec3> points = randomPoints(500, 51);
    for (Vec3& p : points) p.normalize();
    const ConvexHull hull = convexHull(points);
    expectHullOf(points, hull);
    EXPECT_EQ(hull.indices.size(), 500u);
    EXPECT_NEAR(volume(hull.polytope), 4 * M_PI / 3, 0.15);
}

TEST(ConvexHull, RandomAndGridCloudsAtAnyScale) {
    for (const double scale : {1e-9, 1.0, 1e9}) {
        std::vector<Vec3> points = randomPoints(2000, 52);
        for (Vec3& p : points) p *= scale;
        const ConvexHull hull = convexHull(points);
        expectHullOf(points, hull);
    }
    Random random(53);
    for (int round = 0; round < 200; ++round) {  // few places: everything coplanar and repeated
        std::vector<Vec3> points;
        for (int i = 0; i < 30; ++i) {
            const auto c = [&] { return static_cast<double>(random.below(4)); };
            const double x = c(), y = c(), z = c();
            points.emplace_back(x, y, z);
        }
        expectHullOf(points, convexHull(points));
    }
}

TEST(ConvexHull, NearlyCoplanarPointsStayExact) {
    Random random(54);
    std::vector<Vec3> points;
    for (int i = 0; i < 400; ++i) {
        const double x = random.uniform(), y = random.uniform();
        const double noise = std::ldexp(static_cast<double>(random.below(3)) - 1, -54);
        points.emplace_back(x, y, 0.3 * x + 0.7 * y + noise);
    }
    expectHullOf(points, convexHull(points));
}

TEST(ConvexHull, TheSameForAnyOrderOfThePoints) {
    std::vector<Vec3> points = randomPoints(300, 55);
    const ConvexHull one = convexHull(points);
    std::reverse(points.begin(), points.end());
    const ConvexHull two = convexHull(points);
    std::vector<uint32_t> turned;
    for (const uint32_t i : two.indices) turned.push_back(299 - i);
    std::sort(turned.begin(), turned.end());
    EXPECT_EQ(turned, one.indices);
    EXPECT_EQ(one.polytope.faces.size(), two.polytope.faces.size());
    EXPECT_NEAR(volume(one.polytope), volume(two.polytope), 1e-13);
}

TEST(ConvexHull, FewerDimensionsAreReported) {
    EXPECT_EQ(convexHull({}).dimension, -1);
    const std::vector<Vec3> point(5, Vec3(1, 2, 3));
    EXPECT_EQ(convexHull(point).dimension, 0);
    EXPECT_EQ(convexHull(point).indices, std::vector<uint32_t>{0});

    std::vector<Vec3> line;
    for (const int t : {3, 1, 9, 9, -4, 0}) line.emplace_back(t, 2 * t, -t);
    const ConvexHull segment = convexHull(line);
    EXPECT_EQ(segment.dimension, 1);
    EXPECT_EQ(segment.indices, (std::vector<uint32_t>{4, 2}));

    std::vector<Vec3> flat;
    for (int x = 0; x <= 3; ++x) {
        for (int y = 0; y <= 3; ++y) flat.emplace_back(x, y, x + 2 * y);
    }
    const ConvexHull polygon = convexHull(flat);
    EXPECT_EQ(polygon.dimension, 2);
    EXPECT_EQ(polygon.indices.size(), 4u);
    EXPECT_TRUE(polygon.mesh.empty());
}

}  // namespace
}  // namespace sunder
