#pragma once

#include <map>

#include "sim/detail/fingerprint.h"
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
    bool staysWhole = false;  // a plan for it was refused; asking again would end the same way
    Hits pending;             // too hard, but in the last round of a frame: to be looked at when the next one begins
};

}  // namespace detail

struct Simulation::State {
    SimulationSetup setup;
    detail::Fingerprint fingerprint;   // of the setup
    std::vector<double> wholeVolumes;  // m^3, of the setup's bodies
    dynamics::World world;
    uint64_t frame = 0;
    uint32_t serials = 0;                          // given out so far
    size_t explosions = 0;                         // gone off so far; the setup's are sorted by time
    bool breakingStopped = false;                  // the budget of bodies is used up
    std::map<BodySerial, detail::SimBody> bodies;  // alive
    std::vector<BodySerial> serialAt;              // by index in the world

    const BodySetup& setupOf(const detail::SimBody& body) const { return setup.bodies[raw(body.facts.root)]; }
    bool breakable(const detail::SimBody& body) const {
        return !breakingStopped && !body.staysWhole && body.solid.mesh != nullptr && setupOf(body).method != nullptr;
    }
    detail::SimBody& at(dynamics::BodyId id) { return bodies.at(serialAt[id.index]); }
    /// Works out what follows from a body's facts, shape and world id, and takes it among the living.
    detail::SimBody& keep(detail::SimBody body, fracture::Inheritance inherited);
    /// What follows from the setup alone.
    void prepareSetup();
    BodyFacts factsOfRoot(uint32_t index, double massInWorld) const;
};

}  // namespace sunder::sim
