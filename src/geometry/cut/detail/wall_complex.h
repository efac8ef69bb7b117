#pragma once

#include <span>
#include <vector>

#include "geometry/convex/voronoi.h"
#include "geometry/cut/detail/shrunk_signs.h"

namespace sunder::detail {

/// The walls between cells, each once, as polygons with numbered edges and as fans of triangles. The container's own
/// faces are left out: the solid does not reach beyond them.
struct WallComplex {
    struct Wall {
        uint32_t cell = 0, neighbour = 0;  // the normal points from the first to the second
        uint32_t firstCorner = 0, cornerCount = 0;
        uint32_t firstFan = 0;  // cornerCount - 2 triangles: corners 0, k + 1, k + 2
    };
    /// The way from a wall's corner to the next.
    struct Side {
        uint32_t edge = 0;
        bool forward = true;  // along the edge
    };
    struct Edge {
        uint32_t from = 0, to = 0;  // vertices; from < to
        friend auto operator<=>(const Edge&, const Edge&) = default;
    };

    explicit WallComplex(const VoronoiDiagram& cells);

    std::span<const Vec3> positions;  // of the diagram
    std::vector<Wall> walls;
    std::vector<uint32_t> corners;  // vertices of all walls' polygons
    std::vector<Side> sides;        // beside `corners`
    std::vector<Edge> edges;
    std::vector<uint32_t> wallOfFan;
    std::vector<uint8_t> onContainer;  // per vertex: on the container's surface

    uint32_t fanCount(const Wall& wall) const { return wall.cornerCount - 2; }
    WallTriangle fan(uint32_t f) const {
        const Wall& wall = walls[wallOfFan[f]];
        const uint32_t* corner = &corners[wall.firstCorner];
        const uint32_t k = f - wall.firstFan;
        return {corner[0], corner[k + 1], corner[k + 2]};
    }
    /// Unit, away from `cell`.
    Vec3 normal(const Wall& wall) const;
};

}  // namespace sunder::detail
