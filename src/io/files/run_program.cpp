#include "io/files/run_program.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/error.h"

extern char** environ;

namespace sunder {

namespace {

constexpr std::chrono::milliseconds kShortestWait{1}, kLongestWait{50};

/// Waits for the child to end, looking ever less often, so that short programs cost no time and long ones no work.
/// Returns its status.
int waitFor(pid_t child, const Progress& progress) {
    int status = 0;
    bool killed = false;
    for (auto wait = kShortestWait;; wait = std::min(2 * wait, kLongestWait)) {
        const pid_t ended = waitpid(child, &status, killed ? 0 : WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) break;
        if (progress.cancelled() && !killed) {
            kill(child, SIGKILL);
            killed = true;
            continue;
        }
        std::this_thread::sleep_for(wait);
    }
    // a terminal's Ctrl-C reaches both: the child may be gone before we look
    if (killed || (progress.cancelled() && status != 0)) throw Cancelled();
    return status;
}

}  // namespace

int runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& log, const Progress& progress) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return kProgramMissing;
    const int status = waitFor(child, progress);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace sunder
