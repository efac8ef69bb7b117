#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/simulation_setup.h"

namespace sunder::sim::detail {

/// Tells setups apart that would make different runs, part by part, so that one can say what differs.
struct Fingerprint {
    static constexpr std::array<const char*, 11> kParts{"frame rate",
                                                        "seed",
                                                        "gravity or solver settings",
                                                        "force fields",
                                                        "explosions",
                                                        "limits",
                                                        "bodies",
                                                        "places, velocities or motions of bodies",
                                                        "shapes or meshes",
                                                        "masses, surfaces, anchors or layers of bodies",
                                                        "fracture settings"};
    std::array<uint64_t, kParts.size()> parts{};

    /// "seed, fracture settings"; empty when all are the same.
    std::string differencesTo(const Fingerprint& other) const;
};

Fingerprint fingerprintOf(const SimulationSetup& setup);

}  // namespace sunder::sim::detail
