#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

// B is a half-space. It remembers nothing, so its pairs never claim to be apart.
/// A is a sphere or a capsule.
void collideRoundWithHalfSpace(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                               std::vector<Manifold>& manifolds);
/// A is a cylinder.
void collideCylinderWithHalfSpace(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                                  std::vector<Manifold>& manifolds);
/// A is a box or a hull.
void collideHullWithHalfSpace(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                              std::vector<Manifold>& manifolds);
/// A is a field solid.
void collideFieldWithHalfSpace(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                               std::vector<Manifold>& manifolds);

}  // namespace sunder::dynamics::detail
