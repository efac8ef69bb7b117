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

/// What closeGaps() did.
struct ClosedGaps {
    size_t welded = 0;     // vertices that went
    size_t stitched = 0;   // vertices that lay on another's edge
    double tolerance = 0;  // m, the one that was used; 0 = nothing was done
};

/// Parts that were modelled with a gap along their seam, wider than any rounding: welds and stitches open edges with
/// 64, 256 or 1024 times the tolerance, when that closes nearly all of them, crowds none, and is small against their
/// length.
ClosedGaps closeGaps(TriMesh& mesh, double tolerance);

}  // namespace sunder
