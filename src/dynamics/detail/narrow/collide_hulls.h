#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

/// Boxes, cylinders and hulls: convex solids with faces.
void collideHulls(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                  std::vector<Manifold>& manifolds);

}  // namespace sunder::dynamics::detail
