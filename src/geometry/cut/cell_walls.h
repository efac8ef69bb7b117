#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "math/vec.h"

namespace sunder {

/// Walls of any shape that divide space into cells, as triangles that meet in common edges and do not cross each other.
/// They need only be there where the solid is that they shall cut: beyond it they may end anywhere.
struct CellWalls {
    /// One triangle between two cells.
    struct Wall {
        uint32_t cell = 0, neighbour = 0;   // the normal points from the first to the second
        std::array<uint32_t, 3> corners{};  // counter-clockwise seen from `neighbour`
    };
    std::vector<Vec3> positions;  // m
    std::vector<Wall> walls;      // those of all cells
    uint32_t cellCount = 0;       // cells are numbered from 0; some may have no wall
    /// The cell of a point that lies on no wall: asked for parts of the surface that no wall crosses.
    std::function<uint32_t(const Vec3&)> cellAt;
};

}  // namespace sunder
