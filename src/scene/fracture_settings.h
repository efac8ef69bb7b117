#pragma once

#include <string>
#include <variant>
#include <vector>

#include "math/vec.h"

namespace sunder::scene {

/// Never breaks, whatever its material says.
struct Unbreakable {};

enum class PatternKind { Uniform, Radial, Glass, Brick, Splinter, Realistic, Artist };
enum class PatternAlignment { Exact, Fast };
struct PatternOptions {
    PatternKind kind = PatternKind::Uniform;
    double concentration = 0.8;
    int spokes = 0;
    Vec3 brick{0.215, 0.065, 0.1025};
    int stretch = 8;
    Vec3 grain = Vec3::Zero();
    double roughness = 0.5;
};
struct PrescoredOptions {
    PatternOptions pattern;
    int pieces = 25;
    double threshold = 0;
    double thresholdExponent = 2.0 / 3;
    double smallestPiece = 1e-3;
    int maxGenerations = 3;
    int cells = 48;
    PatternAlignment alignment = PatternAlignment::Exact;
    uint64_t patternSeed = 0;
};

/// The method's own options, and the files its artist pattern is in.
struct PrescoredSettings {
    PrescoredOptions options;
    std::vector<std::string> patternFiles;  // relative to the scene
};

/// A method is added by adding its settings here, their record to the schema, and their maker to build.cpp.
using FractureSettings = std::variant<Unbreakable, PrescoredSettings>;

}  // namespace sunder::scene
