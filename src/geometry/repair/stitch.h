#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Merges vertices on open edges that lie within `tolerance` (m) of each other, nearest pairs first; never two corners
/// of one triangle, so a detail smaller than the tolerance survives. Closed parts are not touched. Returns how many
/// vertices went.
size_t weldOpenEdges(TriMesh& mesh, double tolerance);

/// Splits the triangle at an open edge wherever a vertex of another open edge lies on it within `tolerance` (m), so
/// that the two sides of the seam share vertices. Returns how many vertices were stitched.
size_t stitchTJunctions(TriMesh& mesh, double tolerance);

}  // namespace sunder
