#pragma once

#include "fracture/fracture_method.h"
#include "fracture/prescored/detail/interior_samples.h"
#include "geometry/grid/distance_grid.h"

namespace sunder::fracture {

/// What prescored fracture works out of a solid once.
struct PreparedSolid : Prepared {
    InteriorSamples samples;
    DistanceGrid grid;  // curved patterns only
};

}  // namespace sunder::fracture
