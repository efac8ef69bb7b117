// Kill a run at any moment, resume it, kill it again: in the end the recording has the content of an unbroken one.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/stopwatch.h"
#include "io/recording_reader.h"

namespace sunder {
namespace {

constexpr const char* kFrames = "40";

std::filesystem::path freshFile(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / (name + ".sunder");
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + end);
    return path;
}

pid_t start(const std::filesystem::path& path) {
    const pid_t child = fork();
    if (child == 0) {
        execl(SUNDER_RECORDED_RUN, "recorded_run", path.c_str(), kFrames, nullptr);
        _exit(127);
    }
    return child;
}

/// True when the run ended by itself, and well; false when it was killed first.
bool runFor(const std::filesystem::path& path, double seconds) {
    const pid_t child = start(path);
    const Stopwatch watch;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (watch.wallSeconds() > seconds) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (WIFSIGNALED(status)) return false;
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return true;
}

TEST(Kill, AResumedRunHasTheContentOfAnUnbrokenOne) {
    const auto whole = freshFile("kill_whole");
    const Stopwatch watch;
    ASSERT_TRUE(runFor(whole, 1e9));
    const double duration = watch.wallSeconds();
    const std::string digest = RecordingReader(whole).digest();

    const int trials = std::getenv("SUNDER_FULL_TESTS") != nullptr ? 200 : 10;
    int kills = 0, same = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const auto path = freshFile("kill_parts");
        Random random(11, static_cast<uint64_t>(trial));
        // early in starting up as well as late: the moments of most harm are not known
        while (!runFor(path, duration * random.uniform(0, 0.9))) {
            ++kills;
            if (random.uniform() < 0.3) {
                EXPECT_TRUE(runFor(path, 1e9));
                break;
            }
        }
        const std::string found = RecordingReader(path).digest();
        EXPECT_EQ(found, digest) << "trial " << trial;
        same += found == digest;
    }
    std::printf("%d kills in %d runs of %.2f s: %d of %d identical\n", kills, trials, duration, same, trials);
    EXPECT_GE(kills, trials / 2);
}

}  // namespace
}  // namespace sunder
