#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// One byte per lattice point (in the frame's order): 1 where the generalised winding number is at least 1/2.
/// `squaredCells`: squared distance to the surface in cells, per lattice point; exact near the surface.
///
/// The winding number is harmonic away from the surface, so over a block that no triangle enters its extremes lie on
/// the block's border. Blocks whose corners and centre agree by more than they differ among each other are filled at
/// once; others are halved, down to single points.
std::vector<uint8_t> insideByWindingNumber(const TriMesh& mesh, const GridFrame& frame,
                                           std::span<const float> squaredCells, Progress& progress);

}  // namespace sunder::detail
