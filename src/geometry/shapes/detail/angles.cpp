#include "geometry/shapes/detail/angles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sunder::shapes {

namespace {

/// Taylor series up to an eighth of a turn, where eleven terms leave less than the last bit.
Vec2 cosineAndSineSmall(double radians) {
    static constexpr auto kInverseFactorials = [] {
        std::array<double, 22> inverse{1};
        double factorial = 1;  // exact up to 22!
        for (size_t k = 1; k < inverse.size(); ++k) inverse[k] = 1 / (factorial *= static_cast<double>(k));
        return inverse;
    }();
    const double square = -radians * radians;
    double cosine = 0, sine = 0;
    for (size_t k = kInverseFactorials.size(); k > 0; k -= 2) {
        sine = sine * square + kInverseFactorials[k - 1];
        cosine = cosine * square + kInverseFactorials[k - 2];
    }
    return {cosine, sine * radians};
}

}  // namespace

Vec2 onUnitCircle(double turns) {
    turns -= std::floor(turns);
    // fold into the first eighth, so that points come out mirrored exactly
    const double eighths = turns * 8;
    const int octant = static_cast<int>(eighths);
    const double within = eighths - octant;
    const bool mirrored = octant % 2 == 1;
    Vec2 point = cosineAndSineSmall((mirrored ? 1 - within : within) * (std::numbers::pi / 4));
    if (mirrored) point = Vec2(point.y(), point.x());
    // back out: quarter turns are exchanges of coordinates, exact too
    switch (octant / 2 % 4) {
        case 1:
            return {-point.y(), point.x()};
        case 2:
            return {-point.x(), -point.y()};
        case 3:
            return {point.y(), -point.x()};
        default:
            return point;
    }
}

double turnsOf(const Vec2& direction) {
    const double length = direction.norm();
    if (!(length > 0)) return 0;
    const Vec2 unit = direction / length;
    // a rough arc tangent within the octant (good to 0.005 rad), then Newton on the sine of what is left
    const double x = std::abs(unit.x()), y = std::abs(unit.y());
    const double slope = std::min(x, y) / std::max(x, y);
    double turns = slope * (std::numbers::pi / 4 + 0.273 * (1 - slope)) / (2 * std::numbers::pi);
    if (y > x) turns = 0.25 - turns;
    if (unit.x() < 0) turns = 0.5 - turns;
    if (unit.y() < 0) turns = -turns;
    for (int round = 0; round < 3; ++round) {
        const Vec2 guess = onUnitCircle(turns);
        const double sine = guess.x() * unit.y() - guess.y() * unit.x();
        turns += (sine + sine * sine * sine / 6) / (2 * std::numbers::pi);
    }
    turns -= std::floor(turns);
    return turns < 1 ? turns : 0;
}

}  // namespace sunder::shapes
