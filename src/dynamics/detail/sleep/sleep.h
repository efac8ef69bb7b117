#pragma once

#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

/// A body rests when it has hardly moved for a while and so has everything it touches. Returns the energy of the last
/// movements that sleep takes away, J. `gravity`: m/s^2.
double fallAsleep(Bodies& bodies, const PairTable& table, double dt, double gravity);

/// After solving: notes what pairs press on each other. A sleeping body that is pressed much harder or less than when
/// it fell asleep wakes.
void noteLoads(Bodies& bodies, const std::vector<PatchResult>& results, double dt, double gravity, PairTable& table);

}  // namespace sunder::dynamics::detail
