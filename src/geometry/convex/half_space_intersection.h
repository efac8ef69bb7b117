#pragma once

#include <span>

#include "geometry/convex/convex_polytope.h"

namespace sunder {

/// What half-spaces have in common.
enum class IntersectionStatus {
    Bounded,    // a solid
    Empty,      // no common inside: nothing at all, or a point, segment or polygon
    Unbounded,  // reaches further than 2^40 times the farthest plane
};

/// What intersectHalfSpaces() found.
struct HalfSpaceIntersection {
    IntersectionStatus status = IntersectionStatus::Empty;  // to be looked at before the polytope
    ConvexPolytope polytope;  // Bounded only; a face's `plane` is the index of its half-space, faces ascending
};

/// The solid inside all planes. Which planes meet is decided exactly, for any input: parallel, repeated, touching in a
/// point, more than three through a corner. Corners nearer than 1e-12 of the solid's size become one. A repeated plane
/// makes one face, of its first index.
HalfSpaceIntersection intersectHalfSpaces(std::span<const Plane> planes);

}  // namespace sunder
