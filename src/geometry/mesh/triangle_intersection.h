#pragma once

#include <array>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// How two closed triangles lie to each other. Decided by exact predicates alone.
enum class TriangleRelation : uint8_t {
    Disjoint,        // no common point
    Touching,        // common points, but neither passes through the other: a corner or side on the other triangle
    Crossing,        // each passes through the other's plane, and they share a piece of the line where the planes meet
    CoplanarOverlap  // in one plane, with a common area
};

/// Where the corners of a triangle are; any unit.
using TriangleCorners = std::array<Vec3, 3>;

/// Signs of a few determinants, as in [guigue2003]. Corners that are collinear or equal make a segment or a point,
/// which is disjoint or touching.
TriangleRelation relate(const TriangleCorners& a, const TriangleCorners& b);

/// As relate(), but for neighbours in one surface: corners at the same place are joints, and whatever lies on a shared
/// corner or side does not count. Disjoint is then what all pairs of a clean mesh are; edge neighbours folded onto each
/// other, and triangles on the same three corners, overlap.
TriangleRelation relateBeyondSharedCorners(const TriangleCorners& a, const TriangleCorners& b);

/// Corners on one line, exactly.
bool isDegenerate(const TriangleCorners& triangle);

}  // namespace sunder
