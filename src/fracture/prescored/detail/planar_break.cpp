#include "fracture/prescored/detail/planar_break.h"

#include "fracture/common/squeeze.h"
#include "fracture/prescored/detail/crumbs.h"

namespace sunder::fracture {

namespace {

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
