#include <functional>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace sunder::sim {
namespace {

using namespace test_shatter;
using Geometries = std::map<BodySerial, GeometryPtr>;

Simulation::GeometryOf from(const Geometries& geometries) {
    return [&geometries](BodySerial serial) { return geometries.at(serial); };
}

StepReport stepKeeping(Simulation& simulation, Geometries& geometries) {
    StepReport report = simulation.step();
    for (const BodyFacts& born : report.born) geometries[born.serial] = born.geometry;
    return report;
}

BodySetup late(BodySetup body, double appears) {
    body.appears = appears;
    return body;
}

/// Boxes that rain and break; then a ball is thrown into the pieces and a brittle block falls on them. The late bodies
/// stand before, between and after the others.
SimulationSetup rainAndMore() {
    SimulationSetup setup = breakingRain();
    BodySetup block = late(box("block", {0.5, 0.5, 0.5}, {0.7, 1.5, 0.4}), 0.46);
    block.method = std::make_shared<Shatter>(100, 6, 2, 5);
    block.options.velocity = {0, -6, 0};
    setup.bodies.insert(setup.bodies.begin() + 2, block);
    setup.bodies.insert(setup.bodies.begin(), late(ball("ball", 0.2, {0.7, 0.5, 3}, {0, 0, -15}), 0.31));
    setup.bodies.push_back(late(ball("pebble", 0.05, {-2, 1, 0}, {8, 0, 0}), 0.31));
    setup.explosions.push_back({0.7, {.centre = {0.7, 0, 0.4}, .radius = 2, .impulse = 60}});
    return setup;
}

std::vector<uint64_t> hashesOf(Simulation simulation, int frames) {
    std::vector<uint64_t> hashes;
    for (int i = 0; i < frames; ++i) {
        simulation.step();
        hashes.push_back(simulation.stateHash());
    }
    return hashes;
}

TEST(LateBodies, ComeWithTheFirstFrameThatEndsAfterTheirTime) {
    SimulationSetup setup = ballThroughWall();
    setup.bodies[1].method.reset();
    setup.bodies[2].appears = 0.12;
    Simulation simulation(setup);
    EXPECT_EQ(simulation.bodies().size(), 2u);
    EXPECT_EQ(startOf(simulation).born.size(), 2u);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(simulation.step().born.empty());
    const StepReport report = simulation.step();
    ASSERT_GE(report.born.size(), 1u);
    const BodyFacts& ball = report.born[0];
    EXPECT_EQ(ball.name, "ball");
    EXPECT_EQ(ball.born, 4u);
    EXPECT_EQ(ball.serial, BodySerial{2});
    EXPECT_EQ(ball.root, ball.serial);
    EXPECT_EQ(ball.parent, kNone<BodySerial>);
    EXPECT_EQ(simulation.setupOf(ball).name, "ball");
    const dynamics::BodyState state = simulation.state(ball.serial);
    EXPECT_EQ(state.centre.x(), 0.2) << "it starts where it was put, with the frame it comes in";
    EXPECT_NEAR(state.centre.z(), 1.2 - 20.0 / 30, 1e-9);
}

TEST(LateBodies, OnesAtAFramesEndComeWithTheNext) {
    SimulationSetup setup = ballThroughWall();
    setup.bodies[1].method.reset();
    Simulation timer(setup);
    timer.step();
    setup.bodies[2].appears = timer.time();
    Simulation simulation(setup);
    EXPECT_TRUE(simulation.step().born.empty());
    EXPECT_EQ(simulation.step().born.size(), 1u);
}

TEST(LateBodies, GetTheirSerialsWhenTheyCome) {
    Simulation simulation(rainAndMore());
    std::map<std::string, BodyFacts> born;
    uint32_t next = 7;  // the ground and six boxes
    for (int i = 0; i < 40; ++i) {
        for (const BodyFacts& body : simulation.step().born) {
            EXPECT_EQ(raw(body.serial), next++) << body.name;
            const std::string root = body.name.substr(0, body.name.find('/'));
            EXPECT_EQ(simulation.setupOf(body).name, root) << body.name;
            if (body.generation > 0 && born.contains(root)) {
                EXPECT_EQ(body.root, born.at(root).serial) << body.name;
            }
            born[body.name] = body;
        }
    }
    ASSERT_TRUE(born.contains("ball") && born.contains("pebble") && born.contains("block"));
    EXPECT_EQ(raw(born.at("pebble").serial), raw(born.at("ball").serial) + 1) << "in the order of the setup";
    EXPECT_GT(raw(born.at("block").serial), raw(born.at("pebble").serial)) << "in the order of their times";
    EXPECT_TRUE(born.contains("block/p0")) << "what comes late breaks like anything else";
}

/// Two roads to one run: the late bodies were known from the start, or only just before they came.
TEST(LateBodies, AnAmendedRunIsTheRunFromScratch) {
    const SimulationSetup whole = rainAndMore();
    const auto without = [&](const std::function<bool(const BodySetup&)>& unknown, bool explosion) {
        SimulationSetup setup = whole;
        std::erase_if(setup.bodies, unknown);
        if (!explosion) setup.explosions.clear();
        return setup;
    };
    const std::vector<uint64_t> scratch = hashesOf(Simulation(whole), 40);

    Simulation live(without([](const BodySetup& body) { return body.appears > 0; }, false));
    for (size_t i = 0; i < scratch.size(); ++i) {
        if (i == 9) live.amend(without([](const BodySetup& body) { return body.appears > 0.4; }, false));
        if (i == 13) live.amend(whole);
        live.step();
        ASSERT_EQ(live.stateHash(), scratch[i]) << "frame " << i + 1;
    }
    EXPECT_GT(live.bodies().size(), 25u);
}

TEST(LateBodies, AmendingTakesBackWhatHasNotHappened) {
    SimulationSetup calm = rainAndMore();
    std::erase_if(calm.bodies, [](const BodySetup& body) { return body.name == "block"; });
    const std::vector<uint64_t> scratch = hashesOf(Simulation(calm), 25);
    Simulation live(rainAndMore());
    for (size_t i = 0; i < scratch.size(); ++i) {
        if (i == 12) live.amend(calm);
        live.step();
        ASSERT_EQ(live.stateHash(), scratch[i]) << "frame " << i + 1;
    }
}

TEST(LateBodies, WhatHasHappenedCannotBeAmended) {
    Simulation simulation(rainAndMore());
    for (int i = 0; i < 12; ++i) simulation.step();  // 0.4 s: ball and pebble are there, the block is not
    const uint64_t hash = simulation.stateHash();
    const auto complaint = [&](const std::function<void(SimulationSetup&)>& change) -> std::string {
        SimulationSetup setup = simulation.setup();
        change(setup);
        try {
            simulation.amend(setup);
        } catch (const std::invalid_argument& error) {
            const std::string text = error.what();
            const size_t colon = text.find("other are: ");
            return colon == std::string::npos ? text : text.substr(colon + 11);
        }
        return "";
    };
    const auto named = [](SimulationSetup& setup, const std::string& name) -> BodySetup& {
        return *std::find_if(setup.bodies.begin(), setup.bodies.end(), [&](auto& body) { return body.name == name; });
    };
    EXPECT_EQ(complaint([](SimulationSetup&) {}), "");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "ball").options.velocity.x() = 1; }),
              "bodies that have appeared");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "pebble").appears = 5; }), "bodies that have appeared");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "block").appears = 0.39; }), "bodies that have appeared");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "block").appears = 0; }),
              "bodies, places, velocities or motions of bodies, shapes or meshes, masses, surfaces, anchors or layers "
              "of bodies, fracture settings, names of materials");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.seed = 8; }), "seed");
    EXPECT_EQ(complaint([](SimulationSetup& s) { s.explosions[0].time = 0.2; }), "explosions");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "box1").options.material.friction = 0.1; }),
              "masses, surfaces, anchors or layers of bodies");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { s.bodies.push_back(named(s, "ball")); }),
              "two bodies are named \"ball\"; names must differ");
    EXPECT_EQ(complaint([&](SimulationSetup& s) {
                  s.bodies.push_back(late(ball("heavy", 0.1, {0, 5, 0}, {0, 0, 0}), 2));
                  s.bodies.back().options.mass = -1;
              }),
              "body \"heavy\": body: mass must be positive (kg), got -1.000000");
    EXPECT_EQ(simulation.stateHash(), hash);

    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "block").appears = 0.5; }), "");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { s.explosions.clear(); }), "");
    EXPECT_EQ(complaint([&](SimulationSetup& s) {
                  std::erase_if(s.bodies, [](const BodySetup& body) { return body.name == "block"; });
              }),
              "");
    EXPECT_EQ(complaint([&](SimulationSetup& s) { named(s, "box1").source = "/bodies/9"; }), "");
}

