#include "geometry/cut/cut_by_cells.h"

#include <optional>
#include <stdexcept>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/cut/detail/fuse_nodes.h"
#include "geometry/cut/detail/piece_meshes.h"

namespace sunder {

namespace {

using namespace detail;

constexpr double kShortestLink = 10;  // of the distance by which decisions may be off
constexpr size_t kCellsPerTask = 4;
constexpr int kMaxAttempts = 4;

void checkSolid(const TriMesh& solid, const MeshTopology& topology) {
    if (!isClosedManifold(solid, topology)) {
        throw std::invalid_argument("cutByCells: the solid is not a closed manifold surface; repair it first");
    }
}

void checkReach(const TriMesh& solid, const VoronoiDiagram& cells) {
    const Box3 bounds = boundsOf(solid);
    Box3 reach;
    for (const Vec3& p : cells.vertices()) reach.add(p);
    if (!reach.contains(bounds.min) || !reach.contains(bounds.max)) {
        throw std::invalid_argument(
            "cutByCells: the solid reaches outside the cells; make these in a container around its bounding box");
    }
}

std::vector<CutPiece> piecesOf(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls) {
    // where surface and walls cross
    const ShrunkSigns signs(solid, walls.positions);
    const Crossings crossings = findCrossings(solid, topology, walls, signs);
    const std::vector<Vec3> positions = nodePositions(solid, topology, walls, crossings);

    // what lies in which cell, and which parts of the walls lie inside the solid
    const EdgePieces edges = findEdgePieces(solid, topology, walls, crossings);
    std::array<Outlines, 2> outlines{outlinesInTriangles(solid, topology, walls, crossings, edges),
                                     outlinesInWalls(walls, crossings, edges)};
    const std::vector<Node> fused = fusedNodes(positions, outlines, kShortestLink * signs.shrinkage());
    if (!fused.empty()) {
        for (Outlines& set : outlines) set = withFusedNodes(set, fused);
    }

    // triangles, cell by cell
    std::vector<uint8_t> triangleIsCut(solid.triangleCount(), 0);
    for (const auto& chord : crossings.chords) triangleIsCut[raw(chord.triangle)] = 1;
    const CutSurface cut{solid, walls, edges, positions, outlines[0], outlines[1], triangleIsCut, fused};
    const PieceFaces faces = facesOfCells(cut, walls.cellCount);

    // pieces
    const PieceMaker maker(solid, topology, walls, crossings, positions);
    std::vector<std::vector<CutPiece>> ofCell(walls.cellCount);
    parallelFor(walls.cellCount, kCellsPerTask, [&](const BlockRange& range) {
        for (size_t c = range.begin; c < range.end; ++c) {
            const auto cell = static_cast<uint32_t>(c);
            ofCell[c] = maker.make(cell, faces.of(cell));
        }
    });
    // in the order of the cells, whichever thread was first
    std::vector<CutPiece> pieces;
    for (auto& list : ofCell) {
        for (CutPiece& piece : list) pieces.push_back(std::move(piece));
    }
    return pieces;
}

void move(std::vector<Vec3>& points, double distance) {
    for (size_t i = 0; i < points.size(); ++i) {
        Random random(0x5ec0d, i);
        for (double& x : points[i]) x += distance * random.uniform(-1, 1);
    }
}

/// The same cells after each site has moved by a part of the container's size.
VoronoiDiagram moved(const VoronoiDiagram& cells, double part) {
    Box3 reach;
    for (const Vec3& p : cells.vertices()) reach.add(p);
    std::vector<Vec3> sites = cells.sites();
    move(sites, part * reach.diagonal());
    return voronoi(sites, reach);
}

CellWalls moved(const CellWalls& walls, double part) {
    Box3 reach;
    for (const Vec3& p : walls.positions) reach.add(p);
    CellWalls result = walls;
    move(result.positions, part * reach.diagonal());
    return result;
}

/// Walls are rounded: where they almost coincide, two may have changed places, and a vertex of the solid just there is
/// then in both cells or none. Moving the sites or walls by less than matters gets it out of there.
template <class Walls>
std::vector<CutPiece> cutWithPatience(const TriMesh& solid, const MeshTopology& topology, const Walls& walls) {
    std::optional<Walls> others;
    double part = 1e-11;
    for (int attempt = 1;; ++attempt, part *= 30) {
        try {
            return piecesOf(solid, topology, WallComplex(others ? *others : walls));
        } catch (const Contradiction&) {
            if (attempt == kMaxAttempts) throw;
        }
        others = moved(walls, part);
    }
}

}  // namespace

std::vector<CutPiece> cutByCells(const TriMesh& solid, const VoronoiDiagram& cells) {
    if (solid.empty() || cells.cellCount() == 0) return {};
    const MeshTopology topology(solid);
    checkSolid(solid, topology);
    checkReach(solid, cells);
    return cutWithPatience(solid, topology, cells);
}

std::vector<CutPiece> cutByWalls(const TriMesh& solid, const CellWalls& walls) {
    if (solid.empty() || walls.cellCount == 0) return {};
    const MeshTopology topology(solid);
    checkSolid(solid, topology);
    return cutWithPatience(solid, topology, walls);
}

}  // namespace sunder
