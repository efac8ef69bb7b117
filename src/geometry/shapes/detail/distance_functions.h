#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec.h"

namespace sunder::shapes {

/// Distances to simple solids, m, negative inside, and smooth ways to join them [quilez: distance functions]. All have
/// slopes of at most one, so a distance never promises more room than there is.

inline double sphereDistance(const Vec3& p, const Vec3& centre, double radius) { return (p - centre).norm() - radius; }

/// The hull of two balls: a limb that tapers from one to the other. Exact.
inline double limbDistance(const Vec3& p, const Vec3& a, double radiusA, const Vec3& b, double radiusB) {
    const Vec3 axis = b - a;
    const double squaredLength = axis.squaredNorm(), taper = radiusA - radiusB;
    const double slant = squaredLength - taper * taper;
    if (slant <= 0) return std::min(sphereDistance(p, a, radiusA), sphereDistance(p, b, radiusB));
    const Vec3 pa = p - a;
    const double along = pa.dot(axis), beyond = along - squaredLength;
    const double across = (pa * squaredLength - axis * along).squaredNorm();
    const double along2 = along * along * squaredLength, beyond2 = beyond * beyond * squaredLength;
    const double side = std::copysign(taper * taper * across, taper);
    if (std::copysign(slant * beyond2, beyond) > side) return std::sqrt(across + beyond2) / squaredLength - radiusB;
    if (std::copysign(slant * along2, along) < side) return std::sqrt(across + along2) / squaredLength - radiusA;
    return (std::sqrt(across * slant / squaredLength) + along * taper) / squaredLength - radiusA;
}

/// A tapering limb along the parabola from `a` towards `bend` to `b` (a quadratic Bezier curve), in eight straight
/// pieces.
inline double curvedLimbDistance(const Vec3& p, const Vec3& a, double radiusA, const Vec3& bend, const Vec3& b,
                                 double radiusB) {
    constexpr int kPieces = 8;
    double distance = 0;
    Vec3 from = a;
    for (int i = 1; i <= kPieces; ++i) {
        const double t = static_cast<double>(i) / kPieces, s = 1 - t;
        const Vec3 to = s * s * a + 2 * s * t * bend + t * t * b;
        const double before = t - 1.0 / kPieces;
        const double piece =
            limbDistance(p, from, radiusA + before * (radiusB - radiusA), to, radiusA + t * (radiusB - radiusA));
        distance = i == 1 ? piece : std::min(distance, piece);
        from = to;
    }
    return distance;
}

/// The absolute value with its tip rounded off: mirrors a model without a crease in the middle.
inline double smoothAbs(double x, double rounding) { return std::sqrt(x * x + rounding * rounding); }

/// A box with round edges; `half` is its half size with the rounding.
inline double roundedBoxDistance(const Vec3& p, const Vec3& centre, const Vec3& half, double rounding) {
    const Vec3 q = (p - centre).cwiseAbs() - (half.array() - rounding).matrix();
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - rounding;
}

/// Union with a fillet about `blend` wide where the two meet.
inline double smoothUnion(double a, double b, double blend) {
    const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
    return std::min(a, b) - h * h * h * blend / 6;
}

}  // namespace sunder::shapes
