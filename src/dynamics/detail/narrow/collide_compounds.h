#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

/// At least one is a compound. All pairs of parts whose balls are near each other; then one reduction over what all of
/// them found.
void collideCompounds(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                      std::vector<Manifold>& manifolds);

}  // namespace sunder::dynamics::detail
