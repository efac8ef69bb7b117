#include "tests/pillar_jump.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/scene/scene_io.h"
#include "sim/simulation.h"

namespace sunder {

namespace {

constexpr double kSeconds = 2.0;  // s, of a run
/// From the break until whoever is still high up has bounced: the pillar, 2 m high and falling at 7 m/s, is down by
/// then.
constexpr double kFall = 0.4;  // s

}  // namespace

Jump jumpOfShards(const std::filesystem::path& scene, const std::vector<std::string>& settings, uint64_t seed) {
    sim::SimulationSetup setup = setupFrom(readScene(scene, settings), scene);
    setup.seed = seed;
    sim::Simulation simulation(std::move(setup));
    std::map<sim::BodySerial, double> lowest;  // m
    double timeOfBreak = INFINITY;             // s
    Jump jump;
    while (simulation.time() < kSeconds) {
        if (!simulation.step().breaks.empty()) timeOfBreak = std::min(timeOfBreak, simulation.time());
        for (const sim::BodySerial body : simulation.bodies()) {
            if (simulation.facts(body).generation == 0) continue;
            const double height = simulation.state(body).centre.y();
            double& low = lowest.try_emplace(body, height).first->second;
            low = std::min(low, height);
            jump.climb = std::max(jump.climb, height - low);
            if (simulation.time() > timeOfBreak + kFall) jump.height = std::max(jump.height, height);
        }
    }
    return jump;
}

}  // namespace sunder
