#pragma once

#include <map>

#include "sim/simulation.h"

namespace sunder::sim {

namespace detail {

/// What a body met: pushes in its mesh's coordinates, and who gave each.
struct Hits {
    fracture::Loads loads;
    std::vector<dynamics::BodyId> others;  // one per push
};

/// A living body.
struct SimBody {
    BodyFacts facts;
    fracture::Solid solid;  // as its method sees it
    dynamics::ShapePtr shape;
    dynamics::BodyId worldId;
    std::unique_ptr<const fracture::Prepared> prepared;  // null until it is first asked for
    Hits pending;  // too hard, but in the last round of a frame: to be looked at when the next one begins
};

}  // namespace detail

struct Simulation::State {
    SimulationSetup setup;
    dynamics::World world;
    uint64_t frame = 0;
    uint32_t serials = 0;         // given out so far
    size_t explosions = 0;        // gone off so far; the setup's are sorted by time
    bool breakingStopped = false;  // the budget of bodies is used up
    std::map<BodySerial, detail::SimBody> bodies;  // alive
    std::vector<BodySerial> serialAt;              // by index in the world

    const BodySetup& setupOf(const detail::SimBody& body) const { return setup.bodies[raw(body.facts.root)]; }
    bool breakable(const detail::SimBody& body) const {
        return !breakingStopped && body.solid.mesh != nullptr && setupOf(body).method != nullptr;
    }
    detail::SimBody& at(dynamics::BodyId id) { return bodies.at(serialAt[id.index]); }
    void noteWorldId(detail::SimBody& body, dynamics::BodyId id);
};

}  // namespace sunder::sim
