#pragma once

#include <array>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::bench {

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
