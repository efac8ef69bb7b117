#pragma once

#include <array>
#include <vector>

#include "geometry/surface/detail/wall_vertices.h"

namespace sunder::detail {

/// The vertices of all cells, in the order of LabelCells.
struct WallVertices {
    std::vector<Vec3> positions;  // lattice units
    std::vector<uint8_t> onCrease;
    struct Loose {
        uint32_t vertex = 0;
        Int3 cell{0, 0, 0};
    };
    std::vector<Loose> loose;  // vertices on walls whose place is not known, ascending
};
WallVertices placeVertices(const LabelCells& cells, const WallPlacer& placer);

/// A piece of wall around one edge of the tet lattice, between the components at its ends.
struct WallPolygon {
    uint32_t behind = 0, before = 0;    // components, one may be outside; its normal points to `before`
    std::array<uint32_t, 6> corners{};  // counter-clockwise seen from `before`
    uint8_t count = 0;
    bool needsMiddle = false;    // a diagonal might already be a side elsewhere
    Vec3 middle = Vec3::Zero();  // if needed: where the wall crosses the lattice edge, lattice units
};
std::vector<WallPolygon> findPolygons(const LabelCells& cells, const WallPlacer& placer);

/// Moves loose vertices to the mean of their neighbours, `rounds` times: those where several walls meet along the line
/// in which they meet, those on the solid along its surface, none out of its cell [gibson1998]. That turns the steps of
/// labels without a known difference into even walls.
void smoothLoose(WallVertices& vertices, const std::vector<WallPolygon>& polygons, const LabelCells& cells,
                 const WallPlacer& placer, int rounds);

/// A triangle between two components.
struct WallTriangle {
    std::array<uint32_t, 3> corners{};  // counter-clockwise seen from `before`
    uint32_t behind = 0, before = 0;
};
/// Appends the middles of polygons to the vertices.
std::vector<WallTriangle> triangulate(const std::vector<WallPolygon>& polygons, WallVertices& vertices);

}  // namespace sunder::detail
