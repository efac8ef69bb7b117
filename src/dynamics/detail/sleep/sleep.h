#pragma once

#include "dynamics/detail/body.h"
#include "dynamics/detail/contacts/pairs.h"

namespace sunder::dynamics::detail {

/// A body rests when it has hardly moved for a while and so has everything it touches. Returns the energy of the last
/// movements that sleep takes away, J. `gravity`: m/s^2.
double fallAsleep(Bodies& bodies, const PairTable& table, double dt, double gravity);

}  // namespace sunder::dynamics::detail
