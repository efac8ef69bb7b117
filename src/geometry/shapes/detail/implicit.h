#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// A solid where every part's function is negative: max over the parts, with a crease where two parts meet.
struct ImplicitShape {
    /// About the distance to the part's surface, m, negative inside; smooth near it.
    std::vector<std::function<double(const Vec3&)>> parts;
    Box3 bounds;               // of the solid, m
    double cellSize = 0;       // m
    double steepest = 1;       // bound on the slope of the functions
    double creaseAngle = 0.5;  // rad; the least angle at which parts meet

    size_t highestPart(const Vec3& point) const;
    double value(const Vec3& point) const;
    Vec3 normal(size_t part, const Vec3& point) const;
};

/// Triangles of an implicit solid: the isosurface of its distance grid, evened out along the surface. Keeps the largest
/// connected piece. Normals are the gradient of the part each triangle lies on; UVs are projected along the nearest
/// axis, one unit per longest side.
TriMesh implicitMesh(const ImplicitShape& shape);

/// Moves vertices along the surface, and along creases, towards the middle of their neighbours and onto the parts'
/// surfaces, wherever that does not make a triangle worse.
void evenOut(TriMesh& mesh, const ImplicitShape& shape, int rounds);

}  // namespace sunder::shapes
