#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/indexed_vector.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// The half-space normal . x <= offset; the normal points outward and need not be of unit length.
struct Plane {
    Vec3 normal = Vec3::Zero();  // outward, not 0
    double offset = 0;           // m where the normal is unit

    /// Through a point.
    static Plane through(const Vec3& point, const Vec3& normal) { return {normal, normal.dot(point)}; }
    /// Positive outside; in metres when the normal is a unit vector.
    double height(const Vec3& point) const { return normal.dot(point) - offset; }
};

/// A bounded convex solid: corners, and polygons turned counter-clockwise seen from outside. Empty when it has no
/// faces.
struct ConvexPolytope {
    /// One polygon of the surface.
    struct Face {
        uint32_t plane = kInvalidIndex;  // the caller's number of the plane that made it
        uint32_t firstCorner = 0;        // into corners
        uint32_t cornerCount = 0;        // 3 or more
        Plane surface;                   // where it lies: exact, corners are rounded
    };
    std::vector<Vec3> vertices;     // m, each used by three faces or more
    std::vector<Face> faces;        // none: an empty polytope
    std::vector<uint32_t> corners;  // vertices of all faces, one loop after the other

    bool empty() const { return faces.empty(); }  // nothing is inside
    /// Vertices around the face, counter-clockwise seen from outside.
    std::span<const uint32_t> loop(const Face& face) const {
        return std::span(corners).subspan(face.firstCorner, face.cornerCount);
    }
};

/// Faces 0 .. 5 are -x, +x, -y, +y, -z, +z.
ConvexPolytope polytopeOf(const Box3& box);

/// m^3
double volume(const ConvexPolytope& polytope);
/// Centre of mass, m; of the corners when there is no volume.
Vec3 centreOf(const ConvexPolytope& polytope);
/// Empty when the polytope is.
Box3 boundsOf(const ConvexPolytope& polytope);

/// Whether a mesh made of a polytope tells which plane each triangle is of: as its material.
enum class PlaneNumbers { Leave, KeepAsMaterial };
/// Closed and outward. Polygons become fans around their lowest vertex, so that two polytopes sharing a polygon, in the
/// same numbering, share its triangles.
TriMesh toTriMesh(const ConvexPolytope& polytope, PlaneNumbers numbers = PlaneNumbers::Leave);

/// The part inside one more plane, whose face gets the number `planeNumber`. Decided exactly from the faces' planes;
/// corners are computed anew from these. Planes no longer touching lose their face; nothing left gives an empty one.
ConvexPolytope clip(const ConvexPolytope& polytope, const Plane& plane, uint32_t planeNumber = kInvalidIndex);

}  // namespace sunder
