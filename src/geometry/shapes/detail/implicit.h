#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// A solid where every part's function is negative: max over the parts, with a crease where two parts meet.
struct ImplicitShape {
    /// About the distance to the part's surface, m, negative inside.
    std::vector<std::function<double(const Vec3&)>> parts;
    Box3 bounds;          // of the solid, m
    double cellSize = 0;  // m
    double steepest = 1;  // bound on the slope of the functions
};

/// Triangles of an implicit solid: the isosurface of its distance grid, relaxed to even triangles that lie on the
/// surface. Normals are the gradient of the part each triangle lies on; UVs are projected along the nearest axis, one
/// unit per longest side.
TriMesh implicitMesh(const ImplicitShape& shape);

}  // namespace sunder::shapes
