#pragma once

#include "sim/detail/simulation_state.h"

/// What hands do to bodies: the setup's actions.
namespace sunder::sim::detail {

/// Does what is due in the frame that is about to begin. An action that cannot be done is told in a message.
void act(Simulation::State& state, StepReport& report);

/// A body broke: the hands that pulled it go on with the fragment nearest to the pulled point.
void passOn(Simulation::State& state, const BreakReport& broken);

}  // namespace sunder::sim::detail
