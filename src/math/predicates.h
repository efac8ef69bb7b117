#pragma once

#include "math/vec.h"

namespace sunder {

/// Exact signs, computed fast when they are clear and by expansion arithmetic when they are not [shewchuk1997].
/// All return -1, 0 or +1. Exact for finite coordinates of any size; only where coordinates that are not zero differ by
/// factors beyond 1e90 within one call may the smallest be taken for zero.

/// Side of d as seen from the plane a, b, c: +1 when (b - a) x (c - a) . (d - a) > 0, i.e. a, b, c turn
/// counter-clockwise seen from d; 0 when the four are coplanar.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// +1 when a, b, c turn counter-clockwise.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

}  // namespace sunder
