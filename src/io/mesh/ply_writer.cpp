#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "io/files/byte_order.h"
#include "io/mesh/ply.h"
#include "io/mesh/polygon_soup.h"
#include "io/mesh/writable.h"

namespace sunder {

namespace {

/// The attribute of each vertex if all its corners agree on it; empty if they do not somewhere. Vertices that no
/// triangle uses get zeros.
template <class Corner>
std::vector<Corner> perVertex(const TriMesh& mesh, const IndexedVector<TriangleIndex, std::array<Corner, 3>>& values) {
    if (values.empty()) return {};
    ASSERT(values.size() == mesh.triangleCount());
    std::vector<Corner> result(mesh.vertexCount(), Corner::Zero());
    std::vector<uint8_t> known(mesh.vertexCount(), 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t v = raw(mesh.triangles[t][k]);
            if (known[v] && result[v] != values[t][k]) return {};
            known[v] = 1;
            result[v] = values[t][k];
        }
    }
    return result;
}

/// Whether all places come back bit for bit from floats.
bool fitsFloat(const TriMesh& mesh) {
    const auto fits = [](double value) { return static_cast<double>(static_cast<float>(value)) == value; };
    return std::all_of(mesh.positions.begin(), mesh.positions.end(),
                       [&](const Vec3& p) { return fits(p.x()) && fits(p.y()) && fits(p.z()); });
}

template <class Vector>
void storeFloats(std::string& bytes, const Vector& v) {
    for (const double value : v) store(bytes, static_cast<float>(value));
}

/// Which arrays the file has, and where.
struct Layout {
    bool floats = true;           // positions
    std::vector<Vec2> vertexUvs;  // empty: none, or per corner
    std::vector<Vec3> vertexNormals;
    bool faceUvs = false, faceNormals = false;
};

/// Lists the properties in the order in which the bytes follow.
std::string headerOf(const TriMesh& mesh, const Layout& layout) {
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment written by Sunder\n";
    // PLY has no names of materials: they go into comments, one line each
    if (!mesh.materials.empty()) {
        for (uint32_t m = 0; m < materialCount(mesh); ++m) {
            std::string name = materialName(mesh, m);
            std::replace_if(
                name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '_');
            header += fmt::format("comment material {} {}\n", m, name);
        }
    }
    // vertices: places, then what all corners at a vertex agree on
    header += fmt::format("element vertex {}\n", mesh.vertexCount());
    for (const char* axis : {"x", "y", "z"}) {
        header += fmt::format("property {} {}\n", layout.floats ? "float" : "double", axis);
    }
    if (!layout.vertexNormals.empty()) header += "property float nx\nproperty float ny\nproperty float nz\n";
    if (!layout.vertexUvs.empty()) header += "property float s\nproperty float t\n";
    // faces: corners, then what differs from corner to corner
    header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangleCount());
    if (layout.faceUvs) header += "property list uchar float texcoord\n";
    if (layout.faceNormals) header += "property list uchar float corner_normals\n";
    if (!mesh.materials.empty()) header += "property uint material\n";
    if (!mesh.inside.empty()) header += "property uchar inside\n";
    return header + "end_header\n";
}

}  // namespace

std::string plyBytes(const TriMesh& mesh) {
    // attributes go to the vertices where all corners agree: that is what other programs read
    Layout layout;
    layout.floats = fitsFloat(mesh);
    layout.vertexUvs = perVertex(mesh, mesh.uvs);
    layout.vertexNormals = perVertex(mesh, mesh.normals);
    layout.faceUvs = !mesh.uvs.empty() && layout.vertexUvs.empty();
    layout.faceNormals = !mesh.normals.empty() && layout.vertexNormals.empty();

    std::string bytes = headerOf(mesh, layout);
    // each vertex and face as the header lists its properties
    for (const VertexIndex v : mesh.positions.indices()) {
        for (const double value : mesh.positions[v]) {
            if (layout.floats) {
                store(bytes, static_cast<float>(value));
            } else {
                store(bytes, value);
            }
        }
        if (!layout.vertexNormals.empty()) storeFloats(bytes, layout.vertexNormals[raw(v)]);
        if (!layout.vertexUvs.empty()) storeFloats(bytes, layout.vertexUvs[raw(v)]);
    }
    for (const TriangleIndex t : mesh.triangles.indices()) {
        store(bytes, uint8_t{3});
        for (const VertexIndex v : mesh.triangles[t]) store(bytes, raw(v));
        if (layout.faceUvs) {
            store(bytes, uint8_t{6});
            for (const Vec2& uv : mesh.uvs[t]) storeFloats(bytes, uv);
        }
        if (layout.faceNormals) {
            store(bytes, uint8_t{9});
            for (const Vec3& n : mesh.normals[t]) storeFloats(bytes, n);
        }
        if (!mesh.materials.empty()) store(bytes, mesh.materials[t]);
        if (!mesh.inside.empty()) store(bytes, mesh.inside[t]);
    }
    return bytes;
}

}  // namespace sunder
