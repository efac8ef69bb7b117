#pragma once

#include "base/progress.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// How inside and outside are told apart.
enum class GridSign {
    ClosedMesh,    // whole-number winding number by counting crossings along grid lines: exact for closed meshes
    WindingNumber  // generalised winding number >= 1/2: for soups, holes and overlaps
};

/// How far distances are exact, and what counts as inside.
struct GridOptions {
    double bandCells = 3;                  // exact distances at least this many cells to either side of the surface
    GridSign sign = GridSign::ClosedMesh;  // ClosedMesh needs one; WindingNumber takes anything
};

/// Distance grid of a surface on a frame: exact in the band, swept (eikonal) beyond it. Triangles of a closed mesh that
/// have no area are not surface.
DistanceGrid gridFromMesh(const TriMesh& mesh, const GridFrame& frame, const GridOptions& options = {},
                          Progress* progress = nullptr);

/// The same on the frame alignedFrame(boundsOf(mesh), cellSize, band).
DistanceGrid gridFromMesh(const TriMesh& mesh, double cellSize, const GridOptions& options = {},
                          Progress* progress = nullptr);

/// Cell size that puts `cells` cells along the longest side of the mesh's box.
double cellSizeFor(const TriMesh& mesh, int cells);

}  // namespace sunder
