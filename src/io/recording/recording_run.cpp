#include "io/recording/recording_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/files/file_access.h"
#include "io/recording/recording_reader.h"
#include "io/scene/scene_io.h"
#include "scene/compare.h"
#include "scene/looks.h"
#include "scene/parse.h"
#include "schema/json_text.h"

namespace sunder {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// A scene with all that the command line changed in it.
struct ChosenScene {
    std::string text;  // of the file
    scene::Scene scene;
};

/// Throws with all mistakes of the scene.
ChosenScene readChosen(const SceneRunOptions& options) {
    ChosenScene chosen;
    chosen.text = readWholeFile(options.scene, schema::kMaxSceneBytes + 1);
    scene::ParsedScene parsed = examineSceneText(chosen.text, options.scene, options.settings);
    parsed.issues.throwIfFailed();
    chosen.scene = std::move(parsed.scene);
    if (options.seed) chosen.scene.world.seed = *options.seed;
    return chosen;
}

std::string settingsJson(const SceneRunOptions& options) {
    Json json{{"set", options.settings}};
    json["seed"] = options.seed ? Json(*options.seed) : Json(nullptr);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// As the recording was begun.
SceneRunOptions recordedOptions(const RecordingReader& recording) {
    SceneRunOptions options;
    const Json kept = schema::jsonIfGood(recording.meta("settings")).value_or(Json());
    try {
        options.settings = kept.at("set").get<std::vector<std::string>>();
        if (kept.at("seed").is_number()) options.seed = kept.at("seed").get<uint64_t>();
    } catch (const Json::exception&) {
        throw InputError("recording", "its settings are damaged; make it again");
    }
    return options;
}

/// What the recording was made from, with what was changed on the command line then.
scene::Scene recordedScene(const RecordingReader& recording) {
    const SceneRunOptions options = recordedOptions(recording);
    scene::ParsedScene parsed =
        scene::parseScene(recording.meta("scene"), "the scene in the recording", options.settings);
    parsed.issues.throwIfFailed();
    if (options.seed) parsed.scene.world.seed = *options.seed;
    return std::move(parsed.scene);
}

/// Another scene would make another run.
void checkSame(const scene::Scene& begun, const scene::Scene& now, const SceneRunOptions& options) {
    const std::vector<scene::SceneChange> changes = scene::changesOfRun(begun, now);
    if (changes.empty()) return;
    constexpr size_t kTold = 5;
    std::string list;
    for (size_t i = 0; i < std::min(changes.size(), kTold); ++i)
        list += fmt::format("{}{} was {}, is {}", i == 0 ? "" : "; ", changes[i].pointer, changes[i].before,
                            changes[i].after);
    if (changes.size() > kTold) list += fmt::format("; and {} more", changes.size() - kTold);
    throw InputError(options.scene.string(),
                     fmt::format("{} was begun with another scene: {}. Undo that, or start anew with another name or "
                                 "--force",
                                 recordingOf(options).string(), list));
}

/// Builds that went on with a recording stand in its meta one after the other.
constexpr std::string_view kThen = ", then ";

std::string lastBuildOf(const std::string& program) {
    const size_t then = program.rfind(kThen);
    return then == std::string::npos ? program : program.substr(then + kThen.size());
}

/// What the recording's meta is to say of its builds when this one goes on with it.
std::string resumedBy(const RecordingReader& recording, const SceneRunOptions& options) {
    std::string builds = recording.meta("program");
    const std::string last = lastBuildOf(builds);
    if (last == options.program) return builds;
    if (options.otherBuilds == SceneRunOptions::OtherBuilds::Refuse)
        throw InputError(recordingOf(options).string(),
                         fmt::format("was written by sunder {}; this is {}, which may go on differently. Resume it "
                                     "with that one, start anew with another name or --force, or accept that with "
                                     "--resume-anyway",
                                     last, options.program));
    return builds.append(kThen).append(options.program);
}

RecordingHeader headerOf(const ChosenScene& chosen, const sim::SimulationSetup& setup, const SceneRunOptions& options) {
    RecordingHeader header;
    header.scene = chosen.text;
    header.sceneName = options.scene.filename().string();
    header.settings = settingsJson(options);
    header.view = scene::viewJson(chosen.scene.view).dump();
    header.looks = scene::looksJson(chosen.scene).dump();
    header.program = options.program;
    header.dt = setup.dt;
    header.seed = setup.seed;
    header.positionQuantum = positionQuantumFor(setup);
    return header;
}

sim::RunOptions runOptions(const scene::Scene& scene, const SceneRunOptions& options) {
    sim::RunOptions run;
    run.frames = options.frames.value_or(static_cast<uint64_t>(scene.world.frames));
    run.checkpointEvery = options.checkpointEvery.value_or(static_cast<uint64_t>(scene.output.checkpointEvery));
    run.impacts = {.none = !scene.output.impacts,
                   .leastImpulse = scene.output.leastImpulse,
                   .leastSpeed = scene.output.leastSpeed};
    run.mayGrow = options.mayGrow;
    run.assets = options.assets;
    return run;
}

/// The solids of fragments come from the recording; those of whole bodies are built from the scene.
sim::Simulation load(const sim::SimulationSetup& setup, const RecordingWriter::Checkpoint& checkpoint,
                     const RecordingReader& reader, const fs::path& path) {
    try {
        return sim::Simulation::load(setup, checkpoint.state,
                                     [&](sim::BodySerial body) { return reader.geometryOf(raw(body)); });
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw InputError(path.string(),
                         fmt::format("cannot be resumed: {}. Put back what was changed (a mesh file?), or start anew "
                                     "with another name or --force",
                                     error.what()));
    }
}

}  // namespace

fs::path recordingOf(const SceneRunOptions& options) {
    if (!options.recording.empty()) return options.recording;
    const scene::ParsedScene parsed = scene::parseScene(readWholeFile(options.scene, schema::kMaxSceneBytes + 1),
                                                        options.scene.string(), options.settings);
    parsed.issues.throwIfFailed();
    const std::string& file = parsed.scene.output.file;
    if (!file.empty()) return options.scene.parent_path() / file;
    return options.scene.stem().concat(kRecordingExtension);
}

SceneRun::SceneRun(RecordingWriter writer, sim::Simulation simulation, const sim::RunOptions& options, std::string name)
    : writer_(std::move(writer)), simulation_(std::move(simulation)), options_(options), name_(std::move(name)) {}

SceneRun SceneRun::begin(const SceneRunOptions& options, Existing existing) {
    const ChosenScene chosen = readChosen(options);
    const sim::SimulationSetup setup = setupFrom(chosen.scene, options.scene);
    sim::Simulation simulation(setup);
    // only now is it certain that there will be another
    const fs::path path = recordingOf(options);
    if (existing == Existing::Replace) RecordingWriter::discard(path);
    return {RecordingWriter::create(path, headerOf(chosen, setup, options)), std::move(simulation),
            runOptions(chosen.scene, options), options.scene.filename().string()};
}

SceneRun SceneRun::resume(const SceneRunOptions& given) {
    // may this program go on with what that one began
    const fs::path path = recordingOf(given);
    const RecordingReader reader(path);
    const std::string builds = resumedBy(reader, given);
    SceneRunOptions options = given;
    // what was overridden at the beginning stays so, unless other settings are given
    if (given.settings.empty() && !given.seed) {
        const SceneRunOptions begun = recordedOptions(reader);
        options.settings = begun.settings;
        options.seed = begun.seed;
    }
    // the past of the scene must be the same; its future may differ
    const ChosenScene chosen = readChosen(options);
    checkSame(recordedScene(reader), chosen.scene, options);
    const sim::SimulationSetup setup = setupFrom(chosen.scene, options.scene);

    // on from the last checkpoint; frames after it are computed again
    RecordingWriter::Resumed resumed = RecordingWriter::resume(path);
    sim::Simulation simulation = load(setup, resumed.checkpoint, reader, path);
    RecordingHeader header = headerOf(chosen, setup, options);
    header.program = builds;
    // the header says what is computed from now on
    if (chosen.text != reader.meta("scene") || builds != reader.meta("program"))
        resumed.writer.changeHeader(std::move(header));
    sim::RunOptions run = runOptions(chosen.scene, options);
    run.resumed = true;
    return {std::move(resumed.writer), std::move(simulation), run, options.scene.filename().string()};
}

bool SceneRun::run(Progress& progress) {
    const uint64_t done = std::min(simulation_.frame(), options_.frames);
    progress.start("run " + name_, static_cast<double>(options_.frames - done));
    const bool all = sim::run(simulation_, writer_, options_, progress);
    progress.finish();
    return all;
}

}  // namespace sunder
