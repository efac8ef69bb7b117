#pragma once

#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

/// The triangle that is nearest to each point of a lattice.
struct NearestTriangles {
    GridFrame frame;                       // where the points are
    std::vector<TriangleIndex> triangles;  // x runs fastest
};

/// A distance grid that was made by searching, and what was found.
struct SearchedGrid {
    DistanceGrid grid;         // exact everywhere
    NearestTriangles nearest;  // to be handed on to pieces, see WholeSolid
    size_t searches = 0;       // points at which all triangles had to be searched
};

/// The distance grid of a closed mesh by searching for the triangle nearest to each point: where a cell has many
/// triangles that is sooner done than gridFromMesh, which looks at each of these. Not for meshes with flat triangles.
SearchedGrid searchedGrid(const TriangleTree& tree, const GridFrame& frame);

/// A solid that a mesh is a piece of: triangles that the piece still has are the same in both, corner by corner.
struct WholeSolid {
    const TriMesh* mesh = nullptr;              // not owned
    const NearestTriangles* nearest = nullptr;  // not owned; at the points of a lattice of its own
};
/// The grid of a piece from what is known of the whole. Where the triangle nearest to a point is one that the piece
/// still has, only a new one can be nearer, and there are few of these. Other points, and those that the lattice of the
/// whole has not, are searched for: the grid is the same as without the whole, bit by bit. Aligned lattices of one
/// exactCellSize() share their points; of other sizes nothing is taken over.
SearchedGrid searchedGrid(const TriangleTree& tree, const GridFrame& frame, const WholeSolid& whole);

/// Is there a triangle without area, exactly?
bool hasFlatTriangles(const TriMesh& mesh);

/// The largest size that is not above `most` and is a power of two, or one and a half of it: multiples of it have no
/// rounding, so lattices that are aligned with it have the same points.
double exactCellSize(double most);

}  // namespace sunder
