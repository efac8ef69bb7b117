#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fracture/fem/fem_method.h"
#include "fracture/prescored/prescored.h"

namespace sunder::scene {

/// Never breaks, whatever its material says.
struct Unbreakable {};

/// The method's own options, and the files its artist pattern is in.
struct PrescoredSettings {
    fracture::PrescoredOptions options;
    std::vector<std::string> patternFiles;  // relative to the scene
};

/// A material by name, what is other than its own, and the method's options.
struct FemSettings {
    std::string material = "concrete";
    std::optional<double> strength;        // Pa
    std::optional<double> stiffness;       // Pa
    std::optional<double> poissonRatio;    //
    std::optional<double> extension;       // share of the strength
    std::optional<double> acrossGrain;     // share of the strength
    std::optional<double> crackEnergy;     // J/m^2
    std::optional<double> roughness;       // in parts of the size of a tet
    fracture::FemFractureOptions options;  // but for what the material says

    /// All of it.
    fracture::FemFractureOptions resolved() const;
};

/// A method is added by adding its settings here, their record to the schema, and their maker to build.cpp.
using FractureSettings = std::variant<Unbreakable, PrescoredSettings, FemSettings>;

}  // namespace sunder::scene
