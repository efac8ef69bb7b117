#include "geometry/mesh/triangulate.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/stopwatch.h"

namespace sunder {
namespace {

double twiceArea(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
    return (b - a).cross(c - a).dot(normal);
}

/// Every polygon edge is used once in its direction, every diagonal once in each: the polygon was cut, not patched.
void expectCutsPolygon(size_t corners, const std::vector<PolygonTriangle>& triangles) {
    ASSERT_EQ(triangles.size(), corners - 2);
    std::map<std::pair<uint32_t, uint32_t>, int> sides;
    for (const PolygonTriangle& t : triangles) {
        for (size_t k = 0; k < 3; ++k) {
            ASSERT_LT(t[k], corners);
            ++sides[{t[k], t[(k + 1) % 3]}];
        }
    }
    for (uint32_t i = 0; i < corners; ++i) {
        EXPECT_EQ((sides[{i, static_cast<uint32_t>((i + 1) % corners)}]), 1) << "edge " << i;
    }
    for (const auto& [side, count] : sides) {
        EXPECT_EQ(count, 1);
        if ((side.first + 1) % corners == side.second) continue;
        EXPECT_TRUE(sides.contains({side.second, side.first})) << side.first << " " << side.second;
    }
}

/// A flat polygon in the plane with this normal: all triangles turn with it and their areas add up.
void expectExactCover(const std::vector<Vec3>& polygon, const Vec3& normal) {
    const std::vector<PolygonTriangle> triangles = triangulatePolygon(polygon);
    expectCutsPolygon(polygon.size(), triangles);
    double whole = 0, sum = 0;
    for (size_t i = 0; i < polygon.size(); ++i) {
        whole += twiceArea(polygon[0], polygon[i], polygon[(i + 1) % polygon.size()], normal);
    }
    for (const PolygonTriangle& t : triangles) {
        const double area = twiceArea(polygon[t[0]], polygon[t[1]], polygon[t[2]], normal);
        EXPECT_GT(area, 0);
        sum += area;
    }
    EXPECT_NEAR(sum, whole, 1e-12 * std::abs(whole));
}

std::vector<Vec3> flat(std::initializer_list<std::array<double, 2>> points) {
    std::vector<Vec3> result;
    for (const auto& p : points) result.emplace_back(p[0], p[1], 0);
    return result;
}

/// A star with random radii: simple, with many reflex corners.
std::vector<Vec3> randomStar(uint32_t corners, uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> result;
    for (uint32_t i = 0; i < corners; ++i) {
        const double angle = 2 * M_PI * i / corners, radius = random.uniform(0.2, 1.0);
        result.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
    return result;
}

/// A long corridor wound `turns` times: the classic hard case of ear clipping.
std::vector<Vec3> spiral(uint32_t cornersPerWall) {
    std::vector<Vec3> result;
    for (uint32_t i = 0; i < cornersPerWall; ++i) {
        const double angle = 0.2 * i;
        result.emplace_back((1 + 0.10 * angle) * std::cos(angle), (1 + 0.10 * angle) * std::sin(angle), 0);
    }
    for (uint32_t i = cornersPerWall; i-- > 0;) {
        const double angle = 0.2 * i;
        result.emplace_back((0.9 + 0.10 * angle) * std::cos(angle), (0.9 + 0.10 * angle) * std::sin(angle), 0);
    }
    return result;
}

TEST(Triangulate, QuadIsCutAlongItsShorterDiagonal) {
    const auto triangles = triangulatePolygon(flat({{0, 0}, {4, 0}, {5, 1}, {1, 1}}));
    expectCutsPolygon(4, triangles);
    for (const PolygonTriangle& t : triangles) {  // the short one joins corners 1 and 3
        EXPECT_NE(std::find(t.begin(), t.end(), 1u), t.end());
        EXPECT_NE(std::find(t.begin(), t.end(), 3u), t.end());
    }
}

TEST(Triangulate, ConcaveQuadIsCutAtItsReflexCorner) {
    expectExactCover(flat({{0, 0}, {2, 1}, {0, 2}, {0.5, 1}}), Vec3(0, 0, 1));
    expectExactCover(flat({{2, 1}, {0, 2}, {0.5, 1}, {0, 0}}), Vec3(0, 0, 1));
}

TEST(Triangulate, ConcaveShapesAreCoveredOnceFromBothSides) {
    const std::vector<Vec3> c = flat({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {3, 2}, {3, 3}, {0, 3}});
    expectExactCover(c, Vec3(0, 0, 1));
    expectExactCover(std::vector<Vec3>(c.rbegin(), c.rend()), Vec3(0, 0, -1));
    // in other planes
    for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(1, 1, 1)}) {
        const Quat turn = Quat::FromTwoVectors(Vec3(0, 0, 1), normal);
        std::vector<Vec3> turned;
        for (const Vec3& p : c) turned.push_back(turn * p);
        expectExactCover(turned, normal.normalized());
    }
}

TEST(Triangulate, CornersOnStraightEdgesGiveNoEmptyTriangle) {
    expectExactCover(flat({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}), Vec3(0, 0, 1));
    expectExactCover(flat({{0, 0}, {1, 0}, {2, 0}, {0, 2}}), Vec3(0, 0, 1));
}

TEST(Triangulate, HoleJoinedByASlitStaysAHole) {
    // a square of 4 x 4 with a square hole of 2 x 2, joined by a slit that is walked twice
    expectExactCover(flat({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}),
                     Vec3(0, 0, 1));
}

TEST(Triangulate, RandomStarsAreCoveredOnce) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
        expectExactCover(randomStar(5 + static_cast<uint32_t>(seed) % 60, seed), Vec3(0, 0, 1));
    }
}

