#include "fracture/prescored/detail/planar_break.h"

#include <utility>

#include "geometry/cut/cut_by_cells.h"

namespace sunder::fracture {

namespace {

/// Factors are powers of two: no bit of a mantissa changes.
void stretchPositions(TriMesh& mesh, const Vec3& factors) {
    for (Vec3& p : mesh.positions) p = p.cwiseProduct(factors);
}

/// Crack faces were made in squeezed space, where their normals were others.
void restoreInsideNormals(TriMesh& mesh) {
    if (mesh.normals.empty() || mesh.inside.empty()) return;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (mesh.inside[t] == 0) continue;
        const Vec3 area = mesh.areaVector(t);
        const double length = area.norm();
        if (length > 0) mesh.normals[t].fill(area / length);
    }
}

std::vector<TriMesh> cut(const TriMesh& solid, const std::vector<Vec3>& sites) {
    const Box3 bounds = boundsOf(solid);
    const VoronoiDiagram cells = voronoi(sites, bounds.expanded(0.01 * bounds.diagonal()));
    std::vector<TriMesh> pieces;
    for (CutPiece& piece : cutByCells(solid, cells)) pieces.push_back(std::move(piece.mesh));
    return pieces;
}

}  // namespace

std::vector<TriMesh> breakAlongPlanes(const TriMesh& solid, const SitePattern& pattern) {
    if (pattern.squeeze == Vec3::Ones()) return cut(solid, pattern.sites);
    TriMesh squeezed = solid;
    stretchPositions(squeezed, pattern.squeeze);
    std::vector<TriMesh> pieces = cut(squeezed, pattern.sites);
    for (TriMesh& piece : pieces) {
        stretchPositions(piece, pattern.squeeze.cwiseInverse());
        restoreInsideNormals(piece);
    }
    return pieces;
}

}  // namespace sunder::fracture
