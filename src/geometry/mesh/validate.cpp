#include "geometry/mesh/validate.h"

#include <fmt/format.h>

namespace sunder {

namespace {

constexpr double kUnit = 1e-3;  // how far a normal may be from it: files store few digits

template <class T>
bool fits(const IndexedVector<TriangleIndex, T>& optional, const TriMesh& mesh) {
    return optional.empty() || optional.size() == mesh.triangleCount();
}

bool isUnitOrZero(const Vec3& normal) {
    const double squared = normal.squaredNorm();
    return squared == 0 || std::abs(squared - 1) < 2 * kUnit;
}

}  // namespace

std::string problemWith(const TriMesh& mesh) {
    for (const VertexIndex v : mesh.positions.indices()) {
        if (!mesh.positions[v].allFinite()) return fmt::format("vertex {} has no place", raw(v));
    }

    // triangles between vertices that are there
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Triangle& v = mesh.triangles[t];
        for (const VertexIndex corner : v) {
            if (raw(corner) >= mesh.vertexCount())
                return fmt::format("triangle {} has no vertex {}", raw(t), raw(corner));
        }
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return fmt::format("triangle {} has a vertex twice", raw(t));
    }

    // what triangles carry
    if (!fits(mesh.uvs, mesh)) return fmt::format("{} uvs for {} triangles", mesh.uvs.size(), mesh.triangleCount());
    if (!fits(mesh.normals, mesh))
        return fmt::format("{} normals for {} triangles", mesh.normals.size(), mesh.triangleCount());
    if (!fits(mesh.materials, mesh))
        return fmt::format("{} materials for {} triangles", mesh.materials.size(), mesh.triangleCount());
    if (!fits(mesh.inside, mesh))
        return fmt::format("{} marks of the inside for {} triangles", mesh.inside.size(), mesh.triangleCount());
    for (const TriangleIndex t : mesh.normals.indices()) {
        for (const Vec3& n : mesh.normals[t]) {
            if (!isUnitOrZero(n)) return fmt::format("a normal of triangle {} has length {}", raw(t), n.norm());
        }
    }
    return {};
}

}  // namespace sunder
