#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"

namespace sunder {

inline constexpr int kProgramMissing = 127;  // as shells have it

/// Files that a program leaves beside its result: they go when this does, however the program ended.
struct Leftovers {
    std::vector<std::filesystem::path> files;
    explicit Leftovers(std::vector<std::filesystem::path> paths) : files(std::move(paths)) {}
    ~Leftovers() {
        std::error_code ignored;
        for (const std::filesystem::path& file : files) std::filesystem::remove(file, ignored);
    }
    Leftovers(const Leftovers&) = delete;
    Leftovers& operator=(const Leftovers&) = delete;
};

/// Runs a program found on the PATH and waits for it; what it prints goes to `log`. Returns its exit code, 128 when a
/// signal ended it. When `progress` is cancelled meanwhile, the program is killed and Cancelled thrown.
int runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& log, const Progress& progress);

}  // namespace sunder