TEST(LateBodies, GoOnFromBytesBeforeAndAfterTheyCome) {
    const SimulationSetup setup = rainAndMore();
    const std::vector<uint64_t> scratch = hashesOf(Simulation(setup), 40);
    Simulation running(setup);
    Geometries geometries;
    for (size_t stop = 0; stop <= 24; ++stop) {
        if (stop > 0) stepKeeping(running, geometries);
        if (stop % 6 != 0) continue;  // before, between and after those that come at 0.31 and 0.46 s
        Simulation loaded = Simulation::load(setup, running.save(), from(geometries));
        EXPECT_EQ(loaded.save(), running.save());
        for (size_t i = stop; i < scratch.size(); ++i) {
            loaded.step();
            ASSERT_EQ(loaded.stateHash(), scratch[i]) << "from " << stop << ", frame " << i + 1;
        }
    }
}

TEST(LateBodies, BytesTakeASetupThatDiffersOnlyInWhatIsToCome) {
    const SimulationSetup whole = rainAndMore();
    SimulationSetup calm = whole;
    std::erase_if(calm.bodies, [](const BodySetup& body) { return body.appears > 0; });
    calm.explosions.clear();
    const std::vector<uint64_t> scratch = hashesOf(Simulation(whole), 30);
    Simulation running(calm);
    Geometries geometries;
    for (int i = 0; i < 8; ++i) stepKeeping(running, geometries);
    Simulation loaded = Simulation::load(whole, running.save(), from(geometries));
    for (size_t i = 8; i < scratch.size(); ++i) {
        loaded.step();
        ASSERT_EQ(loaded.stateHash(), scratch[i]) << "frame " << i + 1;
    }
    for (int i = 0; i < 2; ++i) stepKeeping(running, geometries);  // now it is too late for the ball
    EXPECT_THROW(Simulation::load(whole, running.save(), from(geometries)), std::runtime_error);
}

