#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "geometry/mesh/tri_mesh.h"

/// What all writers of glTF have in common.
namespace sunder {

enum GltfViewTarget { kVertexData = 34962, kIndexData = 34963 };
enum GltfComponentType { kUShort = 5123, kUInt = 5125, kFloat = 5126 };

/// The triangles of one material and side, with vertices split wherever an attribute differs.
struct GltfPrimitive {
    uint32_t material = 0;
    uint8_t inside = 0;
    TriangleIndex first{};  // of its triangles in the mesh
    std::vector<Eigen::Vector3f> positions, normals;
    std::vector<Eigen::Vector2f> uvs;
    std::vector<uint32_t> indices;
};

/// One primitive per material and side, in order of first use. Positions are rounded to float after `origin` is
/// subtracted.
std::vector<GltfPrimitive> splitIntoPrimitives(const TriMesh& mesh, const Vec3& origin = Vec3::Zero());

/// By this our own reader knows inside faces, and what their material was called.
nlohmann::ordered_json insideExtras(const std::string& material);

/// The bytes of a .glb before its JSON and between that and its binary part; both parts' sizes are multiples of 4.
struct GlbHeads {
    std::string file, binary;
};
/// Throws InputError, with the advice, beyond the 4 GiB that the format allows.
GlbHeads glbHeads(uint64_t jsonBytes, uint64_t binaryBytes, const std::string& advice);

}  // namespace sunder