TEST(Triangulate, SizeDoesNotMatter) {
    for (const double scale : {1e-200, 1e-9, 1e9, 1e200}) {
        std::vector<Vec3> star = randomStar(40, 3);
        const auto expected = triangulatePolygon(star);
        const double power = std::exp2(std::round(std::log2(scale)));
        for (Vec3& p : star) p *= power;
        EXPECT_EQ(triangulatePolygon(star), expected);
    }
}

TEST(Triangulate, DegeneratePolygonsAreStillCut) {
    const std::vector<std::vector<Vec3>> polygons = {
        flat({{0, 0}, {0, 0}, {0, 0}, {0, 0}}),                  // a point
        flat({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 0}}),        // a line
        flat({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),                  // a bow tie
        flat({{0, 0}, {2, 2}, {0, 2}, {2, 0}, {1, 3}, {1, -1}})  // crossing itself
    };
    for (const auto& polygon : polygons) expectCutsPolygon(polygon.size(), triangulatePolygon(polygon));
}

TEST(Triangulate, BentPolygonKeepsItsEdges) {
    std::vector<Vec3> polygon = randomStar(30, 11);
    Random random(4);
    for (Vec3& p : polygon) p.z() = random.uniform(-0.2, 0.2);
    expectCutsPolygon(polygon.size(), triangulatePolygon(polygon));
}

TEST(Triangulate, ManyCornersTakeNoQuadraticTime) {
    const auto seconds = [](const std::vector<Vec3>& polygon) {
        const Stopwatch watch;
        EXPECT_EQ(triangulatePolygon(polygon).size(), polygon.size() - 2);
        return watch.cpuSeconds();
    };
    // a quadratic method needs a minute for these
    EXPECT_LT(seconds(randomStar(30000, 1)), 5.0);
    EXPECT_LT(seconds(spiral(50000)), 5.0);
    std::vector<Vec3> disc;
    for (int i = 0; i < 100000; ++i) disc.emplace_back(std::cos(2e-5 * M_PI * i), std::sin(2e-5 * M_PI * i), 0);
    EXPECT_LT(seconds(disc), 5.0);
}

TEST(Triangulate, SpiralIsCoveredOnce) { expectExactCover(spiral(200), Vec3(0, 0, 1)); }

}  // namespace
}  // namespace sunder
