#pragma once

#include <span>

#include "dynamics/shape.h"
#include "geometry/convex/convex_polytope.h"

namespace sunder::dynamics::detail {

/// Corners nearer to each other, and faces flatter against each other, than this part of the solid's size are one.
inline constexpr double kFlatness = 1e-6;

/// The hull of points with corners and faces joined within kFlatness: a box cut by round-off has six faces again.
/// Every edge lies between two faces, every corner on three or more. Throws std::invalid_argument when the points span
/// no volume.
ConvexPolytope flatHull(std::span<const Vec3> points);
/// The same for a solid whose faces are known already, which is much faster.
ConvexPolytope flatHull(const ConvexPolytope& solid);

/// Corners, faces and edges for the contact code, after moving the solid.
ConvexCore coreOf(const ConvexPolytope& solid, const RigidTransform& bodyFromGiven = {});

/// One corner or two, no faces.
ConvexCore roundCore(std::span<const Vec3> corners, double radius);

/// Smallest width over the faces' normals, m.
double smallestWidth(const ConvexPolytope& solid);

}  // namespace sunder::dynamics::detail
