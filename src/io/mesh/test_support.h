#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "io/mesh/mesh_io.h"

namespace sunder::test {

/// Reads bytes as if they were a file named "test.obj" (or .ply, ...).
inline MeshFile readBytes(std::string_view bytes, MeshFormat format) {
    const std::span<const char> chars(bytes.data(), bytes.size());
    return readMesh(std::as_bytes(chars), format, std::string("test.") + nameOf(format));
}

/// The message the bytes are refused with; empty if they are read.
inline std::string refusalOf(std::string_view bytes, MeshFormat format) {
    try {
        readBytes(bytes, format);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

inline Triangle tri(uint32_t a, uint32_t b, uint32_t c) {
    return {static_cast<VertexIndex>(a), static_cast<VertexIndex>(b), static_cast<VertexIndex>(c)};
}

/// A unit tetrahedron whose corners all differ in UV and normal from face to face, with two materials and inside flags.
inline TriMesh richTetrahedron() {
    TriMesh mesh;
    mesh.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 0.1)};
    mesh.triangles = {tri(0, 2, 1), tri(0, 1, 3), tri(1, 2, 3), tri(2, 0, 3)};
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 n = mesh.areaVector(t).normalized();
        mesh.normals.push_back({n, n, n});
        const double shift = 0.25 * raw(t);
        mesh.uvs.push_back({Vec2(shift, 0), Vec2(shift + 0.25, 0), Vec2(shift, 0.5)});
    }
    mesh.materials = {0, 1, 0, 1};
    mesh.materialNames = {"stone", "old brick"};
    mesh.inside = {0, 0, 1, 1};
    return mesh;
}

}  // namespace sunder::test
