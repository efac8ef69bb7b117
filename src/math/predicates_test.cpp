#include "math/predicates.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"
#include "math/expansion.h"

#if __has_include(<boost/multiprecision/cpp_int.hpp>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <boost/multiprecision/cpp_int.hpp>
#pragma GCC diagnostic pop
#define SUNDER_HAVE_RATIONAL 1
#endif

namespace sunder {
namespace {

using Wide = __int128;

int signOf(Wide x) { return (x > 0) - (x < 0); }

/// Exact for whole-number coordinates below 2^40.
int orient3dWide(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    Wide m[3][3];
    const Vec3* rows[3] = {&b, &c, &d};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[i][j] = static_cast<Wide>((*rows[i])[j]) - static_cast<Wide>(a[j]);
    }
    return signOf(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                  m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                  m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
}

int orient2dWide(const Vec2& a, const Vec2& b, const Vec2& c) {
    const auto d = [&](const Vec2& p, int i) { return static_cast<Wide>(p[i]) - static_cast<Wide>(a[i]); };
    return signOf(d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0));
}

/// `steps` neighbouring doubles up or down.
[[maybe_unused]] double nudged(double x, int steps) {
    const double goal = steps > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    for (int i = 0; i < std::abs(steps); ++i) x = std::nextafter(x, goal);
    return x;
}

double gridCoordinate(Random& random, uint64_t span) {
    return static_cast<double>(random.below(2 * span + 1)) - static_cast<double>(span);
}
Vec3 gridPoint(Random& random, uint64_t span) {
    const double x = gridCoordinate(random, span), y = gridCoordinate(random, span), z = gridCoordinate(random, span);
    return {x, y, z};
}

TEST(Orient3d, FollowsTheRightHand) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, 1)), 1);
    EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, -1)), -1);
    EXPECT_EQ(orient3d(a, b, c, Vec3(7, -3, 0)), 0);
}

TEST(Orient2d, CounterClockwiseIsPositive) {
    EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
    EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
    EXPECT_EQ(orient2d({1, 1}, {3, 3}, {8, 8}), 0);
}

TEST(Orient3d, EqualsWholeNumberArithmeticOnGrids) {
    Random random(1);
    int zeros = 0;
    for (const uint64_t span : {2ull, 10ull, 1000ull, 1000000ull, 100000000000ull}) {
        for (int i = 0; i < 200000; ++i) {
            const Vec3 a = gridPoint(random, span), b = gridPoint(random, span), c = gridPoint(random, span);
            // every other point lies in the plane, exactly
            const Vec3 d = i % 2 ? gridPoint(random, span)
                                 : Vec3(a + gridCoordinate(random, 2) * (b - a) + gridCoordinate(random, 2) * (c - a));
            const int sign = orient3d(a, b, c, d);
            zeros += sign == 0;
            ASSERT_EQ(sign, orient3dWide(a, b, c, d)) << a << "\n" << b << "\n" << c << "\n" << d;
        }
    }
    EXPECT_GT(zeros, 500000);
}

/// Points on a slanted plane through an offset far larger than the nudges: the rounded determinant is all noise.
TEST(Orient3d, EqualsWholeNumberArithmeticOneUlpFromAPlane) {
    Random random(2);
    int nonzero = 0, wrongRounded = 0;
    for (int i = 0; i < 1000000; ++i) {
        const Vec3 a = gridPoint(random, 1ull << 30), u = gridPoint(random, 1ull << 30),
                   v = gridPoint(random, 1ull << 30);
        const Vec3 b = a + u, c = a + v;
        Vec3 d = a + gridCoordinate(random, 3) * u + gridCoordinate(random, 3) * v;
        d[static_cast<int>(random.below(3))] += gridCoordinate(random, 1);
        const int expected = orient3dWide(a, b, c, d);
        ASSERT_EQ(orient3d(a, b, c, d), expected);
        ASSERT_EQ(orient3d(b, a, c, d), -expected);
        // the same figure as fractions, 2^-60 the size
        ASSERT_EQ(orient3d(0x1p-60 * a, 0x1p-60 * b, 0x1p-60 * c, 0x1p-60 * d), expected);
        nonzero += expected != 0;
        const double rounded = u.cross(v).dot(d - a);
        wrongRounded += ((rounded > 0) - (rounded < 0)) != expected;
    }
    EXPECT_GT(nonzero, 500000);
    EXPECT_GT(wrongRounded, 1000);  // otherwise the inputs were too easy to prove anything
}

