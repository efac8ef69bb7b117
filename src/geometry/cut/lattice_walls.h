#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "geometry/cut/cell_walls.h"
#include "geometry/grid/distance_grid.h"

namespace sunder {

/// Regions of space, sampled on the lattice of a solid's distance grid.
struct LatticeRegions {
    const DistanceGrid* solid = nullptr;  // walls are wanted where it is; its lattice reaches beyond it on all sides
    std::span<const uint32_t> labels;     // the region at each lattice point within kLabelBand cells of the solid
    uint32_t count = 0;                   // labels are below this

    /// How much farther from region `a` than from region `b` a point is: negative in a, positive in b, 0 on their wall;
    /// continuous. Walls are placed where it is 0. Called from several threads at once.
    std::function<double(const Vec3& point, uint32_t a, uint32_t b)> difference;
};

/// How far outside the solid labels are looked at, cells.
inline constexpr double kLabelBand = 3;

/// The walls between the regions, wherever they may meet the solid; a region is a cell of the same number. They never
/// cross each other, to the last bit: every lattice cell holds its own part of them, and neighbours agree on the face
/// between them. Three regions meet in lines and four in points that lie on all their walls, as far as they can be told
/// from the labels.
CellWalls latticeWalls(const LatticeRegions& regions);

}  // namespace sunder
