#pragma once

#include "base/progress.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder {

struct StuffingOptions {
    /// Edge of the cubes of the BCC lattice, m; 0 = chosen for targetTets.
    double cellSize = 0;
    /// Wanted number of tets when cellSize is 0; met within 5 %.
    size_t targetTets = 0;
};

/// Isosurface stuffing [labelle2007]: fills the region value < 0 with tets of a body-centred cubic lattice, warped and
/// cut so that the boundary follows the surface. Dihedral angles are bounded (10.7 to 164.8 degrees) whatever the
/// shape. Features thinner than the lattice are lost: the caller compares volumes, or asks for a finer lattice.
TetMesh stuffIsosurface(const DistanceGrid& grid, const StuffingOptions& options, Progress* progress = nullptr);

}  // namespace sunder
