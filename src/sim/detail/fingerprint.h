#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "sim/simulation_setup.h"

namespace sunder::sim::detail {

/// Tells setups apart that would make different runs, part by part, so that one can say what differs.
struct Fingerprint {
    static constexpr std::array<const char*, 14> kParts{"frame rate",
                                                        "seed",
                                                        "gravity or solver settings",
                                                        "force fields",
                                                        "explosions",
                                                        "limits",
                                                        "bodies",
                                                        "places, velocities or motions of bodies",
                                                        "shapes or meshes",
                                                        "masses, surfaces, anchors or layers of bodies",
                                                        "fracture settings",
                                                        "names of materials",
                                                        "bodies that have appeared",
                                                        "actions"};
    std::array<uint64_t, kParts.size()> parts{};

    /// "seed, fracture settings"; empty when all are the same.
    std::string differencesTo(const Fingerprint& other) const;
};

/// Bodies that are not there from the start, in the order in which they come: indices in the setup.
std::vector<uint32_t> lateBodies(const SimulationSetup& setup);

/// Fingerprints of a setup at any time: what is still to come by then is not part of it.
class Fingerprints {
public:
    Fingerprints() = default;
    /// `known`: of a setup that is still there; hashes of its meshes are not computed again.
    explicit Fingerprints(const SimulationSetup& setup, const Fingerprints* known = nullptr);

    /// As far as that time, s. The setup is the one that it was made from, its explosions and actions sorted by time.
    Fingerprint upTo(const SimulationSetup& setup, double time) const;

private:
    uint64_t hashOf(const GeometryPtr& geometry, const Fingerprints* known);

    Fingerprint start_;
    struct Late {
        double appears = 0;  // s
        uint64_t hash = 0;
    };
    std::vector<Late> late_;                          // as they come
    std::map<const BodyGeometry*, uint64_t> meshes_;  // only looked up: many bodies have one form
};

}  // namespace sunder::sim::detail
