#pragma once

#include "sim/detail/simulation_state.h"

/// Bodies of the setup: those there from the start, and those that come later.
namespace sunder::sim::detail {

/// Throws std::invalid_argument for a setup that makes no sense, naming the body.
void check(const SimulationSetup& setup);

/// Makes a body of the setup known to the world and the run.
SimBody& addWhole(Simulation::State& state, uint32_t index);

/// Adds what comes in the frame that is about to begin.
void appear(Simulation::State& state, StepReport& report);

}  // namespace sunder::sim::detail
