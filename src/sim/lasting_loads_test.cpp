// One contact may take several short frames: what comes within its time is one load.
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "sim/test_strikes.h"

namespace sunder::sim {
namespace {

using namespace test_strikes;

/// Breaks nothing, but writes down what it is asked.
struct Scribe : fracture::FractureMethod {
    double lasts = 0;  // s
    mutable std::mutex mutex;
    mutable std::vector<fracture::Loads> asked;

    explicit Scribe(double time) : lasts(time) {}
    std::string_view name() const override { return "scribe"; }
    bool mayBreak(const fracture::Solid& /*solid*/, const fracture::Loads& loads) const override {
        const std::lock_guard lock(mutex);
        asked.push_back(loads);
        return false;
    }
    double lastsFor(const fracture::Solid& /*solid*/, const fracture::Load& load, double /*frame*/) const override {
        return load.approachSpeed > 0.7 ? lasts : 0;
    }
    std::unique_ptr<const fracture::Breakable> prepare(const fracture::Solid& /*solid*/,
                                                       const fracture::Context& /*context*/) const override {
        return nullptr;
    }
};

constexpr double kFrame = 1.0 / 960;
constexpr double kSpeed = 10;  // m/s, of balls of 0.1 m

/// A heavy plate that is struck from both sides, by the second ball some frames after the first.
SimulationSetup twoBlows(std::shared_ptr<const fracture::FractureMethod> method, double framesBetween) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.dt = kFrame;
    BodySetup plate = test_shatter::box("plate", {1, 1, 0.2}, {0, 0, 0});
    plate.method = std::move(method);
    setup.bodies = {plate};
    const double near = 0.2 + 3.5 * kFrame * kSpeed, far = near + framesBetween * kFrame * kSpeed;
    setup.bodies.push_back(test_shatter::ball("first", 0.1, {0, 0, near}, {0, 0, -kSpeed}));
    setup.bodies.push_back(test_shatter::ball("second", 0.1, {0, 0, -far}, {0, 0, kSpeed}));
    return setup;
}

/// How many bodies the loads came from that acted together.
size_t givers(double lasts, double framesBetween) {
    auto scribe = std::make_shared<Scribe>(lasts);
    Simulation simulation(twoBlows(scribe, framesBetween));
    for (int i = 0; i < 20; ++i) (void)simulation.step();
    size_t most = 0;
    for (const fracture::Loads& loads : scribe->asked) {
        std::set<uint32_t> from;
        for (const fracture::Load& push : loads.list) {
            if (push.approachSpeed > 0.9 * kSpeed) from.insert(push.giver.index);
        }
        most = std::max(most, from.size());
    }
    return most;
}

TEST(LastingLoads, BlowsWithinTheirTimeAreOneLoadInWhateverFramesTheyCome) {
    EXPECT_EQ(givers(4.5 * kFrame, 0), 2u);  // in one frame
    EXPECT_EQ(givers(4.5 * kFrame, 2), 2u);
    EXPECT_EQ(givers(4.5 * kFrame, 4), 2u);
    EXPECT_EQ(givers(4.5 * kFrame, 6), 1u);
    EXPECT_EQ(givers(0.5 * kFrame, 1), 1u);
    EXPECT_EQ(givers(0, 1), 1u);
}

TEST(LastingLoads, PartsOfOneBlowAddUpAndAreForgottenInTime) {
    // soft enough to go on pushing for many frames: the plate falls on the ground and stays there
    SimulationSetup setup;
    setup.dt = kFrame;
    auto scribe = std::make_shared<Scribe>(3.5 * kFrame);
    BodySetup plate = test_shatter::box("plate", {1, 0.2, 1}, {0, 0.105, 0});
    plate.options.velocity = {0, -3, 0};
    plate.method = scribe;
    setup.bodies = {test_shatter::ground(), plate};
    Simulation simulation(std::move(setup));
    std::vector<double> speeds, impulses;  // by frame with a load: the highest, and the sum
    for (int i = 0; i < 40; ++i) {
        scribe->asked.clear();
        (void)simulation.step();
        if (scribe->asked.empty()) continue;
        double speed = 0, impulse = 0;
        for (const fracture::Load& push : scribe->asked.back().list) {
            speed = std::max(speed, push.approachSpeed);
            impulse += push.impulse.norm();
        }
        speeds.push_back(speed);
        impulses.push_back(impulse);
    }
    ASSERT_GT(speeds.size(), 10u);
    const double mass = simulation.facts(BodySerial{1}).mass;
    EXPECT_NEAR(impulses[0], 3 * mass, 0.05 * 3 * mass);  // the blow
    for (size_t i = 1; i <= 3; ++i) {
        EXPECT_GT(speeds[i], 2.5) << i;  // still that blow
        EXPECT_GE(impulses[i], impulses[i - 1]) << i;
    }
    for (size_t i = 4; i < speeds.size(); ++i) {
        EXPECT_LT(speeds[i], 0.7) << i;
        EXPECT_LT(impulses[i], 0.1 * impulses[0]) << i;
    }
}

TEST(LastingLoads, IsPartOfASavedRun) {
    const auto setup = [](double lasts) { return twoBlows(std::make_shared<Scribe>(lasts), 3); };
    Simulation straight(setup(4.5 * kFrame)), forgetful(setup(0));
    for (int i = 0; i < 5; ++i) {
        (void)straight.step();
        (void)forgetful.step();
    }
    EXPECT_NE(straight.stateHash(), forgetful.stateHash());  // the first blow is on its mind
    auto scribe = std::make_shared<Scribe>(4.5 * kFrame);
    Simulation resumed =
        Simulation::load(twoBlows(scribe, 3), straight.save(), [](BodySerial) -> GeometryPtr { return nullptr; });
    EXPECT_EQ(resumed.stateHash(), straight.stateHash());
    for (int i = 0; i < 4; ++i) {
        (void)straight.step();
        (void)resumed.step();
    }
    EXPECT_EQ(resumed.stateHash(), straight.stateHash());
    EXPECT_EQ(resumed.save(), straight.save());
    ASSERT_FALSE(scribe->asked.empty());
    EXPECT_GE(scribe->asked.front().list.size(), 2u);
}

/// Pieces of a beam in the air, pushed down in the middle and `later` (s) up at its ends.
size_t piecesOfBentBeam(double frameRate, double later) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.dt = 1 / frameRate;
    fracture::FemFractureOptions options = concrete(3000);
    options.contactTime = 2e-3;
    BodySetup beam = test_shatter::box("beam", {2, 0.1, 0.1}, {0, 0, 0});
    beam.method = std::make_shared<fracture::FemMethod>(options);
    const double speed = 0.85, radius = 0.06, near = 0.05 + radius + 0.4e-3 * speed, far = near + later * speed;
    setup.bodies = {beam, test_shatter::ball("middle", radius, {0.01, near, 0}, {0, -speed, 0}),
                    test_shatter::ball("left", radius, {-0.9, -far, 0}, {0, speed, 0}),
                    test_shatter::ball("right", radius, {0.9, -far, 0}, {0, speed, 0})};
    Simulation simulation(std::move(setup));
    while (simulation.time() < 0.02) (void)simulation.step();
    return simulation.bodies().size() - 3;
}

TEST(LastingLoads, WhatBendsABeamInThreePlacesBreaksItInFramesOfAnyLength) {
    constexpr double kTogether = 1.2e-3, kApart = 8e-3;
    EXPECT_GE(piecesOfBentBeam(240, kTogether), 2u);  // one frame
    EXPECT_GE(piecesOfBentBeam(960, kTogether), 2u);  // two
    EXPECT_GE(piecesOfBentBeam(1920, kTogether), 2u);
    EXPECT_EQ(piecesOfBentBeam(240, kApart), 1u);  // none of them breaks it alone
    EXPECT_EQ(piecesOfBentBeam(960, kApart), 1u);
}

}  // namespace
}  // namespace sunder::sim
