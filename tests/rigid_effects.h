#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// What each part of the step is good for: the same scene with it and without it.
namespace sunder::scenes {

/// Writes <name>.svg for every curve whose name is chosen; all when none is.
void plotEffects(const std::filesystem::path& folder, const std::vector<std::string>& chosen);

/// Prints one line for each switch of StepOptions: a scene, what is measured, with and without.
void printSwitches();

}  // namespace sunder::scenes
