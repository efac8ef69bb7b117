#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sunder {

/// Three corners of a polygon, by number.
using PolygonTriangle = std::array<uint32_t, 3>;

/// Splits a polygon of n >= 3 corners, concave or not, into n - 2 triangles that turn as it does and use its edges and
/// inner diagonals only. Ears with short diagonals go first, so a quad is cut along its shorter diagonal when both are
/// inside. A polygon that is not flat is judged by its projection along its mean normal.
///
/// Never fails: a polygon that crosses itself or has no area is still cut into n - 2 triangles, so that the surface
/// around it stays closed; some of these then overlap or have no area.
///
/// Ear clipping [meisters1975] with a queue; ear tests look at the reflex corners in the cells of a grid that the ear
/// covers. Time is about n log n for ordinary polygons, n times the number of reflex corners at worst.
std::vector<PolygonTriangle> triangulatePolygon(std::span<const Vec3> corners);

}  // namespace sunder
