#include "geometry/mesh/triangle_intersection.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"

#if __has_include(<boost/multiprecision/cpp_int.hpp>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <boost/multiprecision/cpp_int.hpp>
#pragma GCC diagnostic pop
#define SUNDER_HAVE_RATIONAL 1
#endif

namespace sunder {
namespace {

const TriangleCorners kFlat{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};

TEST(TriangleRelation, KnownPositions) {
    const auto is = [](const TriangleCorners& other, TriangleRelation expected) {
        EXPECT_EQ(relate(kFlat, other), expected);
        EXPECT_EQ(relate(other, kFlat), expected);
    };
    using enum TriangleRelation;
    is({Vec3(0, 0, 1), Vec3(4, 0, 1), Vec3(0, 4, 1)}, Disjoint);         // parallel
    is({Vec3(9, 0, 0), Vec3(12, 0, 0), Vec3(9, 4, 0)}, Disjoint);        // same plane, apart
    is({Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(2, 1, 1)}, Crossing);        // pierces the inside
    is({Vec3(5, 5, -1), Vec3(5, 5, 1), Vec3(6, 5, 1)}, Disjoint);        // pierces the plane beside
    is({Vec3(1, 1, 0), Vec3(1, 1, 1), Vec3(2, 1, 1)}, Touching);         // stands on a corner
    is({Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(2, 1, 1)}, Touching);         // stands on a side
    is({Vec3(0, 0, 0), Vec3(-4, 0, 0), Vec3(0, -4, 0)}, Touching);       // same plane, common corner
    is({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, -4, 0)}, Touching);        // same plane, common side
    is({Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(1, 1, 0)}, CoplanarOverlap);  // folded onto it
    is({Vec3(1, 1, 0), Vec3(2, 1, 0), Vec3(1, 2, 0)}, CoplanarOverlap);  // inside
    is({Vec3(2, -1, -1), Vec3(2, -1, 1), Vec3(2, 0, 0)}, Touching);      // corner on a side
    is(kFlat, CoplanarOverlap);
}

TEST(TriangleRelation, TrianglesWithoutAreaAreSegmentsAndPoints) {
    const auto is = [](const TriangleCorners& other, TriangleRelation expected) {
        EXPECT_EQ(relate(kFlat, other), expected);
        EXPECT_EQ(relate(other, kFlat), expected);
    };
    using enum TriangleRelation;
    is({Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(1, 1, 3)}, Touching);  // needle through it
    is({Vec3(1, 1, 1), Vec3(1, 1, 2), Vec3(1, 1, 3)}, Disjoint);
    is({Vec3(1, 1, 0), Vec3(1, 1, 0), Vec3(1, 1, 0)}, Touching);
    is({Vec3(3, 3, 0), Vec3(3, 3, 0), Vec3(3, 3, 0)}, Disjoint);
    is({Vec3(-1, 1, 0), Vec3(5, 1, 0), Vec3(9, 1, 0)}, Touching);  // in the plane, across
    const TriangleCorners needle{Vec3(0, 0, 0), Vec3(2, 2, 2), Vec3(1, 1, 1)};
    EXPECT_EQ(relate(needle, {Vec3(2, 0, 1), Vec3(0, 2, 1), Vec3(0, 2, 1)}), Touching);
    EXPECT_EQ(relate(needle, {Vec3(3, 3, 3), Vec3(4, 4, 4), Vec3(4, 4, 4)}), Disjoint);
    EXPECT_EQ(relate(needle, {Vec3(2, 2, 2), Vec3(4, 4, 4), Vec3(4, 4, 4)}), Touching);
}

TEST(TriangleRelation, NeighboursOfACleanMeshDoNotCount) {
    using enum TriangleRelation;
    // common side: flat continuation and roof are clean, the fold is not
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(4, 0, 0), Vec3(0, 0, 0), Vec3(2, -3, 0)}), Disjoint);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(4, 0, 0), Vec3(0, 0, 0), Vec3(2, 3, 1)}), Disjoint);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(4, 0, 0), Vec3(0, 0, 0), Vec3(2, 3, 0)}), CoplanarOverlap);
    // common corner: beside, through, along a side, flat on top
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(-1, 0, 1), Vec3(-1, -1, 1)}), Disjoint);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(1, 1, -1)}), Crossing);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 1)}), Touching);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(1, -1, 0)}), Touching);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(2, 1, 0), Vec3(1, 2, 0)}), CoplanarOverlap);
    EXPECT_EQ(relateBeyondSharedCorners(kFlat, {Vec3(0, 0, 0), Vec3(-2, 1, 0), Vec3(-1, -2, 0)}), Disjoint);
}

#ifdef SUNDER_HAVE_RATIONAL
// The second road: cut one triangle's polygon by the other's plane and sides in rational arithmetic and look at what is
// left.
using Rational = boost::multiprecision::cpp_rational;
using RationalPoint = std::array<Rational, 3>;

