#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

using DistanceFunction = std::function<double(const Vec3&)>;

/// A smooth solid: where a function that is about the distance to its surface, m, is negative.
struct ImplicitSolid {
    DistanceFunction distance;
    Box3 bounds;          // of the solid, m
    double cellSize = 0;  // m
    double steepest = 1;  // bound on the slope of the function
};

/// Triangles of a smooth implicit solid: the isosurface of its distance grid, evened out along the surface. Keeps the
/// largest connected piece. Normals are the gradient; UVs are projected along the nearest axis, one unit per longest
/// side.
TriMesh implicitMesh(const ImplicitSolid& solid);

/// The part of an implicit solid inside the cube [-half, half]^3, cut with sharp edges: marching over the tetrahedra of
/// `cells`^3 cubes, whose outer faces lie in the cube's. Normals and UVs as above.
TriMesh implicitMeshInCube(const DistanceFunction& distance, double half, int cells);

/// A surface made of smooth parts, and which of them each vertex lies on: two on a crease, three at a corner.
struct PartedSurface {
    using PartSet = uint32_t;  // one bit per part

    TriMesh mesh;
    IndexedVector<VertexIndex, PartSet> partsOf;
    std::vector<DistanceFunction> parts;  // m, negative inside
    double cellSize = 0;                  // m
    /// Last touch to a point that lies on some parts but for rounding, so that planes are exactly plane. May be empty.
    std::function<Vec3(PartSet, const Vec3&)> settle;

    /// Unit gradient of a part.
    Vec3 normal(size_t part, const Vec3& point) const;
    /// The part that all three corners lie on; the first if there are several.
    size_t partOf(TriangleIndex t) const;
};

/// Moves vertices along the surface, and along creases, towards the middle of their neighbours and onto the parts'
/// surfaces, wherever that does not make a triangle worse or lead out through another part.
void evenOut(PartedSurface& surface, int rounds);

/// Each triangle takes the gradient of the part it lies on, so that normals break exactly at creases.
void setNormals(PartedSurface& surface);

/// Only the largest of the connected pieces; vertices stay.
void keepLargestPiece(TriMesh& mesh);

}  // namespace sunder::shapes
