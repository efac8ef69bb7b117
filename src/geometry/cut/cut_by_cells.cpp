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

constexpr double kShortestLink = 1e-13;  // of the solid's diagonal
constexpr size_t kCellsPerBlock = 4;
constexpr int kMaxAttempts = 4;

void checkInput(const TriMesh& solid, const MeshTopology& topology, const VoronoiDiagram& cells) {
    if (!isClosedManifold(solid, topology)) {
        throw std::invalid_argument("cutByCells: the solid is not a closed manifold surface; repair it first");
    }
    const Box3 bounds = boundsOf(solid);
    Box3 reach;
    for (const Vec3& p : cells.vertices()) reach.add(p);
    if (!reach.contains(bounds.min) || !reach.contains(bounds.max)) {
        throw std::invalid_argument(
            "cutByCells: the solid reaches outside the cells; make these in a container around its bounding box");
    }
}

std::vector<CutPiece> piecesOf(const TriMesh& solid, const MeshTopology& topology, const VoronoiDiagram& cells) {
    // where surface and walls cross
    const WallComplex walls(cells);
    const ShrunkSigns signs(solid, walls.positions);
    const Crossings crossings = findCrossings(solid, topology, walls, signs);
    const std::vector<Vec3> positions = nodePositions(solid, topology, walls, crossings);

    // what lies in which cell, and which parts of the walls lie inside the solid
    const EdgePieces edges = findEdgePieces(solid, topology, cells, walls, crossings);
    std::array<Outlines, 2> outlines{outlinesInTriangles(solid, topology, walls, crossings, edges),
                                     outlinesInWalls(walls, crossings, edges)};
    const std::vector<Node> fused = fusedNodes(positions, outlines, kShortestLink * boundsOf(solid).diagonal());
    if (!fused.empty()) {
        for (Outlines& set : outlines) set = withFusedNodes(set, fused);
    }

    // triangles, cell by cell
    std::vector<uint8_t> triangleIsCut(solid.triangleCount(), 0);
    for (const auto& chord : crossings.chords) triangleIsCut[raw(chord.triangle)] = 1;
    const CutSurface cut{solid, walls, edges, positions, outlines[0], outlines[1], triangleIsCut, fused};
    const PieceFaces faces = facesOfCells(cut, cells.cellCount());

    // pieces
    const PieceMaker maker(solid, topology, walls, crossings, positions);
    std::vector<std::vector<CutPiece>> ofCell(cells.cellCount());
    parallelFor(cells.cellCount(), kCellsPerBlock, [&](const BlockRange& range) {
        for (size_t c = range.begin; c < range.end; ++c) {
            const auto cell = static_cast<uint32_t>(c);
            ofCell[c] = maker.make(cell, faces.of(cell));
        }
    });
    std::vector<CutPiece> pieces;
    for (auto& list : ofCell) {
        for (CutPiece& piece : list) pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// The same cells after each site has moved by a part of the container's size.
VoronoiDiagram withMovedSites(const VoronoiDiagram& cells, double part) {
    Box3 reach;
    for (const Vec3& p : cells.vertices()) reach.add(p);
    std::vector<Vec3> sites = cells.sites();
    for (size_t i = 0; i < sites.size(); ++i) {
        Random random(0x5ec0d, i);
        for (double& x : sites[i]) x += part * reach.diagonal() * random.uniform(-1, 1);
    }
    return voronoi(sites, reach);
}

}  // namespace

std::vector<CutPiece> cutByCells(const TriMesh& solid, const VoronoiDiagram& cells) {
    if (solid.empty() || cells.cellCount() == 0) return {};
    const MeshTopology topology(solid);
    checkInput(solid, topology, cells);

    // Walls are rounded: where they almost coincide, two may have changed places, and a vertex of the solid just there
    // is then in both cells or none. Moving the sites by less than matters gets it out of there.
    std::optional<VoronoiDiagram> moved;
    double part = 1e-11;
    for (int attempt = 1;; ++attempt, part *= 30) {
        try {
            return piecesOf(solid, topology, moved ? *moved : cells);
        } catch (const Contradiction&) {
            if (attempt == kMaxAttempts) throw;
        }
        moved = withMovedSites(cells, part);
    }
}

}  // namespace sunder
