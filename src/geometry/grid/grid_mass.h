#pragma once

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder {

/// Mass properties of the region value < 0, with the cut cells counted by the fraction of them that is inside.
MassProperties massProperties(const DistanceGrid& grid);

}  // namespace sunder
