#pragma once

#include <algorithm>
#include <functional>

#include "fracture/fem/fem_method.h"
#include "material/catalogue.h"
#include "sim/test_shatter.h"

/// The same blow in frames of any length, for tests and the plot of fem.md.
namespace sunder::sim::test_strikes {

/// What is struck, and the ball that strikes it.
struct Strike {
    BodySetup target, ball;
};

inline fracture::FemFractureOptions concrete(int tets) {
    fracture::FemFractureOptions options;
    fracture::setMaterial(findMaterial("concrete")->solid, options);
    options.tets = tets;
    options.maxGenerations = 1;
    return options;
}

inline Strike wall(const fracture::FemFractureOptions& options = concrete(4000)) {
    BodySetup target = test_shatter::box("wall", {1, 1, 0.1}, {0, 0, 0});
    target.method = std::make_shared<fracture::FemMethod>(options);
    return {target, test_shatter::ball("ball", 0.1, {0.05, 0.03, 0.4}, {0, 0, -12})};
}

/// Struck beside its middle, and not quite on its axis: it turns as it breaks.
inline Strike rod(const fracture::FemFractureOptions& options = concrete(3000)) {
    BodySetup target = test_shatter::box("rod", {2, 0.1, 0.1}, {0, 0, 0});
    target.method = std::make_shared<fracture::FemMethod>(options);
    return {target, test_shatter::ball("ball", 0.05, {0.13, 0.4, 0.01}, {0, -12, 0})};
}

/// Volumes of what the target is in after 0.1 s, largest first, m^3.
inline std::vector<double> piecesAt(double frameRate, const Strike& strike) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.dt = 1 / frameRate;
    setup.bodies = {strike.target, strike.ball};
    Simulation simulation(std::move(setup));
    while (simulation.time() < 0.1) (void)simulation.step();
    std::vector<double> volumes;
    for (const BodySerial body : simulation.bodies()) {
        if (simulation.facts(body).name != "ball") volumes.push_back(simulation.facts(body).volume());
    }
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    return volumes;
}

}  // namespace sunder::sim::test_strikes
