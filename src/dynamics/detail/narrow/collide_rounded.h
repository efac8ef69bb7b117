#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

/// Convex solids of which at least one has a radius (sphere or capsule).
void collideRounded(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                    std::vector<Manifold>& manifolds);

}  // namespace sunder::dynamics::detail
