#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/stopwatch.h"

namespace sunder::tests {

inline std::string contentsOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// What goes with a program besides its arguments.
struct ChildOptions {
    std::vector<std::pair<std::string, std::string>> environment;
    std::filesystem::path out, err;  // files for what it says; empty: nowhere
    std::filesystem::path folder;    // where it runs; empty: here
    uint64_t mostMemory = 0;         // bytes of address space; 0: as much as there is
    uint64_t largestFile = 0;        // bytes; 0: as large as it likes
    bool outClosed = false;          // there is no stdout at all
};

/// A program that runs beside the test. It does not outlive this.
class ChildProcess {
public:
    ChildProcess(const std::vector<std::string>& command, const ChildOptions& options = {}) : id_(fork()) {
        if (id_ == 0) become(command, options);
    }
    ~ChildProcess() {
        if (!ended()) kill();
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    bool ended() { return ended_ || (ended_ = waitpid(id_, &status_, WNOHANG) != 0); }
    void wait() {
        if (!std::exchange(ended_, true)) waitpid(id_, &status_, 0);
    }
    /// False when it still runs after these seconds.
    bool waitFor(double seconds) {
        return waitUntil([] { return false; }, seconds);
    }
    /// Until it ends or something is so; false when neither came about within these seconds.
    template <class Condition>
    bool waitUntil(const Condition& condition, double seconds) {
        const Stopwatch watch;
        while (!ended() && !condition()) {
            if (watch.wallSeconds() > seconds) return false;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        return true;
    }
    void signal(int number) { ::kill(id_, number); }
    void kill() {
        signal(SIGKILL);
        wait();
    }

    // once it has ended
    bool killed() const { return WIFSIGNALED(status_); }
    int exitCode() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

private:
    [[noreturn]] static void become(const std::vector<std::string>& command, const ChildOptions& options) {
        for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
        const auto redirect = [](const std::filesystem::path& path, int stream) {
            const int file = open(path.empty() ? "/dev/null" : path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
            dup2(file, stream);
        };
        redirect(options.out, STDOUT_FILENO);
        redirect(options.err, STDERR_FILENO);
        if (options.outClosed) close(STDOUT_FILENO);
        if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
        const auto limit = [](auto resource, uint64_t most) {
            const rlimit both{most, most};
            if (most > 0) setrlimit(resource, &both);
        };
        limit(RLIMIT_AS, options.mostMemory);
        limit(RLIMIT_FSIZE, options.largestFile);
        std::vector<char*> arguments;
        arguments.reserve(command.size() + 1);
        for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        execv(arguments[0], arguments.data());
        _exit(127);
    }

    pid_t id_;
    int status_ = 0;
    bool ended_ = false;
};

}  // namespace sunder::tests