TEST(Orient2d, EqualsWholeNumberArithmeticOneUlpFromALine) {
    Random random(3);
    int wrongRounded = 0;
    for (int i = 0; i < 1000000; ++i) {
        const auto point = [&] {
            const double x = gridCoordinate(random, 1ull << 50);
            return Vec2(x, gridCoordinate(random, 1ull << 50));
        };
        const Vec2 a = point(), b = point();
        // halfway, rounded to the grid, then one step aside
        Vec2 c(std::floor((a.x() + b.x()) / 2), std::floor((a.y() + b.y()) / 2));
        c[static_cast<int>(random.below(2))] += gridCoordinate(random, 1);
        const int expected = orient2dWide(a, b, c);
        ASSERT_EQ(orient2d(a, b, c), expected);
        const Vec2 u = b - a, v = c - a;
        const double rounded = u.x() * v.y() - u.y() * v.x();
        wrongRounded += ((rounded > 0) - (rounded < 0)) != expected;
    }
    EXPECT_GT(wrongRounded, 1000);
}

#ifdef SUNDER_HAVE_RATIONAL
using Rational = boost::multiprecision::cpp_rational;

int orient3dRational(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    Rational m[3][3];
    const Vec3* rows[3] = {&b, &c, &d};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[i][j] = Rational((*rows[i])[j]) - Rational(a[j]);
    }
    const Rational det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return det.sign();
}

TEST(Orient3d, EqualsRationalArithmeticForNudgedDoubles) {
    Random random(4);
    int wrongRounded = 0;
    for (int i = 0; i < 20000; ++i) {
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(200)) - 100);
        const auto point = [&] {
            Vec3 p;
            for (int k = 0; k < 3; ++k) p[k] = scale * random.uniform(-1, 1);
            return p;
        };
        const Vec3 a = point(), b = point(), c = point();
        const double s = random.uniform(-1, 2), t = random.uniform(-1, 2);
        Vec3 d = a + s * (b - a) + t * (c - a);
        const int axis = static_cast<int>(random.below(3));
        d[axis] = nudged(d[axis], static_cast<int>(random.below(7)) - 3);
        const int expected = orient3dRational(a, b, c, d);
        ASSERT_EQ(orient3d(a, b, c, d), expected);
        const double rounded = (b - a).cross(c - a).dot(d - a);
        wrongRounded += ((rounded > 0) - (rounded < 0)) != expected;
    }
    EXPECT_GT(wrongRounded, 1000);
}

TEST(Expansion, SumsAndProductsAreExact) {
    Random random(5);
    const auto number = [&] { return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(120)) - 60); };
    for (int i = 0; i < 20000; ++i) {
        const double v[6] = {number(), number(), number(), number(), number(), number()};
        const auto value = (exactProduct(v[0], v[1]) - exactDifference(v[2], v[3])) * exactProduct(v[4], v[5]);
        const Rational expected =
            (Rational(v[0]) * Rational(v[1]) - (Rational(v[2]) - Rational(v[3]))) * Rational(v[4]) * Rational(v[5]);
        Rational sum = 0;
        for (size_t k = 0; k < value.size(); ++k) sum += Rational(value[k]);
        ASSERT_EQ(sum, expected);
        ASSERT_EQ(value.sign(), expected.sign());
    }
}
#endif

TEST(Orient3d, TinyAndHugeModelsKeepTheirSigns) {
    for (const double scale : {1e-300, 1e-120, 1e-9, 1e9, 1e120, 1e300}) {
        const Vec3 a(0, 0, 0), b(scale, 0, 0), c(0, scale, 0);
        EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, scale)), 1) << scale;
        EXPECT_EQ(orient3d(a, c, b, Vec3(0, 0, scale)), -1) << scale;
        EXPECT_EQ(orient3d(a, b, c, Vec3(scale, scale, 0)), 0) << scale;
        EXPECT_EQ(orient2d({0, 0}, {scale, 0}, {0, scale}), 1) << scale;
        EXPECT_EQ(orient2d({-scale, -scale}, {0, 0}, {scale, scale}), 0) << scale;
    }
}

}  // namespace
}  // namespace sunder
