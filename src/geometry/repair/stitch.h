#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Merges vertices on open edges that lie within `tolerance` (m) of each other, nearest pairs first; never two corners
/// of one triangle, so a detail smaller than the tolerance survives. Closed parts are not touched. Returns how many
/// vertices went.
size_t weldOpenEdges(TriMesh& mesh, double tolerance);

/// What weldSeams() did.
struct WeldedSeams {
    size_t welded = 0;     // vertices that went
    double tolerance = 0;  // m, the one that was used
};

/// Welds open edges with the given tolerance, or with 4 or 16 times as much when the wider one closes at least half of
/// the edges that the narrower left open (coordinates rounded more coarsely than expected).
WeldedSeams weldSeams(TriMesh& mesh, double tolerance);

/// Splits the triangle at an open edge wherever a vertex of another open edge lies on it within `tolerance` (m), so
/// that the two sides of the seam share vertices. Returns how many vertices were stitched.
size_t stitchTJunctions(TriMesh& mesh, double tolerance);

}  // namespace sunder
