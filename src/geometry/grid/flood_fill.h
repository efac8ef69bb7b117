#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/grid/distance_grid.h"

namespace sunder {

/// What the outermost layer of lattice points is taken for. Surfaces are closed by calling it outside.
enum class LatticeBorder { AsGiven, Outside };

/// A connected part of one region, counted in lattice points.
struct LatticeComponent {
    uint32_t label = 0;
    size_t cells = 0;       // lattice points; each stands for one cell of volume
    size_t firstPoint = 0;  // lowest index of a point in it
};

/// Connected parts of the regions of a solid. Two points belong together when a path of lattice steps (along x, y or z)
/// inside the solid joins them without changing the label.
struct LatticeComponents {
    static constexpr uint32_t kOutside = std::numeric_limits<uint32_t>::max();

    std::vector<uint32_t> ofPoint;             // index into components, or kOutside
    std::vector<LatticeComponent> components;  // in order of their first points
};

/// Components of {solid < 0} per label, one label per lattice point (those of points outside do not matter). Throws
/// InputError when the number of labels is not that of the points.
LatticeComponents labelledComponents(const DistanceGrid& solid, std::span<const uint32_t> labels,
                                     LatticeBorder border = LatticeBorder::AsGiven);

/// Gives every component of fewer than `fewestCells` points to the neighbour it shares the most lattice steps with
/// (then to the larger, then to the earlier one), the smallest first. Nothing is lost: the points take the label of
/// their new owner, and parts of one label that meet through them become one. A component without neighbours stays as
/// it is.
LatticeComponents withoutSmallComponents(const LatticeComponents& parts, const GridFrame& frame, size_t fewestCells);

}  // namespace sunder
