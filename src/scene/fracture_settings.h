#pragma once

#include <string>
#include <variant>
#include <vector>

#include "fracture/prescored/prescored.h"

namespace sunder::scene {

/// Never breaks, whatever its material says.
struct Unbreakable {};

/// The method's own options, and the files its artist pattern is in.
struct PrescoredSettings {
    fracture::PrescoredOptions options;
    std::vector<std::string> patternFiles;  // relative to the scene
};

/// A method is added by adding its settings here, their record to the schema, and their maker to build.cpp.
using FractureSettings = std::variant<Unbreakable, PrescoredSettings>;

}  // namespace sunder::scene
