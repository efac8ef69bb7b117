#pragma once

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "base/error.h"
#include "io/mesh/mesh_io.h"

namespace sunder::fuzz {

[[noreturn]] inline void fail(const char* what) {
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}
inline void promise(bool holds, const char* what) {
    if (!holds) fail(what);
}

/// What every mesh that a reader hands out must be.
inline void checkMesh(const TriMesh& mesh) {
    const size_t count = mesh.triangleCount();
    promise(count > 0, "there are triangles");
    promise(mesh.uvs.empty() || mesh.uvs.size() == count, "one UV triple per triangle");
    promise(mesh.normals.empty() || mesh.normals.size() == count, "one normal triple per triangle");
    promise(mesh.materials.empty() || mesh.materials.size() == count, "one material per triangle");
    promise(mesh.inside.empty() || mesh.inside.size() == count, "one inside flag per triangle");
    for (const Vec3& p : mesh.positions) promise(p.allFinite(), "positions are finite");
    for (const Triangle& t : mesh.triangles) {
        for (const VertexIndex v : t) promise(raw(v) < mesh.vertexCount(), "indices are in range");
    }
    for (const auto& uvs : mesh.uvs) {
        for (const Vec2& uv : uvs) promise(uv.allFinite(), "UVs are finite");
    }
    for (const auto& normals : mesh.normals) {
        for (const Vec3& n : normals) promise(std::abs(n.norm() - 1) < 1e-6, "normals have length one");
    }
    for (const uint32_t m : mesh.materials) promise(m < mesh.materialNames.size(), "materials have names");
}

/// What is read must survive being written and read again.
inline void checkRoundTrip(const TriMesh& mesh, MeshFormat format) {
    std::string bytes;
    try {
        bytes = meshBytes(mesh, format, "out");
    } catch (const InputError&) {
        return;  // beyond the range of float
    }
    const std::span<const char> chars(bytes.data(), bytes.size());
    const MeshFile back = readMesh(std::as_bytes(chars), format, "back");
    checkMesh(back.mesh);
    promise(back.mesh.triangleCount() == mesh.triangleCount(), "no triangle is lost");
    promise(back.mesh.inside.empty() || back.mesh.inside.size() == mesh.inside.size(),
            "inside flags come from the mesh");
    if (format == MeshFormat::Obj || format == MeshFormat::Ply || format == MeshFormat::Off) {
        promise(back.mesh.positions == mesh.positions, "positions are exact");
        promise(back.mesh.triangles == mesh.triangles, "triangles are exact");
    }
}

/// Reads bytes; they must give a sound mesh or an InputError.
inline void tryMesh(std::span<const std::byte> bytes, MeshFormat format) {
    constexpr size_t kSmall = 2000;
    MeshFile file;
    try {
        file = readMesh(bytes, format, "in");
    } catch (const InputError&) {
        return;
    }
    checkMesh(file.mesh);
    if (file.mesh.triangleCount() > kSmall || file.mesh.vertexCount() > kSmall) return;
    for (const MeshFormat other :
         {MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Stl, MeshFormat::Off, MeshFormat::Gltf, MeshFormat::Glb}) {
        checkRoundTrip(file.mesh, other);
    }
}

}  // namespace sunder::fuzz
