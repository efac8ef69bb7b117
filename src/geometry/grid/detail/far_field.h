#pragma once

#include "base/progress.h"
#include "geometry/grid/detail/nearest_offsets.h"

namespace sunder::detail {

/// Carries nearest surface points from where they are known to the whole lattice. Six sweeps, one along each direction
/// of each axis; in each a point looks at the nine points of the plane before it [danielsson1980]. Every straight line
/// from a surface point outward lies in one of the six pyramids these sweeps cover. Distances are to true surface
/// points, hence never too small but for rounding. Uses the offsets up: only `squared` is left.
void sweepOutward(NearestOffsets& nearest, Progress& progress);

}  // namespace sunder::detail
