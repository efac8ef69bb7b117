#pragma once

#include <span>
#include <vector>

#include "geometry/convex/convex_polytope.h"

namespace sunder {

/// The smallest convex set around some points. Every vertex is an input point and a true corner.
struct ConvexHull {
    int dimension = -1;             // 3 a solid, 2 a polygon, 1 a segment, 0 one place, -1 no points
    std::vector<uint32_t> indices;  // of the corners in the input (one of equal points): ascending for a solid;
                                    // around the polygon; the two ends; the point
    ConvexPolytope polytope;        // solids only: exactly coplanar triangles merged; vertices as in `indices`
    TriMesh mesh;                   // solids only: the same, triangulated, closed and outward
};

/// Quickhull [barber1996] with exact decisions: no tolerance, no failure, the same hull for any order of the points.
/// Points inside, on faces or on edges are left out. Coordinates must be finite.
ConvexHull convexHull(std::span<const Vec3> points);

}  // namespace sunder
