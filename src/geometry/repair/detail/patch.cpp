#include "geometry/repair/detail/patch.h"

#include "geometry/repair/detail/edit.h"

namespace sunder::detail {

void addPatch(TriMesh& mesh, const BoundaryLoop& loop, const std::vector<std::array<uint32_t, 3>>& triangles) {
    for (const auto& [i, j, k] : triangles) {
        const std::array<uint32_t, 3> places{i, j, k};
        Triangle vertices{};
        std::array<CornerBlend, 3> blends;
        for (size_t c = 0; c < 3; ++c) {
            vertices[c] = loop.vertices[places[c]];
            const TriangleIndex source = loop.triangles[places[c]];
            blends[c] = atCorner(source, cornerOf(mesh, source, vertices[c]));
        }
        appendTriangle(mesh, vertices, loop.triangles[i], blends);
    }
}

}  // namespace sunder::detail
