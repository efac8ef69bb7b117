#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/convex/voronoi.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// One piece of a solid.
struct CutPiece {
    TriMesh mesh;       // closed, 2-manifold, outward; crack faces `inside`
    uint32_t cell = 0;  // the cell it lies in; a cell may hold several pieces
};

/// Cuts a closed, outward solid along the walls of cells that fill its bounding box. Every connected part is a piece,
/// in order of cell, then of volume (largest first). Faces of the solid keep UVs, normals, material and their
/// triangles' plane; the two sides of a crack face have the same vertices, bit for bit. Volumes sum to the solid's.
/// Decided exactly: sites on faces, edges through edges, coplanar and cospherical sites all work.
std::vector<CutPiece> cutByCells(const TriMesh& solid, const VoronoiDiagram& cells);

}  // namespace sunder
