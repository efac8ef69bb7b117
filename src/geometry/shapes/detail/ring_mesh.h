#pragma once

#include <array>
#include <functional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// One closed row of points around an axis; a ring of one point is a pole. Point j stands at j / points of a turn.
struct Ring {
    std::vector<Vec3> points;
};

/// A corner of a triangle between two rings: which ring, and where around it.
struct RingCorner {
    size_t band = 0;     // between ring `band` and the next
    bool upper = false;  // on the next ring
    uint32_t slot = 0;   // point of that ring, before wrapping: equal to the ring's count on the far side of the seam
    double turns = 0;    // where around, 0 to 1; a pole takes the middle of its triangle
};

struct CornerAttributes {
    Vec3 normal;
    Vec2 uv;
};

/// Sews neighbouring rings together with triangles that face outward when the rings climb along the outside. Counts of
/// neighbours are equal, differ by a factor of two, or one is a pole. With `closed`, the last ring meets the first.
TriMesh sewRings(const std::vector<Ring>& rings, bool closed,
                 const std::function<CornerAttributes(const RingCorner&)>& attributes);

/// A number near `wanted` that can be halved until 5 to 9 are left.
uint32_t halvableCount(double wanted);

}  // namespace sunder::shapes
