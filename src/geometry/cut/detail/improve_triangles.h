#pragma once

#include <array>
#include <span>

#include "geometry/cut/detail/crossings.h"

namespace sunder::detail {

/// Height over longest side of a triangle, negative when it turns against the normal: 0.87 at best.
inline double shapeOf(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return longest > 0 ? (b - a).cross(c - a).dot(normal) / longest : 0;
}

/// Turns inner edges of a flat triangulation as long as that makes the worse of the two triangles at the edge better.
/// The outline stays as it is.
void improveTriangles(std::span<std::array<Node, 3>> triangles, std::span<const Vec3> positions, const Vec3& normal);

}  // namespace sunder::detail