TEST(LateBodies, AreTheSameOnOneTwoAndFourThreads) {
    const auto hashes = [](int threads) {
        const ThreadLimit limit(threads);
        return hashesOf(Simulation(rainAndMore()), 35);
    };
    const std::vector<uint64_t> one = hashes(1);
    EXPECT_EQ(one, hashes(2));
    EXPECT_EQ(one, hashes(4));
}

/// What was there at the end of a frame, and what came from outside, is there when bodies begin to move.
TEST(LateBodies, TheAccountAddsUpInTheFrameTheyComeIn) {
    Simulation simulation(rainAndMore());
    double before = startOf(simulation).motion.energy.mechanical(), came = 0;
    for (int i = 0; i < 40; ++i) {
        const StepReport report = simulation.step();
        double breaking = 0;
        for (const BreakReport& one : report.breaks) breaking += one.energyTaken;
        const dynamics::EnergyAccount& energy = report.motion.energy;
        const double expected = before + report.appeared + report.workOfExplosions + report.energyFreed - breaking;
        // sums in another order: rounding of what is summed up
        EXPECT_NEAR(energy.mechanicalBefore, expected, 1e-12 * (std::abs(before) + energy.linear + breaking))
            << "frame " << report.frame;
        came += report.appeared;
        before = energy.mechanical();
    }
    const double g = 9.81;
    const double ball = 2500 * 4.0 / 3 * M_PI * 0.008, pebble = 2500 * 4.0 / 3 * M_PI * 0.000125, block = 2500 * 0.125;
    EXPECT_NEAR(came, ball * (0.5 * 225 + g * 0.5) + pebble * (0.5 * 64 + g * 1) + block * (0.5 * 36 + g * 1.5),
                1e-9 * came);
}

TEST(LateBodies, InFreeFlightNothingIsLeftOver) {
    SimulationSetup setup;
    setup.bodies.push_back(box("first", {1, 1, 1}, {0, 50, 0}));
    for (int i = 0; i < 10; ++i) {
        setup.bodies.push_back(
            late(ball("ball" + std::to_string(i), 0.2, {3.0 + i, 50, 0}, {0, 1.0 * i, 2}), 0.1 * i + 0.05));
        setup.bodies.back().options.angularVelocity = {1, 2, 3};
    }
    Simulation simulation(setup);
    for (int i = 0; i < 40; ++i) {
        const dynamics::EnergyAccount energy = simulation.step().motion.energy;
        EXPECT_LE(std::abs(energy.error), 4e-15 * std::abs(energy.mechanical()));
    }
    EXPECT_EQ(simulation.bodies().size(), 11u);
}

TEST(LateBodies, ABodyThatMovesByAScriptComesWhereItIsByThen) {
    SimulationSetup setup;
    BodySetup arm = late(box("arm", {1, 1, 1}, {0, 0, 0}), 0.5);
    arm.options.kind = dynamics::BodyKind::Kinematic;
    arm.options.motion = dynamics::Motion{
        dynamics::KeyframePath{.keys = {{0, {0, 0, 0}, Quat::Identity()}, {10, {20, 0, 0}, Quat::Identity()}},
                               .interpolation = dynamics::Interpolation::Linear},
        {Quat::Identity(), Vec3(0, 1, 0)},
        {}};
    setup.bodies.push_back(arm);
    Simulation simulation(setup);
    for (int i = 0; i < 20; ++i) simulation.step();
    EXPECT_NEAR(simulation.state(BodySerial{0}).centre.x(), 2 * simulation.time(), 1e-12);
}

}  // namespace
}  // namespace sunder::sim