RationalPoint exact(const Vec3& p) { return {Rational(p.x()), Rational(p.y()), Rational(p.z())}; }
RationalPoint minus(const RationalPoint& a, const RationalPoint& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Rational dot(const RationalPoint& a, const RationalPoint& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
RationalPoint cross(const RationalPoint& a, const RationalPoint& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool isZero(const RationalPoint& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

/// The part with normal . (x - origin) >= 0.
std::vector<RationalPoint> clipped(const std::vector<RationalPoint>& polygon, const RationalPoint& origin,
                                   const RationalPoint& normal) {
    std::vector<RationalPoint> kept;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const RationalPoint &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const Rational hp = dot(normal, minus(p, origin)), hq = dot(normal, minus(q, origin));
        if (hp >= 0) kept.push_back(p);
        if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) {
            const Rational t = hp / (hp - hq);
            kept.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])});
        }
    }
    return kept;
}

std::vector<RationalPoint> commonPoints(const TriangleCorners& a, const TriangleCorners& b) {
    const RationalPoint corner[3] = {exact(a[0]), exact(a[1]), exact(a[2])};
    const RationalPoint normal = cross(minus(corner[1], corner[0]), minus(corner[2], corner[0]));
    const RationalPoint opposite{-normal[0], -normal[1], -normal[2]};
    std::vector<RationalPoint> rest{exact(b[0]), exact(b[1]), exact(b[2])};
    rest = clipped(clipped(rest, corner[0], normal), corner[0], opposite);
    for (size_t i = 0; i < 3; ++i) {
        rest = clipped(rest, corner[i], cross(normal, minus(corner[(i + 1) % 3], corner[i])));
    }
    return rest;
}

bool straddlesExactly(const TriangleCorners& points, const TriangleCorners& plane) {
    const RationalPoint origin = exact(plane[0]);
    const RationalPoint normal = cross(minus(exact(plane[1]), origin), minus(exact(plane[2]), origin));
    bool above = false, below = false;
    for (const Vec3& p : points) {
        const Rational h = dot(normal, minus(exact(p), origin));
        above |= h > 0;
        below |= h < 0;
    }
    return above && below;
}

TriangleRelation relateExactly(const TriangleCorners& a, const TriangleCorners& b) {
    const std::vector<RationalPoint> common = commonPoints(a, b);
    if (common.empty()) return TriangleRelation::Disjoint;
    bool isPoint = true, isLine = true;
    for (const RationalPoint& p : common) isPoint &= isZero(minus(p, common[0]));
    for (const RationalPoint& p : common) {
        for (const RationalPoint& q : common) isLine &= isZero(cross(minus(p, common[0]), minus(q, common[0])));
    }
    if (!isLine) return TriangleRelation::CoplanarOverlap;
    if (!isPoint && straddlesExactly(a, b) && straddlesExactly(b, a)) return TriangleRelation::Crossing;
    return TriangleRelation::Touching;
}

/// Whether all common points lie on the convex hull of the shared corners.
bool meetOnlyInSharedCorners(const TriangleCorners& a, const TriangleCorners& b) {
    std::vector<RationalPoint> shared;
    for (const Vec3& p : a) {
        if (std::find(b.begin(), b.end(), p) != b.end()) shared.push_back(exact(p));
    }
    for (const RationalPoint& p : commonPoints(a, b)) {
        if (shared.empty()) return false;
        if (shared.size() == 1 && !isZero(minus(p, shared[0]))) return false;
        if (shared.size() == 2 && !isZero(cross(minus(p, shared[0]), minus(shared[1], shared[0])))) return false;
    }
    return true;
}

TEST(TriangleRelation, EqualsRationalClippingOnASmallGrid) {
    Random random(11);
    std::array<int, 4> seen{};
    int sharedSeen[4] = {0, 0, 0, 0};
    for (int i = 0; i < 20000; ++i) {
        // half of them in one plane, where everything is degenerate
        const uint64_t depth = i % 2 ? 4 : 1;
        const auto point = [&] {
            const double x = static_cast<double>(random.below(4)), y = static_cast<double>(random.below(4));
            const double z = static_cast<double>(random.below(depth));
            return Vec3(x, y + z, z - x);
        };
        const TriangleCorners a{point(), point(), point()}, b{point(), point(), point()};
        if (isDegenerate(a) || isDegenerate(b)) continue;
        const TriangleRelation expected = relateExactly(a, b);
        ASSERT_EQ(relate(a, b), expected);
        ASSERT_EQ(relate(b, a), expected);
        ASSERT_EQ(relate({a[1], a[0], a[2]}, b), expected);
        ++seen[static_cast<size_t>(expected)];

        const long shared = std::count_if(a.begin(), a.end(),
                                          [&](const Vec3& p) { return std::find(b.begin(), b.end(), p) != b.end(); });
        if (shared == 3) continue;
        ASSERT_EQ(relateBeyondSharedCorners(a, b) == TriangleRelation::Disjoint, meetOnlyInSharedCorners(a, b));
        ASSERT_EQ(relateBeyondSharedCorners(a, b), relateBeyondSharedCorners(b, a));
        ++sharedSeen[shared];
    }
    for (const int count : seen) EXPECT_GT(count, 200);
    for (int s = 0; s < 3; ++s) EXPECT_GT(sharedSeen[s], 200);
}
#endif

}  // namespace
}  // namespace sunder
