#pragma once

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// A mesh's vertices in cells from the lattice's origin.
IndexedVector<VertexIndex, Vec3> positionsInCells(const TriMesh& mesh, const GridFrame& frame);

/// Makes distances to a closed mesh negative inside: where the winding number, counted along lattice lines, is one or
/// more.
void applyClosedSign(const TriMesh& mesh, const IndexedVector<VertexIndex, Vec3>& cellPositions, DistanceGrid& grid);

}  // namespace sunder::detail
