#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "io/files/source.h"

namespace sunder {

inline constexpr uint32_t kNoAttribute = 0xffffffff;

/// One corner of a face: numbers of its position, UV and normal, counted from 0.
struct FaceCorner {
    uint32_t position = 0;
    uint32_t uv = kNoAttribute;
    uint32_t normal = kNoAttribute;
};

/// What polygon formats hold, before triangulation: any number of corners per face, attributes with numbers of their
/// own. Every number must be in range before triangulated() is called.
struct PolygonSoup {
    IndexedVector<VertexIndex, Vec3> positions;
    std::vector<Vec2> uvs;
    std::vector<Vec3> normals;  // any length; those that have no direction are replaced by the face's

    std::vector<FaceCorner> corners;
    std::vector<size_t> faceStart;       // first corner of each face
    std::vector<uint32_t> faceMaterial;  // empty, or one per face
    std::vector<uint8_t> faceInside;     // empty, or one per face
    std::vector<std::string> materialNames;

    size_t faceCount() const { return faceStart.size(); }
    size_t cornerCount(size_t face) const {
        return (face + 1 < faceStart.size() ? faceStart[face + 1] : corners.size()) - faceStart[face];
    }
};

/// Faces with three corners or more become triangles in order; corners without UV get (0, 0), corners without normal
/// that of their triangle. UVs and normals are there if any corner has them.
TriMesh triangulated(PolygonSoup&& soup);

/// The unit vector, or (0, 0, 0) if it has no direction.
Vec3 unitOrZero(const Vec3& v);

}  // namespace sunder
