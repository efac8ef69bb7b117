#pragma once

#include <array>

#include "math/vec.h"

namespace sunder::detail {

/// Whether a triangle and a tet share a point; touching counts. Never misses a pair that does; a pair closer than
/// rounding of the coordinates may count as touching. Works for flat triangles and tets.
bool overlaps(const std::array<Vec3, 3>& triangle, const std::array<Vec3, 4>& tet);

}  // namespace sunder::detail
