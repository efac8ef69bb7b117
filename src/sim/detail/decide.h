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

/// What the last step did to each breakable body.
HitsByBody hitsOf(Simulation::State& state);

/// Asks every body's method, in parallel. Nothing changes but what methods prepare. Ascending by body.
std::vector<Decision> decide(Simulation::State& state, HitsByBody hits);

}  // namespace sunder::sim::detail
