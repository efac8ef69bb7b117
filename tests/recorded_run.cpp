// recorded_run FILE FRAMES: a small run that goes on where the recording ends, if there is one. To be killed.
#include <cstdio>
#include <cstdlib>

#include "io/recording_reader.h"
#include "io/recording_writer.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace {

using namespace sunder;

void run(const std::filesystem::path& path, uint64_t frames) {
    sim::SimulationSetup setup = sim::test_shatter::ballThroughWall(12);
    for (int i = 0; i < 3; ++i) {
        sim::BodySetup box = sim::test_shatter::box(fmt::format("box{}", i), {0.3, 0.4, 0.3}, {2.5 + 0.5 * i, 0.5, 0});
        box.options.velocity = {0, -4, 0};
        box.method = std::make_shared<sim::test_shatter::Shatter>(20, 5, 2, 1);
        setup.bodies.push_back(box);
    }
    Progress silent;
    if (isRecording(path)) {
        RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
        const RecordingReader reader(path);
        sim::Simulation simulation = sim::Simulation::load(
            setup, resumed.checkpoint.state, [&](sim::BodySerial body) { return reader.meshOf(raw(body)); });
        sim::run(simulation, resumed.writer, {.frames = frames, .checkpointEvery = 4, .resumed = true}, silent);
        return;
    }
    RecordingWriter writer = RecordingWriter::create(path, {});
    sim::Simulation simulation(setup);
    sim::run(simulation, writer, {.frames = frames, .checkpointEvery = 4}, silent);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    try {
        run(argv[1], std::strtoull(argv[2], nullptr, 10));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "recorded_run: %s\n", error.what());
        return 1;
    }
}
