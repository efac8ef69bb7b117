#include "io/mesh/writable.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace {

/// Throws at the first corner that would be written as nan or inf.
template <class Corner>
void checkFinite(const IndexedVector<TriangleIndex, std::array<Corner, 3>>& values, const char* what,
                 const std::string& path) {
    for (const TriangleIndex t : values.indices()) {
        for (const Corner& value : values[t]) {
            if (value.allFinite()) continue;
            throw InputError(path, fmt::format("{} of triangle {} is not finite and cannot be written", what, raw(t)));
        }
    }
}

}  // namespace

void checkWritable(const TriMesh& mesh, NumberWidth width, const std::string& path) {
    // an attribute is there for all triangles or for none
    const size_t count = mesh.triangleCount();
    ASSERT(mesh.uvs.empty() || mesh.uvs.size() == count);
    ASSERT(mesh.normals.empty() || mesh.normals.size() == count);
    ASSERT(mesh.materials.empty() || mesh.materials.size() == count);
    ASSERT(mesh.inside.empty() || mesh.inside.size() == count);
    if (count == 0) throw InputError(path, "the mesh has no triangles; there is nothing to write");
    // a coordinate that the format cannot hold would come back as infinity
    const double largest =
        width == NumberWidth::Float ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    for (const VertexIndex v : mesh.positions.indices()) {
        const Vec3& p = mesh.positions[v];
        if (p.allFinite() && p.cwiseAbs().maxCoeff() <= largest) continue;
        throw InputError(path,
                         fmt::format("vertex {} is ({}, {}, {}); only finite coordinates up to {:.3g} can be written "
                                     "in this format{}",
                                     raw(v), p.x(), p.y(), p.z(), largest,
                                     p.allFinite() ? ": scale the mesh down, or write .ply or .obj" : ""));
    }
    checkFinite(mesh.uvs, "a texture coordinate", path);
    checkFinite(mesh.normals, "a normal", path);
}

uint32_t materialCount(const TriMesh& mesh) {
    uint32_t count = static_cast<uint32_t>(mesh.materialNames.size());
    for (const uint32_t m : mesh.materials) count = std::max(count, m + 1);
    return count;
}

std::string materialName(const TriMesh& mesh, uint32_t material) {
    const bool named = material < mesh.materialNames.size() && !mesh.materialNames[material].empty();
    return named ? mesh.materialNames[material] : fmt::format("material_{}", material);
}

}  // namespace sunder
