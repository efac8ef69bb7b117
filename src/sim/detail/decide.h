#pragma once

#include <map>
#include <vector>

#include "sim/detail/simulation_state.h"

namespace sunder::sim::detail {

/// One body that breaks, and how.
struct Decision {
    SimBody* body = nullptr;
    fracture::Loads loads;
    fracture::FracturePlan plan;
    std::vector<std::string> notes;  // what its method said while it made the plan
};

using LoadsByBody = std::map<BodySerial, fracture::Loads>;

/// What the last step did to each breakable body, and what lasts of frames before: one contact may take
/// several short frames.
LoadsByBody loadsOf(Simulation::State& state);

/// Asks every body's method, in parallel. Nothing changes but what methods prepare, and `messages`: it gets, once,
/// what methods said of their plans. Ascending by body; the loads of those that break are moved out of `given`. Throws
/// Cancelled when the context asks to stop.
std::vector<Decision> decide(Simulation::State& state, LoadsByBody& given, const fracture::Context& context,
                             std::vector<std::string>& messages);

/// The frame is done: bodies that did not break feel what they met for as long as their methods say.
void remember(Simulation::State& state, const LoadsByBody& all);
/// A frame begins, and what is too long ago acts no more.
void forget(Simulation::State& state);

}  // namespace sunder::sim::detail
