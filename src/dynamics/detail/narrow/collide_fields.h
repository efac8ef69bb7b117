#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

/// At least one is a field solid; the other is one, or convex.
void collideFields(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
                   std::vector<Manifold>& manifolds);

/// How far apart two such shapes are at least, m, as their contacts see it: by the particles of one in the field or the
/// faces of the other; more than `reach` when they would not touch within it.
double fieldsApart(const Shape& a, const Shape& b, const PairPose& pose, double reach);

/// By how much that may fall short because of this shape, m: a field is exact at its lattice points only.
double fieldSlack(const Shape& shape);

}  // namespace sunder::dynamics::detail
