// Kill `sunder run` at any moment, resume it, kill it again: in the end the recording has the content of an unbroken
// one.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "child_process.h"
#include "io/recording/recording_reader.h"

namespace sunder {
namespace {

using tests::ChildOptions;
using tests::ChildProcess;

const std::filesystem::path kScene = std::filesystem::path(SUNDER_SOURCE_DIR) / "tests" / "scenes" / "breaking.json";
constexpr double kPatience = 300;  // s, for what takes one or two

std::filesystem::path freshFile(const std::string& name) {
    const std::string own = name + std::to_string(getpid()) + ".sunder";  // the test may run twice at a time
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / own;
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + end);
    return path;
}

std::filesystem::path complaintsOf(const std::filesystem::path& recording) { return recording.string() + ".err"; }

std::vector<std::string> resumed(const std::filesystem::path& recording) {
    return {SUNDER_PROGRAM, "run", kScene.string(), "-o", recording.string(), "--resume"};
}

void finish(const std::filesystem::path& recording) {
    ChildProcess run(resumed(recording), {.err = complaintsOf(recording)});
    ASSERT_TRUE(run.waitFor(kPatience));
    EXPECT_EQ(run.exitCode(), 0) << tests::contentsOf(complaintsOf(recording));
}

/// The unbroken run, and what is known of it.
struct Whole {
    std::string digest;
    double seconds = 0;                 // wall
    std::vector<double> frameSeconds;   // of each frame
    std::vector<uint64_t> breakFrames;  // in which something broke
};

Whole runWhole() {
    const auto path = freshFile("kill_whole");
    const Stopwatch watch;
    finish(path);
    Whole whole;
    whole.seconds = watch.wallSeconds();
    RecordingReader reader(path);
    whole.digest = reader.digest();
    for (const RecordedFrame& frame : reader.frames()) {
        const size_t at = frame.seconds.find("\"total\":");
        whole.frameSeconds.push_back(std::atof(frame.seconds.c_str() + at + 8));
    }
    for (const RecordedEvent& event : reader.events()) {
        const bool first = whole.breakFrames.empty() || whole.breakFrames.back() != event.frame;
        if (event.kind == "fracture" && first) whole.breakFrames.push_back(event.frame);
    }
    return whole;
}

/// The last frame that is there, from beside the run; -1: none.
int64_t framesIn(const std::filesystem::path& path) {
    try {
        return static_cast<int64_t>(RecordingReader(path).lastFrame());
    } catch (const std::exception&) {
        return -1;
    }
}

/// Each starts or resumes a run and kills it; false when the run was quicker. The moments of most harm are not known,
/// so they differ in how they choose one.
using Killer = bool (*)(const std::filesystem::path&, const Whole&, Random&);

/// After some time: starting up, a checkpoint, the end.
bool killByTime(const std::filesystem::path& path, const Whole& whole, Random& random) {
    ChildProcess run(resumed(path), {.err = complaintsOf(path)});
    const double longest = random.uniform() < 0.3 ? 0.1 : 1;  // many early
    run.waitFor(whole.seconds * longest * random.uniform());
    run.kill();
    return run.killed();
}

/// In the frame in which something breaks, or while it is written.
bool killWhileBreaking(const std::filesystem::path& path, const Whole& whole, Random& random) {
    const uint64_t frame = whole.breakFrames[random.below(whole.breakFrames.size())];
    ChildProcess run(resumed(path), {.err = complaintsOf(path)});
    run.waitUntil([&] { return framesIn(path) + 1 >= static_cast<int64_t>(frame); }, kPatience);
    run.waitFor(1.2 * random.uniform() * whole.frameSeconds[frame]);
    run.kill();
    return run.killed();
}

/// In the middle of a write to the file: of the header, of a frame, of a checkpoint, of moving the log into the file.
bool killWhileWriting(const std::filesystem::path& path, const Whole&, Random& random) {
    const uint64_t most = random.uniform() < 0.3 ? 30 : 700;  // many early
    const ChildOptions options{.environment = {{"LD_PRELOAD", SUNDER_FAIL_WRITES},
                                               {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                                               {"SUNDER_FAIL_WRITE", std::to_string(1 + random.below(most))},
                                               {"SUNDER_FAIL_HOW", "kill"}},
                               .err = complaintsOf(path)};
    ChildProcess run(resumed(path), options);
    EXPECT_TRUE(run.waitFor(kPatience));
    EXPECT_TRUE(run.killed() || run.exitCode() == 0) << tests::contentsOf(complaintsOf(path));
    return run.killed();
}

TEST(Kill, AResumedRunHasTheContentOfAnUnbrokenOne) {
    const Whole whole = runWhole();
    ASSERT_GE(whole.breakFrames.size(), 5u);
    const std::vector<std::pair<std::string, Killer>> killers{
        {"by time", killByTime}, {"while breaking", killWhileBreaking}, {"while writing", killWhileWriting}};

    const int trials = std::getenv("SUNDER_FULL_TESTS") != nullptr ? 200 : 10;
    std::map<std::string, int> kills;
    int same = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const auto path = freshFile("kill_parts");
        Random random(11, static_cast<uint64_t>(trial));
        do {
            const auto& [name, killer] = killers[random.below(killers.size())];
            if (!killer(path, whole, random)) break;
            ++kills[name];
        } while (random.uniform() < 0.5);
        finish(path);
        const std::string found = RecordingReader(path).digest();
        EXPECT_EQ(found, whole.digest) << "trial " << trial;
        same += found == whole.digest;
        std::filesystem::remove(complaintsOf(path));
        freshFile("kill_parts");
    }
    freshFile("kill_whole");
    int all = 0;
    for (const auto& [name, count] : kills) {
        std::printf("%d kills %s\n", count, name.c_str());
        all += count;
    }
    std::printf("%d kills in %d runs of %.2f s: %d of %d identical\n", all, trials, whole.seconds, same, trials);
    EXPECT_EQ(kills.size(), killers.size()) << "each way of killing worked at least once";
    EXPECT_GE(all, trials);
}

}  // namespace
}  // namespace sunder
