#pragma once

#include <functional>

#include "geometry/mesh/topology.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// Which triangles to keep; 0 = drop.
using KeepMask = IndexedVector<TriangleIndex, uint8_t>;

/// Drops the triangles whose mask is 0, with their attributes; the others keep their order. Vertices stay. Returns how
/// many went.
size_t keepTriangles(TriMesh& mesh, const KeepMask& keep);

/// A corner of an existing triangle, the source of attributes for a new corner.
struct CornerBlend {
    TriangleIndex triangle = kNone<TriangleIndex>;
    Vec3 weights = Vec3::Zero();  // of the triangle's corners, sum to 1
};

/// Appends a triangle. Material and inside flag come from `like`; UVs and normals of each corner from its blend.
TriangleIndex appendTriangle(TriMesh& mesh, const Triangle& vertices, TriangleIndex like,
                             const std::array<CornerBlend, 3>& blends);

/// The blend that is exactly corner `corner` of `t`.
CornerBlend atCorner(TriangleIndex t, size_t corner);
/// The corner of `t` at vertex v, which it must have.
size_t cornerOf(const TriMesh& mesh, TriangleIndex t, VertexIndex v);

/// Splits triangle t at points on its side `corner`, given in order from that corner to the next one. The first part
/// replaces t, the others are appended. Attributes are interpolated along the side.
void splitSide(TriMesh& mesh, TriangleIndex t, size_t corner, const std::vector<VertexIndex>& on);

/// Triangles joined across edges for which `joins` says so. Numbered by first triangle.
Components componentsWhere(const TriMesh& mesh, const MeshTopology& topology,
                           const std::function<bool(EdgeIndex)>& joins);

/// "(0.1, 0, 0.3)"
std::string textOf(const Vec3& point);
/// "3 holes", "1 hole"; irregular plurals in full.
std::string counted(size_t count, const char* singular, const char* plural = nullptr);

}  // namespace sunder::detail
