#pragma once

#include <span>
#include <vector>

#include "geometry/cut/detail/crossings.h"

namespace sunder::detail {

/// A part of an edge, in the edge's direction.
struct EdgePiece {
    uint32_t cell = 0;  // that it lies in; unused on wall edges
    Node from = 0, to = 0;
};

/// Parts of the solid's edges, cell by cell, and parts of the walls' edges inside the solid.
struct EdgePieces {
    std::vector<uint32_t> cellOfVertex;  // of the solid
    std::vector<EdgePiece> pieces;       // of edges that are crossed, by edge
    std::vector<uint32_t> firstOfEdge;
    std::vector<EdgePiece> wallPieces;  // by wall edge
    std::vector<uint32_t> firstOfWallEdge;

    std::span<const EdgePiece> on(EdgeIndex e) const {
        return std::span(pieces).subspan(firstOfEdge[raw(e)], firstOfEdge[raw(e) + 1] - firstOfEdge[raw(e)]);
    }
    std::span<const EdgePiece> onWallEdge(uint32_t e) const {
        return std::span(wallPieces).subspan(firstOfWallEdge[e], firstOfWallEdge[e + 1] - firstOfWallEdge[e]);
    }
};

/// Follows edges from crossing to crossing. Throws Contradiction when a vertex would have to be in two cells.
EdgePieces findEdgePieces(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                          const Crossings& crossings);

}  // namespace sunder::detail
