#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What mendIntersections() did.
struct MendReport {
    bool mended = false;   // no intersections left, still closed and manifold
    size_t places = 0;     // holes cut and filled
    size_t triangles = 0;  // cut out in all
};

/// Small self-intersections of a closed manifold surface: cuts out the triangles concerned with some ring of neighbours
/// and closes the holes again. Gives up, and leaves the mesh as it was, when more than a few per cent of the triangles
/// are concerned, a hole gets too long, or the volume would change by more than 0.1 per cent.
MendReport mendIntersections(TriMesh& mesh);

}  // namespace sunder
