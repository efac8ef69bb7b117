#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"

namespace sunder {

inline constexpr int kProgramMissing = 127;  // as shells have it

/// Runs a program found on the PATH and waits for it; what it prints goes to `log`. Returns its exit code, 128 when a
/// signal ended it. When `progress` is cancelled meanwhile, the program is killed and Cancelled thrown.
int runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& log, const Progress& progress);

}  // namespace sunder
