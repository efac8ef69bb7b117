#pragma once

#include <functional>
#include <string>

#include "base/progress.h"
#include "sim/frame_sink.h"

namespace sunder::sim {

/// Which impacts are kept of a frame.
struct ImpactLimits {
    bool none = false;        // keep none at all
    double leastImpulse = 0;  // N s
    /// m/s; absent: twice what gravity gives in a frame, so that what lies, slides and rolls has none.
    std::optional<double> leastSpeed;
};

/// How far a run goes, and what it tells its sink.
struct RunOptions {
    uint64_t frames = 0;                     // to have at the end, frame 0 not counted
    uint64_t checkpointEvery = 10;           // frames
    bool resumed = false;                    // the sink has the frames so far
    ImpactLimits impacts;                    // that are recorded
    fracture::AssetStore* assets = nullptr;  // lent to methods; null: none
    /// Asked, with a sentence for people, when bodies become many times more again and again; false ends the run after
    /// that frame. Without: it goes on.
    std::function<bool(const std::string&)> mayGrow;
};

/// The first thing to record: all bodies of the setup.
StepReport startOf(const Simulation& simulation);

/// What a sink gets of a frame that was just done.
FrameRecord recordOf(const Simulation& simulation, const StepReport& report, const ImpactLimits& limits,
                     bool withCheckpoint);

/// Goes on from wherever the simulation is until it has all frames, and records each; also frame 0, unless the run is
/// one that is resumed. A wish to stop (Progress::cancel) ends it after the frame in work, or before it when a body is
/// being broken. True when all frames are done.
bool run(Simulation& simulation, FrameSink& sink, const RunOptions& options, Progress& progress);

}  // namespace sunder::sim
