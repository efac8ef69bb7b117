#include "geometry/grid/detail/flat_triangles.h"

#include <algorithm>

#include "base/parallel.h"
#include "geometry/mesh/triangle_intersection.h"

namespace sunder::detail {

std::optional<TriMesh> withoutFlatTriangles(const TriMesh& mesh) {
    // triangles whose corners lie on one line
    std::vector<uint8_t> flat(mesh.triangleCount());
    parallelFor(mesh.triangleCount(), 4096, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const TriangleCorners corners = mesh.corners(static_cast<TriangleIndex>(i));
            const Vec3 ab = corners[1] - corners[0], ac = corners[2] - corners[0];
            // the exact test only where rounding could matter
            const bool thin = !(ab.cross(ac).squaredNorm() > 1e-20 * ab.squaredNorm() * ac.squaredNorm());
            flat[i] = thin && isDegenerate(corners);
        }
    });
    const auto count = static_cast<size_t>(std::count(flat.begin(), flat.end(), uint8_t{1}));
    // nothing to leave out, or nothing that would be left
    if (count == 0 || count == mesh.triangleCount()) return std::nullopt;
    TriMesh faces;
    faces.positions = mesh.positions;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!flat[raw(t)]) faces.triangles.push_back(mesh.triangles[t]);
    }
    return faces;
}

}  // namespace sunder::detail
