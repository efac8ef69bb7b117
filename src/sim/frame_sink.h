#pragma once

#include <optional>

#include "sim/simulation.h"

namespace sunder::sim {

/// Where a body is when a frame ends.
struct BodyPlace {
    BodySerial body{};                 // that lives
    Vec3 centre = Vec3::Zero();        // of mass, m, world
    Quat rotation = Quat::Identity();  // of the mesh's coordinates
};

/// All that there is to keep of one frame. Frame 0 is the setup before anything moves.
struct FrameRecord {
    const StepReport* report = nullptr;                // breaks, births, deaths, energies; of frame 0: only births
    double time = 0;                                   // s
    std::vector<BodyPlace> places;                     // of all that live, ascending
    std::vector<BodyImpact> impacts;                   // those worth keeping
    uint64_t stateHash = 0;                            // Simulation::stateHash()
    std::optional<std::vector<std::byte>> checkpoint;  // Simulation::save(), every so often
};

/// Where frames go: a recording, a screen. A sink has finished with a frame when it returns.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Gets each frame once, in order, from the thread of the run. What it throws ends the run.
    virtual void record(const Simulation& simulation, const FrameRecord& frame) = 0;
    /// The run was asked to stop, and is where the last frame that was recorded left it: a place to go on from.
    virtual void stopped(const Simulation& /*simulation*/) {}
};

}  // namespace sunder::sim
