#pragma once

#include <filesystem>
#include <fstream>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::bench {

/// A plain OFF file of triangles.
inline TriMesh readOff(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string magic;
    size_t vertices = 0, triangles = 0, edges = 0;
    file >> magic >> vertices >> triangles >> edges;
    TriMesh mesh;
    for (size_t i = 0; i < vertices && file; ++i) {
        Vec3 p;
        file >> p.x() >> p.y() >> p.z();
        mesh.positions.push_back(p);
    }
    for (size_t i = 0; i < triangles && file; ++i) {
        uint32_t corners = 0, a = 0, b = 0, c = 0;
        file >> corners >> a >> b >> c;
        mesh.triangles.push_back(
            {static_cast<VertexIndex>(a), static_cast<VertexIndex>(b), static_cast<VertexIndex>(c)});
    }
    return mesh;
}

/// Every triangle split into four flat ones: the same surface with 4 times the triangles.
inline TriMesh refined(const TriMesh& mesh) {
    TriMesh finer;
    finer.positions = mesh.positions;
    for (const Triangle& t : mesh.triangles) {
        std::array<VertexIndex, 3> middle;
        for (size_t i = 0; i < 3; ++i)
            middle[i] = finer.positions.push_back(0.5 * (mesh.positions[t[i]] + mesh.positions[t[(i + 1) % 3]]));
        finer.triangles.push_back({t[0], middle[0], middle[2]});
        finer.triangles.push_back({middle[0], t[1], middle[1]});
        finer.triangles.push_back({middle[2], middle[1], t[2]});
        finer.triangles.push_back({middle[0], middle[1], middle[2]});
    }
    return finer;
}

}  // namespace sunder::bench
