#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/cut/detail/wall_complex.h"
#include "geometry/mesh/topology.h"

namespace sunder::detail {

/// A corner of the pieces: first the solid's vertices, then those of the walls, then points where an edge of the solid
/// crosses a wall, then points where an edge of the walls crosses the solid's surface.
using Node = uint32_t;

/// Where the solid's surface and the walls cross. Every point has one number, whoever speaks of it; the names it is
/// found by (edge and wall triangle, or wall edge and triangle) make the pieces fit without comparing coordinates.
struct Crossings {
    /// Edge of the solid x wall.
    struct EdgePoint {
        EdgeIndex edge{};
        uint32_t fan = 0;
        bool forward = true;  // along the edge it goes from the wall's `cell` to its `neighbour`
        double at = 0;        // 0 at the edge's first vertex, 1 at the second
    };
    /// Edge of the walls x triangle of the solid.
    struct WallEdgePoint {
        uint32_t edge = 0;
        TriangleIndex triangle{};
        bool entering = true;  // along the edge it comes into the solid
        double at = 0;
    };
    /// What a triangle and a wall have in common. From start to end, the wall's `cell` is on the left seen from outside
    /// the solid.
    struct Chord {
        TriangleIndex triangle{};
        uint32_t wall = 0;
        Node start = 0, end = 0;
    };

    uint32_t firstWallNode = 0, firstEdgePoint = 0, firstWallEdgePoint = 0, nodeCount = 0;
    std::vector<EdgePoint> edgePoints;          // by edge
    std::vector<uint32_t> firstOfEdge;          // per edge of the solid and one more: into edgePoints
    std::vector<WallEdgePoint> wallEdgePoints;  // by wall edge
    std::vector<uint32_t> firstOfWallEdge;
    std::vector<Chord> chords;  // by triangle, then wall

    std::span<const EdgePoint> on(EdgeIndex e) const {
        return std::span(edgePoints).subspan(firstOfEdge[raw(e)], firstOfEdge[raw(e) + 1] - firstOfEdge[raw(e)]);
    }
    std::span<const WallEdgePoint> onWallEdge(uint32_t e) const {
        return std::span(wallEdgePoints).subspan(firstOfWallEdge[e], firstOfWallEdge[e + 1] - firstOfWallEdge[e]);
    }
};

Crossings findCrossings(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                        const ShrunkSigns& signs);

/// Positions of all nodes.
std::vector<Vec3> nodePositions(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                                const Crossings& crossings);

}  // namespace sunder::detail
