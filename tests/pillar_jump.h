#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

/// How the shards of a dropped pillar bounce ([su2009] figure 1): of the shard that does it most, m.
struct Jump {
    double height = 0;  // highest place of a centre once the pillar is down
    double climb = 0;   // farthest above the lowest place it had before
};

/// Two seconds of the scene with these settings and this seed.
Jump jumpOfShards(const std::filesystem::path& scene, const std::vector<std::string>& settings, uint64_t seed);

}  // namespace sunder
