#pragma once

#include <vector>

#include "base/random.h"
#include "fracture/prescored/detail/interior_samples.h"
#include "fracture/prescored/pattern.h"

namespace sunder::fracture {

/// Concentric and radial cracks: sites on rings and spokes in the plane across the axis, so that every wall runs along
/// the axis, as in a pane struck square. Rings widen outwards in proportion to their radius and spokes fork, so that
/// shards are of one shape and grow with the distance. Sites that own nothing of the body are left out.
std::vector<Vec3> glassSites(const PatternOptions& options, const InteriorSamples& body, int pieces,
                             const RigidTransform& bodyFromPattern, Random random);

}  // namespace sunder::fracture
