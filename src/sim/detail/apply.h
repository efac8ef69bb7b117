#pragma once

#include "sim/detail/decide.h"

namespace sunder::sim::detail {

/// Swaps each body for its fragments. Takes the energy of breaking from the motion of the body and of the one that hit
/// it hardest; mass and momentum are kept. Adds to the report what happened, and refuses, with a message, what cannot
/// be: more bodies than the budget, a fragment without volume.
void apply(Simulation::State& state, std::vector<Decision> decisions, StepReport& report);

/// One body of a setup or one fragment, made known to the world and the run.
SimBody& addBody(Simulation::State& state, BodyFacts facts, dynamics::ShapePtr shape, fracture::Inheritance inherited,
                 dynamics::BodyId id);

}  // namespace sunder::sim::detail
