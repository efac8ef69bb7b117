#pragma once

#include <cmath>

#include "math/vec.h"

namespace sunder::fracture {

// Plain arithmetic in place of libm, so that a pattern has the same bits on every machine.

/// Cube root of a positive number.
inline double cubeRoot(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);  // 0.5 .. 1
    while (exponent % 3 != 0) {
        mantissa *= 0.5;
        ++exponent;
    }
    double root = 0.4 + 0.6 * mantissa;
    for (int i = 0; i < 6; ++i) root -= (root - mantissa / (root * root)) / 3;
    return std::ldexp(root, exponent / 3);
}

/// base^exponent of a positive number; good to 1e-11.
inline double power(double base, double exponent) {
    const double whole = std::floor(exponent);
    double result = 1;
    for (int i = 0; i < std::abs(static_cast<int>(whole)); ++i) result *= base;
    if (whole < 0) result = 1 / result;
    // the binary digits of the rest, by repeated square roots
    double rest = exponent - whole, root = base;
    for (int bit = 0; bit < 40 && rest > 0; ++bit) {
        root = std::sqrt(root);
        rest *= 2;
        if (rest >= 1) {
            result *= root;
            rest -= 1;
        }
    }
    return result;
}

/// A point of the unit circle; `turns` of 1 is once around. Its angle is good to half a degree.
inline Vec2 directionAt(double turns) {
    turns -= std::floor(turns);
    const int quarter = static_cast<int>(turns * 4);
    const double t = turns * 4 - quarter;
    const double s = t * (0.765 + 0.235 * t * t);  // near the tangent of half the angle
    const double x = (1 - s * s) / (1 + s * s), y = 2 * s / (1 + s * s);
    switch (quarter % 4) {
        case 1:
            return {-y, x};
        case 2:
            return {-x, -y};
        case 3:
            return {y, -x};
        default:
            return {x, y};
    }
}

}  // namespace sunder::fracture
