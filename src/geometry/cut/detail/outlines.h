#pragma once

#include <span>
#include <vector>

#include "geometry/cut/detail/edge_pieces.h"

namespace sunder::detail {

/// A closed line around a part of a triangle or of a wall, counter-clockwise seen from outside the solid or from the
/// wall's `neighbour`; around a hole of a wall clockwise.
struct Outline {
    uint32_t owner = 0;  // triangle or wall
    uint32_t cell = 0;   // that the part of a triangle lies in
    uint32_t firstNode = 0, nodeCount = 0;
};

struct Outlines {
    std::vector<Outline> lines;  // by owner
    std::vector<Node> nodes;

    std::span<const Node> of(const Outline& line) const {
        return std::span(nodes).subspan(line.firstNode, line.nodeCount);
    }
};

/// Outlines in triangles that are crossed; the others lie wholly in the cell of their vertices.
Outlines outlinesInTriangles(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                             const Crossings& crossings, const EdgePieces& pieces);

/// Outlines in all walls that reach into the solid.
Outlines outlinesInWalls(const WallComplex& walls, const Crossings& crossings, const EdgePieces& pieces);

}  // namespace sunder::detail
