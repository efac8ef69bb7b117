#pragma once

#include <map>
#include <vector>

#include "sim/detail/simulation_state.h"

namespace sunder::sim::detail {

/// One body that breaks, and how.
struct Decision {
    SimBody* body = nullptr;
    Hits hits;
    fracture::FracturePlan plan;
};

using HitsByBody = std::map<BodySerial, Hits>;

/// What the last step did to each breakable body, and what it still feels of frames before: one contact may take
/// several short frames.
HitsByBody hitsOf(Simulation::State& state);

/// Asks every body's method, in parallel. Nothing changes but what methods prepare. Ascending by body; the hits of
/// those that break are moved out of `hits`. Throws Cancelled when the context asks to stop.
std::vector<Decision> decide(Simulation::State& state, HitsByBody& hits, const fracture::Context& context);

/// The frame is done: bodies that did not break feel what they met for as long as their methods say.
void remember(Simulation::State& state, const HitsByBody& hits);
/// A frame begins, and what is too long ago is felt no more.
void forget(Simulation::State& state);

}  // namespace sunder::sim::detail
