#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/indexed_vector.h"
#include "math/box.h"
#include "math/rigid_transform.h"
#include "math/vec.h"

namespace sunder {

/// Into the positions of a TriMesh.
enum class VertexIndex : uint32_t {};
/// Into the triangles of a TriMesh, and whatever it has for each of them.
enum class TriangleIndex : uint32_t {};

/// Three vertices, counter-clockwise seen from outside.
using Triangle = std::array<VertexIndex, 3>;

/// A triangle surface. Vertices carry positions only and are shared by all triangles around them; whatever may differ
/// across an edge (UVs at a seam, normals at a crease) is kept per corner. An optional array is either empty or has one
/// entry per triangle.
struct TriMesh {
    IndexedVector<VertexIndex, Vec3> positions;        // m
    IndexedVector<TriangleIndex, Triangle> triangles;  // each by its vertices

    IndexedVector<TriangleIndex, std::array<Vec2, 3>> uvs;      // per corner; v counts upwards
    IndexedVector<TriangleIndex, std::array<Vec3, 3>> normals;  // per corner, unit
    IndexedVector<TriangleIndex, uint32_t> materials;           // index into materialNames
    IndexedVector<TriangleIndex, uint8_t> inside;               // 1 = made by a crack, 0 = original surface
    std::vector<std::string> materialNames;                     // empty: the mesh names none

    size_t vertexCount() const { return positions.size(); }    // also those that no triangle uses
    size_t triangleCount() const { return triangles.size(); }  // also those without area
    bool empty() const { return triangles.empty(); }           // no triangles; there may be vertices

    /// Positions of the three vertices, in order, m.
    std::array<Vec3, 3> corners(TriangleIndex t) const {
        const Triangle& v = triangles[t];
        return {positions[v[0]], positions[v[1]], positions[v[2]]};
    }
    /// Twice the area times the unit normal.
    Vec3 areaVector(TriangleIndex t) const {
        const auto [a, b, c] = corners(t);
        return (b - a).cross(c - a);
    }
};

/// The box around the vertices that triangles use; stray vertices do not count.
Box3 boundsOf(const TriMesh& mesh);

/// Sum of triangle areas, m^2.
double surfaceArea(const TriMesh& mesh);

/// Moves positions and turns normals; everything else stays.
TriMesh transformed(const TriMesh& mesh, const RigidTransform& newFromOld);
/// Larger or smaller about the origin; factor > 0.
TriMesh scaled(const TriMesh& mesh, double factor);

/// Adds all of `other` to `mesh`. Optional arrays are kept if either side has them, with neutral values for the other.
void append(TriMesh& mesh, const TriMesh& other);

/// The chosen triangles in the given order, with their attributes and only the vertices they use (in order of first
/// use).
TriMesh subset(const TriMesh& mesh, const std::vector<TriangleIndex>& chosen);

/// Turns every triangle over: winding, corner order of UVs and normals, and the normals' sign.
void flipOrientation(TriMesh& mesh);
/// The same for one triangle alone.
void flipTriangle(TriMesh& mesh, TriangleIndex t);

/// Drops vertices no triangle uses; the others keep their order. Returns how many went.
size_t removeUnusedVertices(TriMesh& mesh);

inline constexpr double kCreaseAngle = 0.35;  // rad: surfaces that are made of grids or bits look smooth up to it
/// Per-corner normals: mean of the neighbouring faces, by angle, that meet within `creaseAngle` and are alike `inside`.
void computeNormals(TriMesh& mesh, double creaseAngle);

}  // namespace sunder
