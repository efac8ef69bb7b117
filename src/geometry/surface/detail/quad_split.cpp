#include "geometry/surface/detail/quad_split.h"

#include <algorithm>
#include <cmath>

namespace sunder::detail {

namespace {

/// A quad a, b, c, d split from a to c.
struct Split {
    double flatness = -1;  // cosine of the angle between the halves' normals
    double thinness = 0;   // smallest height of a half over its longest side
};

double thinnest(const Vec3& a, const Vec3& b, const Vec3& c, double doubleArea) {
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return longest > 0 ? doubleArea / longest : 0;
}

Split splitBetween(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 first = (b - a).cross(c - a), second = (c - a).cross(d - a);
    const double firstArea = first.norm(), secondArea = second.norm();
    if (!(firstArea * secondArea > 0)) return {};
    return {first.dot(second) / (firstArea * secondArea),
            std::min(thinnest(a, b, c, firstArea), thinnest(a, c, d, secondArea))};
}

}  // namespace

bool splitsAtFirst(const std::array<Vec3, 4>& p, const std::array<bool, 4>& onCrease) {
    constexpr double kSliver = 0.05;
    const Split split02 = splitBetween(p[0], p[1], p[2], p[3]), split13 = splitBetween(p[1], p[2], p[3], p[0]);
    const bool sliver02 = split02.thinness < kSliver, sliver13 = split13.thinness < kSliver;
    if (sliver02 != sliver13) return sliver13;
    const bool crease02 = onCrease[0] && onCrease[2], crease13 = onCrease[1] && onCrease[3];
    if (crease02 != crease13) return crease02;
    if (std::abs(split02.flatness - split13.flatness) > 1e-3) return split02.flatness > split13.flatness;
    return (p[2] - p[0]).squaredNorm() <= (p[3] - p[1]).squaredNorm();
}

}  // namespace sunder::detail
