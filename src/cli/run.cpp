#include <filesystem>
#include <iostream>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/version.h"
#include "cli/asset_cache.h"
#include "cli/commands.h"
#include "cli/ranges.h"
#include "cli/recording_output.h"
#include "io/recording/recording_run.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct RunArguments {
    SceneRunOptions options;
    int threads = 0;
    bool resume = false, force = false, json = false;
    bool resumeAnyway = false;  // by another build
    bool allowGrowth = false;   // bodies may become more and more
    AssetCacheArguments cache;
};

/// Whether a run may go on whose bodies become more and more: somebody at a terminal is asked, others are told.
bool mayGrow(const std::string& complaint) {
    print(stderr, "\n{}\n", complaint);
    if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return false;
    print(stderr, "go on? [y/N] ");
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
}

/// The one that is there, or a new one.
SceneRun open(const RunArguments& arguments) {
    const fs::path& path = arguments.options.recording;
    if (arguments.resume && !isUnbegun(path)) return SceneRun::resume(arguments.options);
    checkOutput(path, arguments.force || arguments.resume);
    const bool replace = arguments.force && !arguments.resume;
    return SceneRun::begin(arguments.options, replace ? SceneRun::Existing::Replace : SceneRun::Existing::Refuse);
}

/// From the recording itself, so that a resumed run is reported on as a whole.
void report(const RunArguments& arguments) {
    const std::string path = arguments.options.recording.string();
    const RecordingStats stats = statsOf(RecordingReader(path));
    if (arguments.json) {
        Json json = toJson(stats);
        json["recording"] = path;
        printJson(json);
        return;
    }
    for (const std::string& message : stats.messages) print(stderr, "{}\n", message);
    print(stderr, "{} frames, {} breaks, {} bodies, {} of them pieces; {:.1f} s\n", stats.frames, stats.breaks,
          stats.bodiesAtEnd, stats.pieces, stats.secondsTotal);
    print("{}\n", path);
}

/// Ends with stoppedCode() when it was stopped before its last frame.
void runRun(RunArguments arguments) {
    // the same result on any number of threads, so this is only about time
    const ThreadLimit limit(arguments.threads);
    arguments.resume |= arguments.resumeAnyway;
    if (arguments.resumeAnyway) arguments.options.otherBuilds = SceneRunOptions::OtherBuilds::Accept;
    const std::unique_ptr<AssetFolder> assets = arguments.cache.open();
    arguments.options.assets = assets.get();
    arguments.options.recording = recordingOf(arguments.options);
    bool all = false, tooMany = false;
    if (!arguments.allowGrowth) {
        arguments.options.mayGrow = [&tooMany](const std::string& complaint) {
            tooMany = !mayGrow(complaint);
            return !tooMany;
        };
    }
    uint64_t last = 0;
    // the recording is closed before it is reported on
    {
        SceneRun run = open(arguments);
        all = run.run(terminalProgress());
        last = run.frame();
    }
    report(arguments);
    // a run that was stopped says how to go on
    if (all) return;
    if (tooMany) {
        print(stderr, "stopped after frame {}; to go on all the same: sunder run {} -o {} --resume --allow-growth\n",
              last, arguments.options.scene.string(), arguments.options.recording.string());
        throw CLI::RuntimeError(1);
    }
    print(stderr, "stopped after frame {}; go on with: sunder run {} -o {} --resume\n", last,
          arguments.options.scene.string(), arguments.options.recording.string());
    throw CLI::RuntimeError(stoppedCode());
}

}  // namespace

void addRun(CLI::App& program) {
    auto arguments = std::make_shared<RunArguments>();
    arguments->options.program = buildName();
    CLI::App* command = program.add_subcommand(
        "run",
        "Simulates a scene and records it, frame by frame.\n\n"
        "  sunder run wall.json                        writes wall.sunder\n"
        "  sunder run wall.json -o a.sunder --set wall.pieces=60 --seed 4\n"
        "  sunder run wall.json --resume               goes on where it was stopped or killed\n");
    // the scene, and what is changed in it for this run
    command->add_option("scene", arguments->options.scene, "the scene (JSON)")->required();
    command->add_option("-o,--output", arguments->options.recording,
                        "the recording; without: as the scene says, or its name with .sunder");
    command->add_option("--frames", arguments->options.frames, "how many, instead of the scene's number")
        ->check(wholeWithin(0, kMostFrames));
    command->add_option("--seed", arguments->options.seed, "instead of the scene's")
        ->check(wholeWithin(0, kLargestWhole));
    command->add_option("--set", arguments->options.settings,
                        "a parameter of the scene, as name=value; may be repeated");
    // how it is computed, which does not change the result
    command->add_option("--threads", arguments->threads, "at most; 0: all cores. The result does not depend on it")
        ->check(wholeWithin(0, 1024));
    command
        ->add_option("--checkpoint-every", arguments->options.checkpointEvery, "frames between places to resume from")
        ->check(wholeWithin(1, kMostFrames));
    arguments->cache.addTo(*command);
    // what becomes of a recording that is there
    command->add_flag("--resume", arguments->resume, "go on with the recording, if there is one");
    command->add_flag(
        "--resume-anyway", arguments->resumeAnyway,
        "the same, even when another build of sunder began it: what follows may differ from what it would "
        "have made");
    command->add_flag("--force", arguments->force, "overwrite the recording");
    command->add_flag("--allow-growth", arguments->allowGrowth,
                      "go on when bodies become more and more; without: a terminal is asked, others stop");
    command->add_flag("--json", arguments->json, "one JSON object on stdout, as from sunder stats");
    command->callback([arguments] { runRun(*arguments); });
}

}  // namespace sunder::cli
