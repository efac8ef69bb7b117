// The same blow in frames of different length breaks a body into the same pieces.
#include <algorithm>

#include <gtest/gtest.h>

#include "fracture/fem/fem_method.h"
#include "sim/test_shatter.h"

namespace sunder::sim {
namespace {

using namespace test_shatter;

fracture::FemFractureOptions concrete(int tets) {
    fracture::FemFractureOptions options;
    options.elastic = findReadyMaterial("concrete")->elastic;
    options.strength = findReadyMaterial("concrete")->strength;
    options.tets = tets;
    options.maxGenerations = 1;
    return options;
}

/// Volumes of what a body is in after 0.1 s, largest first.
std::vector<double> piecesAt(double frameRate, const BodySetup& target, const BodySetup& striker) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.dt = 1 / frameRate;
    setup.bodies = {target, striker};
    Simulation simulation(std::move(setup));
    while (simulation.time() < 0.1) (void)simulation.step();
    std::vector<double> volumes;
    for (const BodySerial body : simulation.bodies()) {
        if (simulation.facts(body).name != "ball") volumes.push_back(simulation.facts(body).volume);
    }
    std::sort(volumes.rbegin(), volumes.rend());
    return volumes;
}

void expectTheSamePieces(const BodySetup& target, const BodySetup& striker, double least) {
    const std::vector<double> reference = piecesAt(60, target, striker);
    double whole = 0;
    for (const double v : reference) whole += v;
    EXPECT_GE(static_cast<double>(reference.size()), least);
    for (const double rate : {30.0, 240.0, 960.0}) {
        const std::vector<double> other = piecesAt(rate, target, striker);
        ASSERT_EQ(other.size(), reference.size()) << rate << " frames a second";
        for (size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], reference[i], 0.01 * whole) << i;
    }
}

TEST(FemSteps, AWallBreaksAlikeInFramesOfAnyLength) {
    BodySetup wall = box("wall", {1, 1, 0.1}, {0, 0, 0});
    wall.method = std::make_shared<fracture::FemMethod>(concrete(4000));
    expectTheSamePieces(wall, ball("ball", 0.1, {0.05, 0.03, 0.4}, {0, 0, -12}), 4);
}

}  // namespace
}  // namespace sunder::sim
