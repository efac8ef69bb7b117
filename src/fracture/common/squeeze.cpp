#include "fracture/common/squeeze.h"

#include <array>

#include "base/assert.h"

namespace sunder::fracture {

void stretchPositions(TriMesh& mesh, const Vec3& factors) {
    ASSERT(factors.minCoeff() > 0);
    for (Vec3& p : mesh.positions) p = p.cwiseProduct(factors);
}

void restoreCrackFaces(TriMesh& mesh) {
    if (mesh.inside.empty()) return;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 area = mesh.areaVector(t);
        const double length = area.norm();
        if (mesh.inside[t] == 0 || !(length > 0)) continue;
        if (!mesh.normals.empty()) mesh.normals[t].fill(area / length);
        if (mesh.uvs.empty()) continue;
        int axis = 0;
        area.cwiseAbs().maxCoeff(&axis);
        const std::array<Vec3, 3> corners = mesh.corners(t);
        for (size_t k = 0; k < 3; ++k) mesh.uvs[t][k] = {corners[k][(axis + 1) % 3], corners[k][(axis + 2) % 3]};
    }
}

}  // namespace sunder::fracture
