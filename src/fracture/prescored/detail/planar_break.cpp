#include "fracture/prescored/detail/planar_break.h"

#include <array>

#include "fracture/prescored/detail/crumbs.h"

namespace sunder::fracture {

namespace {

/// Factors are powers of two: no bit of a mantissa changes.
void stretchPositions(TriMesh& mesh, const Vec3& factors) {
    for (Vec3& p : mesh.positions) p = p.cwiseProduct(factors);
}

/// Crack faces were made in squeezed space, where their normals and UVs were others. Those of earlier cracks follow the
/// same rules (see cutByCells), so that making them anew changes nothing.
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

std::vector<TriMesh> cut(const TriMesh& solid, const std::vector<Vec3>& sites, int pieces, PatternKind kind) {
    const Box3 bounds = boundsOf(solid);
    const VoronoiDiagram cells = voronoi(sites, bounds.expanded(0.01 * bounds.diagonal()));
    return piecesWithoutCrumbs(cutByCells(solid, cells), solid, pieces, kind);
}

}  // namespace

std::vector<TriMesh> breakAlongPlanes(const TriMesh& solid, const SitePattern& pattern, int pieces, PatternKind kind) {
    if (pattern.squeeze == Vec3::Ones()) return cut(solid, pattern.sites, pieces, kind);
    TriMesh squeezed = solid;
    stretchPositions(squeezed, pattern.squeeze);
    std::vector<TriMesh> meshes = cut(squeezed, pattern.sites, pieces, kind);
    for (TriMesh& piece : meshes) {
        stretchPositions(piece, pattern.squeeze.cwiseInverse());
        restoreCrackFaces(piece);
    }
    return meshes;
}

}  // namespace sunder::fracture
