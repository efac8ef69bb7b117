#pragma once

#include "dynamics/detail/body.h"
#include "dynamics/detail/pairs.h"

namespace sunder::dynamics::detail {

/// A body rests when it has hardly moved for a while and so has everything it touches. Returns the energy of the last
/// movements that sleep takes away, J.
double fallAsleep(Bodies& bodies, const PairTable& table, double dt);

}  // namespace sunder::dynamics::detail
