#include "geometry/mesh/box_uvs.h"

namespace sunder {

std::array<Vec2, 3> boxUvs(const std::array<Vec3, 3>& corners, const Vec3& normal) {
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    std::array<Vec2, 3> uvs;
    for (size_t k = 0; k < 3; ++k) uvs[k] = {corners[k][(axis + 1) % 3], corners[k][(axis + 2) % 3]};
    return uvs;
}

void addBoxUvs(TriMesh& mesh) {
    if (!mesh.uvs.empty()) return;
    mesh.uvs.reserve(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices())
        mesh.uvs.push_back(boxUvs(mesh.corners(t), mesh.areaVector(t)));
}

}  // namespace sunder
