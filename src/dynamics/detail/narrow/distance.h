#pragma once

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

// Distances as distanceBetween() promises them, by kind.
/// Convex solids.
double distanceOfCores(const Shape& a, const Shape& b, const PairPose& pose);
/// At least one is a field solid; the other is one, or convex.
double distanceOfFields(const Shape& a, const Shape& b, const PairPose& pose);
/// A's lowest point above the half-space B. A is convex or a field solid.
double distanceToHalfSpace(const Shape& a, const Shape& b, const PairPose& pose);
/// At least one is a compound.
double distanceOfCompounds(const Shape& a, const Shape& b, const PairPose& pose);

}  // namespace sunder::dynamics::detail
