#pragma once

#include <functional>
#include <vector>

#include "geometry/cut/detail/lattice_cell.h"

namespace sunder::detail {

/// A triangle of the walls in one cell; its normal points to the label `left`.
struct SheetTriangle {
    std::array<SurfaceNode, 3> corners;
    bool toMiddle = false;  // the last corner is the cell's own node instead
    uint32_t left = 0, right = 0;
};

/// The walls in a cell, from their lines on its faces. A line that closes is filled by a fan from one of its nodes. A
/// fan from a node of a convex cell to a line on the cell's surface cannot cross itself, if the line comes no second
/// time to the two faces at the node. Where there is no such node, where fans would cross each other, and where three
/// regions meet, all lines are joined to a node in the middle of the cell, which cannot cross either.
std::vector<SheetTriangle> sheetsIn(const std::vector<WallLine>& lines,
                                    const std::function<Vec3(SurfaceNode)>& position);

}  // namespace sunder::detail
