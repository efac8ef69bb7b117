#include "sim/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "sim/growth_watch.h"

namespace sunder::sim {

StepReport startOf(const Simulation& simulation) {
    StepReport report;
    for (const BodySerial body : simulation.bodies()) report.born.push_back(simulation.facts(body));
    dynamics::EnergyAccount& energy = report.motion.energy;
    const Vec3 uniform = simulation.setup().uniformAcceleration();
    for (const BodySerial serial : simulation.bodies()) {
        const dynamics::BodyState body = simulation.state(serial);
        ++report.motion.counters.bodies;
        if (body.kind != dynamics::BodyKind::Dynamic) continue;
        energy.linear += 0.5 * body.mass * body.velocity.squaredNorm();
        energy.rotational += 0.5 * body.angularVelocity.dot(body.angularMomentum);
        energy.potential -= body.mass * uniform.dot(body.centre);
        energy.momentum += body.mass * body.velocity;
        energy.angularMomentum += body.centre.cross(body.mass * body.velocity) + body.angularMomentum;
        report.motion.counters.awake += !body.asleep && !body.anchored;
    }
    return report;
}

FrameRecord recordOf(const Simulation& simulation, const StepReport& report, const ImpactLimits& limits,
                     bool withCheckpoint) {
    FrameRecord record;
    record.report = &report;
    record.time = simulation.time();
    for (const BodySerial serial : simulation.bodies()) {
        const dynamics::BodyState body = simulation.state(serial);
        record.places.push_back({serial, body.centre, body.pose.rotation});
    }
    const SimulationSetup& setup = simulation.setup();
    const double leastSpeed = limits.leastSpeed.value_or(2 * setup.world.gravity.norm() * setup.dt);
    if (!limits.none) record.impacts = simulation.impacts(limits.leastImpulse, leastSpeed);
    record.stateHash = simulation.stateHash();
    if (withCheckpoint) record.checkpoint = simulation.save();
    return record;
}

bool run(Simulation& simulation, FrameSink& sink, const RunOptions& options, Progress& progress) {
    // each frame goes to the sink; the last one so that a run can go on from there
    const uint64_t every = std::max<uint64_t>(1, options.checkpointEvery);
    const auto record = [&](const StepReport& report, bool stops) {
        const bool last = stops || simulation.frame() >= options.frames || progress.cancelled();
        sink.record(simulation, recordOf(simulation, report, options.impacts, last || simulation.frame() % every == 0));
    };
    if (!options.resumed) record(startOf(simulation), false);

    // frame by frame, until all are done, somebody wants to stop, or bodies become far too many
    GrowthWatch growth;
    const Stopwatch watch;
    const uint64_t before = simulation.frame();
    (void)growth.after(before, simulation.bodies().size());
    try {
        while (simulation.frame() < options.frames) {
            const StepReport report = simulation.step({&progress, options.assets});
            const std::string complaint = growth.after(simulation.frame(), simulation.bodies().size());
            const bool stops = !complaint.empty() && options.mayGrow && !options.mayGrow(complaint);
            record(report, stops);
            if (stops) return false;
            const double seconds = std::max(watch.wallSeconds(), 1e-9);
            progress.note(fmt::format("{:.1f} frames/s, {} bodies",
                                      static_cast<double>(simulation.frame() - before) / seconds,
                                      simulation.bodies().size()));
            progress.advance();
        }
    } catch (const Cancelled&) {
        sink.stopped(simulation);
        return simulation.frame() >= options.frames;
    } catch (const InputError&) {  // what was done so far is kept
        sink.stopped(simulation);
        throw;
    }
    return true;
}

}  // namespace sunder::sim
