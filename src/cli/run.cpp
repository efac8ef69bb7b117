#include "sim/run.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/asset_cache.h"
#include "cli/commands.h"
#include "cli/recording_output.h"
#include "io/recording_writer.h"
#include "io/scene_io.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct RunArguments {
    std::string scene, output;
    std::vector<std::string> settings;
    std::optional<uint64_t> frames, seed, checkpointEvery;
    int threads = 0;
    bool resume = false, force = false, json = false;
    AssetCacheArguments cache;
};

constexpr int kInterrupted = 130;  // as shells have it for Ctrl-C

std::string textOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw InputError(path.string(), "cannot be read");
    return text.str();
}

fs::path outputOf(const RunArguments& arguments) {
    return arguments.output.empty() ? fs::path(arguments.scene).stem().concat(".sunder") : fs::path(arguments.output);
}

std::string settingsJson(const RunArguments& arguments) {
    Json json{{"set", arguments.settings}};
    json["seed"] = arguments.seed ? Json(*arguments.seed) : Json(nullptr);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A run goes on with the settings it began with; others would make it another run.
void takeSettingsOf(const RecordingReader& recording, RunArguments& arguments) {
    const Json kept = Json::parse(recording.meta("settings"), nullptr, false);
    if (kept.is_discarded() || !kept.contains("set")) return;
    const bool given = !arguments.settings.empty() || arguments.seed;
    if (given && settingsJson(arguments) != recording.meta("settings"))
        throw InputError(outputOf(arguments).string(), "was made with other settings (" + recording.meta("settings") +
                                                           "); resume it without --set and --seed, or start anew");
    arguments.settings = kept.at("set").get<std::vector<std::string>>();
    if (kept.at("seed").is_number()) arguments.seed = kept.at("seed").get<uint64_t>();
    if (recording.meta("scene") != textOf(arguments.scene))
        throw InputError(arguments.scene, "is not the scene that " + outputOf(arguments).string() +
                                              " was made from; start anew, with another name or --force");
}

void removeRecording(const fs::path& path) {
    for (const char* end : {"", "-wal", "-shm"}) fs::remove(path.string() + end);
}

/// A recording, and the simulation that is where it ends.
struct Job {
    RecordingWriter writer;
    sim::Simulation simulation;
};

Job begin(const RunArguments& arguments, const sim::SimulationSetup& setup) {
    RecordingHeader header;
    header.scene = textOf(arguments.scene);
    header.sceneName = fs::path(arguments.scene).filename().string();
    header.settings = settingsJson(arguments);
    header.program = SUNDER_VERSION;
    header.dt = setup.dt;
    header.seed = setup.seed;
    header.positionQuantum = positionQuantumFor(setup);
    return {RecordingWriter::create(outputOf(arguments), header), sim::Simulation(setup)};
}

Job resume(const RunArguments& arguments, const sim::SimulationSetup& setup) {
    const fs::path path = outputOf(arguments);
    RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
    const RecordingReader reader(path);
    try {
        return {std::move(resumed.writer),
                sim::Simulation::load(setup, resumed.checkpoint.state,
                                      [&](sim::BodySerial body) { return reader.meshOf(raw(body)); })};
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw InputError(path.string(), std::string("cannot be resumed: ") + error.what());
    }
}

void runRun(RunArguments arguments) {
    const fs::path path = outputOf(arguments);
    const bool resuming = arguments.resume && isRecording(path);
    if (resuming) {
        takeSettingsOf(RecordingReader(path), arguments);
    } else if (!arguments.resume) {
        checkOutput(path, arguments.force);
        removeRecording(path);
    }
    const ThreadLimit limit(arguments.threads);
    const scene::Scene scene = readScene(arguments.scene, arguments.settings);
    const std::unique_ptr<AssetFolder> assets = arguments.cache.open();
    sim::SimulationSetup setup = setupFrom(scene, arguments.scene, assets.get());
    if (arguments.seed) setup.seed = *arguments.seed;
    sim::RunOptions options;
    options.frames = arguments.frames.value_or(static_cast<uint64_t>(scene.world.frames));
    options.checkpointEvery = arguments.checkpointEvery.value_or(static_cast<uint64_t>(scene.output.checkpointEvery));
    options.resumed = resuming;

    Job job = resuming ? resume(arguments, setup) : begin(arguments, setup);
    Progress& progress = terminalProgress();
    const uint64_t done = job.simulation.frame();
    progress.start("run " + fs::path(arguments.scene).filename().string(),
                   static_cast<double>(options.frames - std::min(done, options.frames)));
    const bool all = sim::run(job.simulation, job.writer, options, progress);
    progress.finish();

    const RecordingStats stats = statsOf(RecordingReader(path));
    if (arguments.json) {
        Json json = toJson(stats);
        json["recording"] = path.string();
        printJson(json);
    } else {
        for (const std::string& message : stats.messages) fmt::print(stderr, "{}\n", message);
        fmt::print(stderr, "{} frames, {} breaks, {} bodies, {} of them pieces; {:.1f} s\n", stats.frames, stats.breaks,
                   stats.bodiesAtEnd, stats.pieces, stats.secondsTotal);
        fmt::print("{}\n", path.string());
    }
    if (!all) {
        fmt::print(stderr, "stopped after frame {}; go on with: sunder run {} -o {} --resume\n", job.simulation.frame(),
                   arguments.scene, path.string());
        throw CLI::RuntimeError(kInterrupted);
    }
}

}  // namespace

void addRun(CLI::App& program) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = program.add_subcommand(
        "run",
        "Simulates a scene and records it, frame by frame.\n\n"
        "  sunder run wall.json                        writes wall.sunder\n"
        "  sunder run wall.json -o a.sunder --set wall.pieces=60 --seed 4\n"
        "  sunder run wall.json --resume               goes on where it was stopped or killed\n");
    command->add_option("scene", arguments->scene, "the scene (JSON)")->required();
    command->add_option("-o,--output", arguments->output, "the recording; without: the scene's name with .sunder");
    command->add_option("--frames", arguments->frames, "how many, instead of the scene's number");
    command->add_option("--seed", arguments->seed, "instead of the scene's");
    command->add_option("--set", arguments->settings, "a parameter of the scene, as name=value; may be repeated");
    command->add_option("--threads", arguments->threads, "at most; 0: all cores. The result does not depend on it")
        ->check(CLI::Range(0, 1024));
    command->add_option("--checkpoint-every", arguments->checkpointEvery, "frames between places to resume from")
        ->check(CLI::Range(1, 1000000));
    arguments->cache.addTo(*command);
    command->add_flag("--resume", arguments->resume, "go on with the recording, if there is one");
    command->add_flag("--force", arguments->force, "overwrite the recording");
    command->add_flag("--json", arguments->json, "one JSON object on stdout, as from sunder stats");
    command->callback([arguments] { runRun(*arguments); });
}

}  // namespace sunder::cli
