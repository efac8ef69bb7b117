#pragma once

#include <cstdint>
#include <vector>

#include "geometry/convex/voronoi.h"
#include "geometry/cut/cell_walls.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// One piece of a solid.
struct CutPiece {
    TriMesh mesh;       // closed, 2-manifold, outward; crack faces `inside`
    uint32_t cell = 0;  // the cell it lies in; a cell may hold several pieces
};

/// Cuts a closed, outward solid along the walls of cells that fill its bounding box. Every connected part is a piece (a
/// hollow belongs to the piece around it), in order of cell, then of volume (largest first). The two sides of a crack
/// face have the same triangles with the same vertices, bit for bit. Volumes sum to the solid's.
///
/// Faces of the solid stay in their triangles' planes and keep UVs and normals (interpolated where cut), material and
/// `inside`. Crack faces have `inside` = 1, flat normals, the material "inside" when the solid has materials, and, when
/// it has UVs, its coordinates in metres along the two axes that the crack faces least (one unit = 1 m; the same on
/// both sides of the crack).
///
/// Decided exactly: walls in faces, through edges and vertices, coplanar and cospherical sites all work. A wall that
/// lies in a face of the solid cuts nothing off it. Crossings closer than 1e-12 of the solid's diagonal are one vertex,
/// and parts thinner than that are left out.
///
/// Throws std::invalid_argument when the solid is not closed and manifold or reaches outside the cells, and
/// std::runtime_error when walls contradict each other however they are moved.
std::vector<CutPiece> cutByCells(const TriMesh& solid, const VoronoiDiagram& cells);

/// The same along walls of any shape.
std::vector<CutPiece> cutByWalls(const TriMesh& solid, const CellWalls& walls);

}  // namespace sunder
