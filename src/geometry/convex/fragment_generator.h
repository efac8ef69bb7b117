#pragma once

#include <cstdint>
#include <vector>

#include "geometry/convex/convex_polytope.h"

namespace sunder {

/// Seeded pieces like those a fracture leaves, for tests and benchmarks of everything that handles fragments. Piece i
/// of a seed is always the same. Centre of mass at the origin, SI units.

/// Intersections of 9 to 12 random half-spaces, shaped like Voronoi cells: 12 to 20 corners (mean 15.7), three planes
/// at each, 9.9 faces on average, largest extent 0.106 to 0.300 m (mean 0.227), and never flatter than 2 cm from the
/// centre of mass to the nearest face (mean 4 cm).
ConvexPolytope convexFragment(uint64_t seed, uint64_t index);

/// 256 distinct ones by default, as in the pile benchmarks.
std::vector<ConvexPolytope> convexFragments(uint64_t seed, size_t count = 256);

/// What makes a piece concave.
enum class ConcaveKind {
    Corner,    // an L: two thick arms
    Crescent,  // an arc of a broken ring
    Notched    // a slab with a wedge missing
};

/// Closed, manifold, outward, free of self-intersection, not convex; extents as above.
TriMesh concaveFragment(ConcaveKind kind, uint64_t seed, uint64_t index);

}  // namespace sunder
