#pragma once

#include "fracture/prescored/detail/interior_samples.h"
#include "fracture/prescored/prescored.h"
#include "geometry/grid/distance_grid.h"

namespace sunder::fracture {

/// What prescored fracture works out of a solid once.
struct PreparedSolid {
    InteriorSamples samples;
    DistanceGrid grid;  // curved patterns only
};

PreparedSolid prepareSolid(const Solid& solid, const PrescoredOptions& options, const Context& context);

}  // namespace sunder::fracture
