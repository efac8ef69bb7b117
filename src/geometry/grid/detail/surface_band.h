#pragma once

#include "base/progress.h"
#include "geometry/grid/detail/nearest_offsets.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// Offers to every lattice point within `reach` cells of the surface the offset to its nearest surface point, exactly.
/// `cellPositions`: the mesh's vertices in cells from the lattice's origin.
///
/// Each face, edge and vertex is scan-converted over the set of points it can be nearest to [mauch2000]: the prism over
/// a face, and the normal cone of an edge or vertex, i.e. the points from which no surface next to it is nearer. Unlike
/// the source this needs no closed or manifold mesh (an edge has one constraint per face, however many there are), and
/// edges and vertices reach a little into their neighbours, so no point is lost between two regions by rounding.
void fillBand(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions, double reach,
              NearestOffsets& nearest, Progress& progress);

}  // namespace sunder::detail
