// Cracks take energy from the motion of whoever met, by their area; mass and momentum stay.
#include <gtest/gtest.h>

#include "sim/test_strikes.h"

namespace sunder::sim {
namespace {

using namespace test_strikes;

double kinetic(const Simulation& simulation) {
    double sum = 0;
    for (const BodySerial body : simulation.bodies()) {
        const dynamics::BodyState state = simulation.state(body);
        sum += 0.5 * state.mass * state.velocity.squaredNorm() + 0.5 * state.angularVelocity.dot(state.angularMomentum);
    }
    return sum;
}

/// m^2 of crack faces of all bodies.
double crackArea(const Simulation& simulation) {
    double area = 0;
    for (const BodySerial body : simulation.bodies()) {
        const TriMesh& mesh = *simulation.facts(body).mesh();
        for (const TriangleIndex t : mesh.triangles.indices()) {
            if (!mesh.inside.empty() && mesh.inside[t]) area += mesh.areaVector(t).norm();
        }
    }
    return area;
}

struct Broken {
    BreakReport report;
    double before = 0, after = 0;  // J
    double area = 0;               // m^2, of both faces of cracks
};
Broken strikeRod(double crackEnergy) {
    fracture::FemFractureOptions options = concrete(2000);
    options.strength.energy = crackEnergy;
    const Strike strike = rod(options);
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies = {strike.target, strike.ball};
    Simulation simulation(std::move(setup));
    Broken broken{{}, kinetic(simulation), 0, 0};
    for (int frame = 0; frame < 10; ++frame) {
        for (const BreakReport& report : simulation.step().breaks) broken.report = report;
    }
    broken.after = kinetic(simulation);
    broken.area = crackArea(simulation);
    return broken;
}

TEST(FemEnergy, IsTakenByTheAreaOfCracks) {
    const Broken free = strikeRod(0), paid = strikeRod(80);
    ASSERT_GE(paid.report.fragments.size(), 3u);
    EXPECT_EQ(free.report.fragments.size(), paid.report.fragments.size());
    // each pair of faces counts once; cracks that end inside come on top
    EXPECT_GE(paid.report.energyWanted, 80 * 0.5 * paid.area * (1 - 1e-9));
    EXPECT_LT(paid.report.energyWanted, 80 * 0.5 * paid.area * 1.5);
    EXPECT_GT(0.5 * paid.area, 0.01 * static_cast<double>(paid.report.fragments.size() - 1));  // sections of the rod
    EXPECT_NEAR(paid.report.energyTaken, paid.report.energyWanted, 1e-9 * paid.report.energyWanted);
    EXPECT_EQ(free.report.energyTaken, 0);
    EXPECT_LT(paid.after, free.after);
    EXPECT_LT(paid.report.momentumError(), 1e-12);
    EXPECT_LT(paid.report.angularMomentumError(), 1e-12);
    EXPECT_LT(paid.report.massError(), 1e-12);
}

TEST(FemEnergy, IsNoMoreThanTheBlowHas) {
    const Broken broken = strikeRod(1e6);
    ASSERT_GE(broken.report.fragments.size(), 2u);
    EXPECT_LT(broken.report.energyTaken, broken.report.energyWanted);
    EXPECT_GT(broken.report.energyTaken, 0);
    EXPECT_LT(broken.report.energyTaken, broken.before);
    EXPECT_GE(broken.after, 0);
    EXPECT_LT(broken.report.momentumError(), 1e-12);
    EXPECT_LT(broken.report.angularMomentumError(), 1e-12);
}

}  // namespace
}  // namespace sunder::sim
