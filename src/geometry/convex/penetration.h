#pragma once

#include "geometry/convex/convex_polytope.h"
#include "math/rigid_transform.h"

namespace sunder {

/// The shortest way to part two convex solids.
struct Penetration {
    double depth = 0;          // m, positive when they overlap; negative: a gap at least this wide lies between them
    Vec3 axis = Vec3::Zero();  // unit, world: moving B by depth * axis makes them touch
};

/// Minimum translation by the separating axis theorem: normals of all faces of both, cross products of all pairs of
/// edges. Brute force in double, meant as a measure for tests and benchmarks. Exact to round-off while the solids
/// overlap; when they are apart the gap is exact where a face or a pair of edges is nearest, smaller than the distance
/// where corners are.
Penetration penetration(const ConvexPolytope& a, const RigidTransform& worldFromA, const ConvexPolytope& b,
                        const RigidTransform& worldFromB);

}  // namespace sunder
