#pragma once

#include <functional>
#include <span>
#include <vector>

#include "geometry/convex/voronoi.h"
#include "geometry/cut/cell_walls.h"
#include "geometry/cut/detail/shrunk_signs.h"

namespace sunder::detail {

/// The walls between cells, each once, as flat polygons with numbered edges and as fans of triangles. A container's own
/// faces are left out: the solid does not reach beyond them. What it was made from must outlive it.
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
        uint32_t from = 0, to = 0;                                    // vertices; from < to
        friend auto operator<=>(const Edge&, const Edge&) = default;  // NOLINT(modernize-use-nullptr)
    };

    explicit WallComplex(const VoronoiDiagram& cells);
    explicit WallComplex(const CellWalls& walls);

    size_t cellCount = 0;
    std::span<const Vec3> positions;
    std::vector<Wall> walls;
    std::vector<uint32_t> corners;  // vertices of all walls' polygons
    std::vector<Side> sides;        // beside `corners`
    std::vector<Edge> edges;
    std::vector<uint32_t> wallOfFan;
    std::vector<uint8_t> outside;  // per vertex: known to be outside the solid, being on the container
    /// The cell of a part of the surface that no wall crosses, from its vertices.
    std::function<uint32_t(std::span<const Vec3> part)> cellOfPart;

    uint32_t fanCount(const Wall& wall) const { return wall.cornerCount - 2; }
    WallTriangle fan(uint32_t f) const {
        const Wall& wall = walls[wallOfFan[f]];
        const uint32_t* corner = &corners[wall.firstCorner];
        const uint32_t k = f - wall.firstFan;
        return {corner[0], corner[k + 1], corner[k + 2]};
    }
    /// Unit, away from `cell`.
    Vec3 normal(const Wall& wall) const;

private:
    void numberEdges();
};

}  // namespace sunder::detail
