#pragma once

#include <map>

#include "sim/detail/fingerprint.h"
#include "sim/simulation.h"

namespace sunder::sim {

namespace detail {

/// A load of a frame before, which acts together with what comes now.
struct LastingLoad {
    fracture::Load load;
    double left = 0;  // s
};

/// A living body.
struct SimBody {
    BodyFacts facts;
    fracture::Solid solid;  // as its method sees it
    dynamics::ShapePtr shape;
    dynamics::BodyId worldId;
    std::shared_ptr<const fracture::Breakable> breakable;  // null until asked for, and where too many are kept
    bool staysWhole = false;  // a plan for it was refused; asking again would end the same way
    uint64_t changedIn = 0;   // frame in which a blow changed it in one piece: done again, it has that blow once more
    fracture::Loads pending;  // too hard, but in the last round of a frame: to be looked at when the next one begins
    std::vector<LastingLoad> lasting;  // oldest first; does not change within a frame
};

/// What follows from a setup alone.
struct SetupIndex {
    std::vector<uint32_t> first, late;  // bodies there from the start, and others as they come: indices in the setup
    Fingerprints fingerprints;

    SetupIndex() = default;
    /// Sorts the setup's explosions and actions by time. `before`: of a setup that is still there and has some of the
    /// same meshes.
    explicit SetupIndex(SimulationSetup& setup, const SetupIndex* before = nullptr);
};

/// A hand that pulls.
struct Pulling {
    uint32_t action = 0;  // of the setup
    BodySerial body{};    // the one it names, or a fragment of that
};

/// All that frames change. A copy of it is what a frame that was not finished goes back to.
struct Moment {
    dynamics::World world;
    uint64_t frame = 0;
    uint32_t serials = 0;                  // given out so far
    std::vector<BodySerial> appeared;      // late bodies so far, as index.late has them; ascending
    size_t explosions = 0;                 // gone off so far
    size_t actions = 0;                    // begun so far
    std::vector<Pulling> pulls;            // in work
    bool breakingStopped = false;          // the budget of bodies is used up
    std::map<BodySerial, SimBody> bodies;  // alive
    std::vector<BodySerial> serialAt;      // by index in the world
};

}  // namespace detail

struct Simulation::State : detail::Moment {
    SimulationSetup setup;  // explosions and actions sorted by time
    detail::SetupIndex index;

    /// Where a whole body stands in the setup.
    uint32_t indexOf(BodySerial root) const;
    const BodySetup& setupOf(const BodyFacts& facts) const { return setup.bodies[indexOf(facts.root)]; }
    const BodySetup& setupOf(const detail::SimBody& body) const { return setupOf(body.facts); }
    bool breakable(const detail::SimBody& body) const {
        return !breakingStopped && !body.staysWhole && body.solid.geometry != nullptr &&
               setupOf(body).method != nullptr;
    }
    detail::SimBody& at(dynamics::BodyId id) { return bodies.at(serialAt[id.index]); }
    /// Works out what follows from a body's facts, shape and world id, and takes it among the living.
    detail::SimBody& keep(detail::SimBody body, fracture::Inheritance inherited);
    /// What the frames so far depend on.
    detail::Fingerprint fingerprint() const { return index.fingerprints.upTo(setup, world.time()); }
    /// J, of a body as it is; 0 for what does not move freely.
    double mechanicalEnergy(const detail::SimBody& body) const;
};

}  // namespace sunder::sim
