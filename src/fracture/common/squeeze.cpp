#include "fracture/common/squeeze.h"

#include "base/assert.h"
#include "geometry/mesh/box_uvs.h"

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
        if (!mesh.uvs.empty()) mesh.uvs[t] = boxUvs(mesh.corners(t), area);
    }
}

}  // namespace sunder::fracture
