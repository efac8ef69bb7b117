#pragma once

#include <functional>

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Which creases are kept, and how normals are known.
struct IsosurfaceOptions {
    bool keepCreases = true;    // place vertices on creases and corners; otherwise at the mean of the cell's crossings
    double creaseAngle = 0.35;  // rad; normals in a cell that differ by less are taken as smooth
    /// Unit outward normal of the true surface near a point; empty = estimated from the grid. Give it when the surface
    /// is known (a mesh being rebuilt, an analytic shape). Called from several threads at once; in an intersection it
    /// speaks of a's surface only.
    std::function<Vec3(const Vec3&)> normalAt;
};

/// The surface value == 0 as closed, manifold, outward triangles: dual contouring with one vertex per surface sheet in
/// a cell. The outermost layer of lattice points counts as outside, so the result is closed whatever the grid holds.
TriMesh isosurface(const DistanceGrid& grid, const IsosurfaceOptions& options = {});

/// Surface of the intersection max(a, b) of two grids on the same frame, with the crease where they meet kept sharp.
/// Triangles that lie on b's surface are marked `inside` (the crack), those on a's are not.
TriMesh isosurfaceOfIntersection(const DistanceGrid& a, const DistanceGrid& b, const IsosurfaceOptions& options = {});

}  // namespace sunder
