#include "math/predicates.h"

#include <cmath>
#include <initializer_list>
#include <limits>

#include "math/expansion.h"

namespace sunder {

namespace {

constexpr double kEpsilon = 0x1p-53;  // half an ulp of 1
// [shewchuk1997] table 1 and section 4.1: stage A error bounds, times the permanent
constexpr double kOrient2dBound = (3 + 16 * kEpsilon) * kEpsilon;
constexpr double kOrient3dBound = (7 + 56 * kEpsilon) * kEpsilon;
// Below this a product may have lost bits to underflow, which the bounds do not know of.
constexpr double kSmallestTrusted = 1e-250;

int signOf(double x) { return (x > 0) - (x < 0); }

/// Decides when the rounded determinant is beyond doubt; NaN and infinities never are.
bool isCertain(double determinant, double permanent, double bound) {
    return std::abs(determinant) > bound * permanent && permanent > kSmallestTrusted &&
           permanent <= std::numeric_limits<double>::max();
}

/// A power of two that brings the largest coordinate near 1: neither tiny nor huge models may leave the range in which
/// expansions are exact.
template <class Vec>
int exponentOf(std::initializer_list<const Vec*> points) {
    double largest = 0;
    for (const Vec* p : points) largest = std::max(largest, p->cwiseAbs().maxCoeff());
    int exponent = 0;
    if (largest > 0) std::frexp(largest, &exponent);
    return exponent;
}

using Difference = std::array<Expansion<2>, 3>;

Difference scaledDifference(const Vec3& p, const Vec3& origin, int exponent) {
    const auto axis = [&](int i) {
        return exactDifference(std::ldexp(p[i], -exponent), std::ldexp(origin[i], -exponent));
    };
    return {axis(0), axis(1), axis(2)};
}

int orient3dExact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const int exponent = exponentOf({&a, &b, &c, &d});
    const Difference u = scaledDifference(b, a, exponent);
    const Difference v = scaledDifference(c, a, exponent);
    const Difference w = scaledDifference(d, a, exponent);
    const auto term = [&](size_t i, size_t j, size_t k) { return (u[i] * v[j] - u[j] * v[i]) * w[k]; };
    return (term(0, 1, 2) + term(1, 2, 0) + term(2, 0, 1)).sign();
}

int orient2dExact(const Vec2& a, const Vec2& b, const Vec2& c) {
    const int exponent = exponentOf({&a, &b, &c});
    const auto difference = [&](const Vec2& p, int i) {
        return exactDifference(std::ldexp(p[i], -exponent), std::ldexp(a[i], -exponent));
    };
    return (difference(b, 0) * difference(c, 1) - difference(b, 1) * difference(c, 0)).sign();
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double xy = u.x() * v.y(), yx = u.y() * v.x();
    const double yz = u.y() * v.z(), zy = u.z() * v.y();
    const double zx = u.z() * v.x(), xz = u.x() * v.z();
    const double determinant = w.z() * (xy - yx) + w.x() * (yz - zy) + w.y() * (zx - xz);
    const double permanent = std::abs(w.z()) * (std::abs(xy) + std::abs(yx)) +
                             std::abs(w.x()) * (std::abs(yz) + std::abs(zy)) +
                             std::abs(w.y()) * (std::abs(zx) + std::abs(xz));
    if (isCertain(determinant, permanent, kOrient3dBound)) return signOf(determinant);

    // Common and quickly seen: the same point twice, or a plane across an axis.
    if (u.isZero(0) || v.isZero(0) || w.isZero(0)) return 0;
    for (int i = 0; i < 3; ++i) {
        if (u[i] == 0 && v[i] == 0 && w[i] == 0) return 0;
    }
    return orient3dExact(a, b, c, d);
}

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 u = b - a, v = c - a;
    const double left = u.x() * v.y(), right = u.y() * v.x();
    const double determinant = left - right;
    if (isCertain(determinant, std::abs(left) + std::abs(right), kOrient2dBound)) return signOf(determinant);
    return orient2dExact(a, b, c);
}

}  // namespace sunder
