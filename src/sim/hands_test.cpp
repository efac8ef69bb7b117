#include <functional>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "sim/run.h"
#include "sim/test_shatter.h"

namespace sunder::sim {
namespace {

using namespace test_shatter;

constexpr double kFrame = 1.0 / 30;  // s

SimulationSetup inSpace(const BodySetup& body) {
    SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies.push_back(body);
    return setup;
}

std::vector<std::string> messagesOf(const SimulationSetup& setup, int frames = 3) {
    Simulation simulation(setup);
    std::vector<std::string> all;
    for (int i = 0; i < frames; ++i) {
        const StepReport report = simulation.step();
        all.insert(all.end(), report.messages.begin(), report.messages.end());
    }
    return all;
}

PullAction straightPull(const Vec3& point, const Vec3& from, const Vec3& to, double start, double end) {
    return {point, {{start, from}, {end, to}}};
}

TEST(Push, ChangesVelocityAndSpinByTheImpulse) {
    BodySetup block = box("block", {1, 2, 3}, {4, 5, 6});
    block.options.mass = 12;
    SimulationSetup setup = inSpace(block);
    const Vec3 impulse(3, -2, 5), point(4.5, 5.7, 4.8);
    setup.actions.push_back({"block", PushAction{0.05, impulse, point}});
    Simulation simulation(setup);
    simulation.step();
    EXPECT_TRUE(simulation.state(BodySerial{0}).velocity.isZero());
    const StepReport report = simulation.step();
    const dynamics::BodyState state = simulation.state(BodySerial{0});
    EXPECT_LE((state.velocity - impulse / 12).norm(), 1e-15);
    const Vec3 moment = (point - Vec3(4, 5, 6)).cross(impulse);
    EXPECT_LE((state.angularMomentum - moment).norm(), 1e-14);
    // m (b^2 + c^2) / 12 about the axes of the box, which has not turned yet when it is pushed
    const Vec3 spin = moment.cwiseQuotient(Vec3(4 + 9, 1 + 9, 1 + 4));
    const double kinetic = 0.5 * impulse.squaredNorm() / 12 + 0.5 * moment.dot(spin);
    EXPECT_NEAR(report.workOfActions, kinetic, 1e-13);
    EXPECT_NEAR(report.motion.energy.linear + report.motion.energy.rotational, kinetic, 1e-13);
}

TEST(Push, WithoutAPointGoesThroughTheCentre) {
    SimulationSetup setup = inSpace(box("block", {1, 2, 3}, {4, 5, 6}));
    setup.bodies[0].options.mass = 2;
    setup.actions.push_back({"block", PushAction{0, {3, 0, 0}, {}}});
    Simulation simulation(setup);
    simulation.step();
    EXPECT_EQ(simulation.state(BodySerial{0}).velocity, Vec3(1.5, 0, 0));
    EXPECT_TRUE(simulation.state(BodySerial{0}).angularVelocity.isZero());
}

TEST(Push, WakesAndTearsOffAnchors) {
    SimulationSetup setup = inSpace(box("block", {1, 1, 1}, {0, 0, 0}));
    setup.bodies[0].options.mass = 2;
    setup.bodies[0].options.anchor = 5;
    setup.actions.push_back({"block", PushAction{0, {4, 0, 0}, {}}});
    setup.actions.push_back({"block", PushAction{0.05, {6, 0, 0}, {}}});
    Simulation simulation(setup);
    EXPECT_TRUE(simulation.step().letGo.empty());
    EXPECT_TRUE(simulation.state(BodySerial{0}).velocity.isZero());
    EXPECT_EQ(simulation.step().letGo, std::vector<BodySerial>{BodySerial{0}});
    EXPECT_EQ(simulation.state(BodySerial{0}).velocity, Vec3(3, 0, 0));
}

TEST(Place, PutsABodyExactly) {
    BodySetup block = box("block", {1, 2, 3}, {0, 0, 0});
    block.options.velocity = {1, 0, 0};
    SimulationSetup setup = inSpace(block);
    const Quat turned = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    const Vec3 place(7, 8, -9), velocity(0, 3, 0), spin(0, 0, 2);
    setup.actions.push_back({"block", PlaceAction{0.05, place, turned, {}, {}}});
    setup.actions.push_back({"block", PlaceAction{0.15, {}, {}, velocity, spin}});
    Simulation simulation(setup);
    simulation.step();
    simulation.step();
    const dynamics::BodyState placed = simulation.state(BodySerial{0});
    EXPECT_LE((placed.pose.translation - (place + kFrame * Vec3(1, 0, 0))).norm(), 1e-14);
    EXPECT_LE(placed.pose.rotation.angularDistance(turned), 1e-14);
    EXPECT_EQ(placed.velocity, Vec3(1, 0, 0)) << "what is not given stays";
    for (int i = 0; i < 3; ++i) simulation.step();
    EXPECT_EQ(simulation.state(BodySerial{0}).velocity, velocity);
    EXPECT_LE((simulation.state(BodySerial{0}).angularMomentum.normalized() -
               placed.pose.rotation.toRotationMatrix() * (placed.pose.rotation.toRotationMatrix().transpose() * spin)
                                                             .cwiseProduct(Vec3(4 + 9, 1 + 9, 1 + 4))
                                                             .normalized())
                  .norm(),
              1e-13);
}

TEST(Place, AFragmentKeepsTheCoordinatesOfItsParent) {
    SimulationSetup setup = ballThroughWall(10);
    setup.world.gravity = Vec3::Zero();
    setup.actions.push_back(
        {"wall/p3", PlaceAction{0.5, Vec3(20, 30, 40), Quat::Identity(), Vec3::Zero(), Vec3::Zero()}});
    Simulation simulation(setup);
    BodyFacts piece;
    for (int i = 0; i < 16; ++i) {
        for (const BodyFacts& born : simulation.step().born) {
            if (born.name == "wall/p3") piece = born;
        }
    }
    ASSERT_EQ(piece.name, "wall/p3");
    EXPECT_LE((simulation.state(piece.serial).pose.translation - Vec3(20, 30, 40)).norm(), 1e-13);
    EXPECT_LE((simulation.state(piece.serial).centre - (Vec3(20, 30, 40) + piece.centre)).norm(), 1e-13)
        << "its vertices are where the whole wall's were, moved by the place";
}

TEST(Place, EnergyOfThePlaceIsWorkOfTheHand) {
    SimulationSetup setup;
    setup.bodies.push_back(box("block", {1, 1, 1}, {0, 5, 0}));
    setup.bodies[0].options.mass = 3;
    setup.actions.push_back({"block", PlaceAction{0.1, Vec3(0, 25, 0), {}, Vec3(4, 0, 0), {}}});
    Simulation simulation(setup);
    double before = startOf(simulation).motion.energy.mechanical();
    for (int i = 0; i < 10; ++i) {
        const StepReport report = simulation.step();
        EXPECT_NEAR(report.motion.energy.mechanicalBefore, before + report.workOfActions, 1e-12 * before);
        EXPECT_LE(std::abs(report.motion.energy.error), 1e-14 * before);
        if (report.workOfActions != 0) {
            EXPECT_GT(report.workOfActions, 3 * 9.81 * 20);
        }
        before = report.motion.energy.mechanical();
    }
}

TEST(Place, WhatLaySleepingOnItFalls) {
    SimulationSetup setup;
    setup.bodies.push_back(ground());
    setup.bodies.push_back(box("table", {1, 1, 1}, {0, 0.5, 0}));
    setup.bodies.push_back(box("cup", {0.2, 0.2, 0.2}, {0, 1.1, 0}));
    for (size_t i = 1; i < 3; ++i) setup.bodies[i].options.asleep = true;
    setup.actions.push_back({"table", PlaceAction{1, Vec3(5, 0.5, 0), {}, {}, {}}});
    Simulation simulation(setup);
    for (int i = 0; i < 90; ++i) simulation.step();
    EXPECT_NEAR(simulation.state(BodySerial{2}).centre.y(), 0.1, 0.01);
}

TEST(Actions, WhatCannotBeDoneIsTold) {
    SimulationSetup setup = ballThroughWall(10);
    setup.actions.push_back({"wall/p9/p1", PushAction{0.04, {1, 0, 0}, {}}});
    setup.actions.push_back({"ground", PushAction{0.04, {1, 0, 0}, {}}});
    setup.actions.push_back({"ground", straightPull({0, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0.04, 1)});
    setup.actions.push_back({"ground", PlaceAction{0.04, {}, {}, Vec3(1, 0, 0), {}}});
    setup.bodies.push_back(box("arm", {1, 1, 1}, {9, 9, 9}));
    setup.bodies.back().options.kind = dynamics::BodyKind::Kinematic;
    setup.bodies.back().options.motion =
        dynamics::Motion{dynamics::KeyframePath{}, {Quat::Identity(), Vec3(9, 9, 9)}, {}};
    setup.actions.push_back({"arm", PlaceAction{0.05, Vec3(0, 0, 0), {}, {}, {}}});
    EXPECT_EQ(messagesOf(setup), (std::vector<std::string>{
                                     "frame 2, 0.04 s: there is no body \"wall/p9/p1\" to push",
                                     "frame 2, 0.04 s: \"ground\" does not move freely: it cannot be pushed",
                                     "frame 2, 0.04 s: \"ground\" does not move freely: it cannot be pulled",
                                     "frame 2, 0.04 s: \"ground\" is static: it cannot have a velocity",
                                     "frame 2, 0.05 s: \"arm\" moves as its motion says: it cannot be placed",
                                 }));
}

TEST(Actions, NonsenseIsRefusedWithItsName) {
    const auto complaint = [](const BodyAction& action) -> std::string {
        SimulationSetup setup = ballThroughWall(10);
        setup.actions.push_back(action);
        try {
            Simulation simulation(setup);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(complaint({"wall", PullAction{}}).find("the action on \"wall\" needs a path"), std::string::npos);
    EXPECT_NE(complaint({"wall", PullAction{Vec3::Zero(), {{1, Vec3::Zero()}, {1, Vec3::Zero()}}}})
                  .find("times do not ascend: 1 s, then 1 s"),
              std::string::npos);
    EXPECT_NE(complaint({"wall", PushAction{0, Vec3(NAN, 0, 0), {}}}).find("finite"), std::string::npos);
    EXPECT_NE(complaint({"wall", PlaceAction{0, {}, Quat(0, 0, 0, 0), {}, {}}}).find("rotation"), std::string::npos);
}

/// A corner of a box is taken along a path with turns: in the air, whatever the box weighs, it is there.
TEST(Pull, ThePointFollowsItsPathWhateverTheMass) {
    for (const double mass : {1e-3, 1.0, 1e5}) {
        SimulationSetup setup;
        setup.bodies.push_back(box("block", {0.4, 0.6, 0.3}, {0, 3, 0}));
        setup.bodies[0].options.mass = mass;
        const Vec3 corner(0.2, 0.3, 0.15);
        PullAction pull{corner, {}};
        for (int i = 0; i <= 60; ++i) {
            const double t = 0.1 * i;
            pull.path.push_back({t, Vec3(0, 3, 0) + corner + Vec3(std::sin(t), 0.5 * t, 1 - std::cos(t))});
        }
        setup.actions.push_back({"block", pull});
        Simulation simulation(setup);
        double worst = 0, kinetic = 0, before = startOf(simulation).motion.energy.mechanical();
        for (int i = 0; i < 180; ++i) {
            const StepReport report = simulation.step();
            const double t = simulation.time();
            const Vec3 target = Vec3(0, 3, 0) + corner + Vec3(std::sin(t), 0.5 * t, 1 - std::cos(t));
            if (i > 5) worst = std::max(worst, (simulation.state(BodySerial{0}).pose * corner - target).norm());
            const dynamics::EnergyAccount& energy = report.motion.energy;
            kinetic = std::max(kinetic, energy.linear + energy.rotational);
            EXPECT_NEAR(energy.mechanicalBefore, before + report.workOfActions, 1e-12 * std::abs(before)) << mass;
            EXPECT_LE(std::abs(energy.error), 1e-13 * std::abs(before)) << mass;
            before = energy.mechanical();
        }
        EXPECT_LE(worst, 0.02) << "kg: " << mass;
        EXPECT_LE(kinetic / mass, 0.5 * 9) << "no faster than a body that swings at 3 m/s; kg: " << mass;
    }
}

TEST(Pull, AJumpOfTheTargetIsFollowedInAFewFramesWithoutOvershooting) {
    for (const double frameRate : {24.0, 30.0, 120.0}) {
        SimulationSetup setup;
        setup.dt = 1 / frameRate;
        setup.bodies.push_back(ball("ball", 0.2, {0, 5, 0}, {0, 0, 0}));
        setup.actions.push_back({"ball", straightPull({0, 0, 0}, {1, 5, 0}, {1, 5, 0}, 0, 3)});
        Simulation simulation(setup);
        double farthest = 0;
        while (simulation.time() < 2) {
            simulation.step();
            const Vec3 at = simulation.state(BodySerial{0}).centre;
            farthest = std::max(farthest, at.x());
            EXPECT_NEAR(at.y(), 5, 1e-3) << "its weight is carried";
            if (simulation.time() > 0.13) {
                EXPECT_NEAR(at.x(), 1, 0.06) << frameRate;
            }
        }
        EXPECT_LE(farthest, 1 + 1e-9) << frameRate;
    }
}

TEST(Pull, EndsWithItsPathAndTheBodyFlies) {
    SimulationSetup setup;
    setup.bodies.push_back(ball("ball", 0.2, {0, 5, 0}, {0, 0, 0}));
    setup.actions.push_back({"ball", straightPull({0, 0, 0}, {0, 5, 0}, {6, 5, 0}, 0, 1)});
    Simulation simulation(setup);
    while (simulation.time() < 0.99) simulation.step();
    EXPECT_NEAR(simulation.state(BodySerial{0}).velocity.x(), 6, 1e-3) << "thrown as fast as it was pulled";
    const double height = simulation.state(BodySerial{0}).centre.y();
    StepReport report;
    for (int i = 0; i < 30; ++i) report = simulation.step();
    EXPECT_EQ(report.workOfActions, 0);
    EXPECT_NEAR(simulation.state(BodySerial{0}).velocity.x(), 6, 1e-3);
    EXPECT_NEAR(simulation.state(BodySerial{0}).centre.y(), height - 0.5 * 9.81, 0.2);
}

/// What hangs from a hand for long is held, not asleep: it falls when it is let go.
TEST(Pull, HeldForLongItStillFalls) {
    SimulationSetup setup;
    setup.bodies.push_back(box("block", {0.4, 0.6, 0.3}, {0, 9, 0}));
    setup.actions.push_back({"block", straightPull({0, 0.3, 0}, {0, 9.3, 0}, {0, 9.3, 0}, 0, 20)});
    Simulation simulation(setup);
    while (simulation.time() < 19.9) simulation.step();
    EXPECT_NEAR(simulation.state(BodySerial{0}).centre.y(), 9, 1e-3);
    while (simulation.time() < 21) simulation.step();
    EXPECT_LT(simulation.state(BodySerial{0}).centre.y(), 6);
}

TEST(Pull, AgainstTheGroundPressesAndDoesNotExplode) {
    for (const double mass : {1e-3, 1e5}) {
        SimulationSetup setup;
        setup.bodies.push_back(ground());
        setup.bodies.push_back(box("block", {0.4, 0.6, 0.3}, {0, 0.3, 0}));
        setup.bodies[1].options.mass = mass;
        setup.actions.push_back({"block", straightPull({0.2, 0.3, 0.15}, {0, 0, 0}, {1, -2, 0}, 0, 2)});
        Simulation simulation(setup);
        for (int i = 0; i < 120; ++i) {
            const StepReport report = simulation.step();
            const dynamics::BodyState state = simulation.state(BodySerial{1});
            EXPECT_LT(state.centre.norm(), 4) << "frame " << report.frame << ", kg: " << mass;
            EXPECT_GT(state.centre.y(), 0.1) << "frame " << report.frame << ", kg: " << mass;
        }
    }
}

TEST(Pull, AnAnchoredBodyComesLooseWhenPulledHardEnough) {
    SimulationSetup setup = inSpace(box("block", {1, 1, 1}, {0, 0, 0}));
    setup.bodies[0].options.mass = 10;
    setup.bodies[0].options.anchor = 40;
    setup.actions.push_back({"block", straightPull({0, 0, 0}, {0, 0, 0}, {2, 0, 0}, 0, 4)});
    Simulation simulation(setup);
    std::optional<double> loose;
    for (int i = 0; i < 60; ++i) {
        const StepReport report = simulation.step();
        if (!report.letGo.empty()) loose = simulation.time();
        if (!loose) {
            EXPECT_TRUE(simulation.state(BodySerial{0}).centre.isZero());
        }
    }
    ASSERT_TRUE(loose.has_value());
    EXPECT_GT(*loose, 0.2);
}

/// The hand keeps the piece it holds.
TEST(Pull, GoesOnWithTheFragmentThatHasThePoint) {
    SimulationSetup setup = ballThroughWall(10);
    setup.world.gravity = Vec3::Zero();
    const Vec3 corner(-1.5, 1, 0.1);
    setup.actions.push_back({"wall", straightPull(corner, Vec3(0, 1, 0) + corner, Vec3(-3, 4, 0), 0, 2)});
    Simulation simulation(setup);
    std::vector<BodyFacts> born;
    while (simulation.time() < 1.9) {
        const StepReport report = simulation.step();
        born.insert(born.end(), report.born.begin(), report.born.end());
    }
    ASSERT_EQ(born.size(), 10u);
    double held = 1e9;
    for (const BodyFacts& piece : born) {
        double nearest = 1e9;
        for (const Vec3& vertex : piece.mesh()->positions) nearest = std::min(nearest, (vertex - corner).norm());
        if (nearest > 1e-9) continue;
        const Vec3 target =
            Vec3(0, 1, 0) + corner + 0.5 * simulation.time() * (Vec3(-3, 4, 0) - Vec3(0, 1, 0) - corner);
        held = (simulation.state(piece.serial).pose * corner - target).norm();
    }
    EXPECT_LT(held, 0.05);
}

SimulationSetup handsInRain() {
    SimulationSetup setup = breakingRain();
    setup.actions.push_back({"box0", PushAction{0.1, {20, 0, 5}, {}}});
    setup.actions.push_back({"box0/p1", PlaceAction{0.5, Vec3(0, 2, 0), {}, {}, Vec3(1, 2, 3)}});
    setup.actions.push_back(
        {"box2", PullAction{{0.2, 0.25, 0.15}, {{0.2, {1, 1, 0}}, {0.4, {1, 2, 0}}, {0.9, {3, 1, 1}}}}});
    return setup;
}

std::vector<uint64_t> hashesOf(const SimulationSetup& setup, int frames) {
    Simulation simulation(setup);
    std::vector<uint64_t> hashes;
    for (int i = 0; i < frames; ++i) {
        simulation.step();
        hashes.push_back(simulation.stateHash());
    }
    return hashes;
}

TEST(Actions, AreTheSameOnOneTwoAndFourThreads) {
    const auto hashes = [](int threads) {
        const ThreadLimit limit(threads);
        return hashesOf(handsInRain(), 35);
    };
    const std::vector<uint64_t> one = hashes(1);
    EXPECT_EQ(one, hashes(2));
    EXPECT_EQ(one, hashes(4));
    EXPECT_NE(one, hashesOf(breakingRain(), 35));
}

TEST(Actions, GoOnFromBytesInTheMiddleOfAPull) {
    const std::vector<uint64_t> scratch = hashesOf(handsInRain(), 35);
    Simulation running(handsInRain());
    std::map<BodySerial, GeometryPtr> geometries;
    for (size_t stop = 1; stop <= 28; ++stop) {
        for (const BodyFacts& born : running.step().born) geometries[born.serial] = born.geometry;
        if (stop % 9 != 0) continue;
        Simulation loaded =
            Simulation::load(handsInRain(), running.save(), [&](BodySerial serial) { return geometries.at(serial); });
        for (size_t i = stop; i < scratch.size(); ++i) {
            loaded.step();
            ASSERT_EQ(loaded.stateHash(), scratch[i]) << "from " << stop << ", frame " << i + 1;
        }
    }
}

/// As a hand draws it: the path grows by one point before each frame, and an action is told just before it is due.
TEST(Actions, APathDrawnLiveIsThePathKnownFromTheStart) {
    SimulationSetup setup = breakingRain();
    Simulation live(setup);
    for (int i = 0; i < 40; ++i) {
        SimulationSetup next = live.setup();
        const auto target = [&](double time) { return Vec3(std::sin(3 * time), 1 + time, 0); };
        const double end = live.time() + next.dt;
        if (i == 6)
            next.actions.push_back({"box2", PullAction{{0.2, 0.25, 0.15}, {{live.time(), target(live.time())}}}});
        if (i >= 6 && i < 25) {
            for (BodyAction& action : next.actions) {
                if (auto* pull = std::get_if<PullAction>(&action.what)) pull->path.push_back({end, target(end)});
            }
        }
        if (i == 20) next.actions.push_back({"box1", PushAction{live.time(), {0, 50, 0}, {}}});
        live.amend(next);
        live.step();
    }
    EXPECT_EQ(hashesOf(live.setup(), 40).back(), live.stateHash());
    SimulationSetup next = live.setup();
    for (BodyAction& action : next.actions) {
        if (auto* pull = std::get_if<PullAction>(&action.what)) pull->path.push_back({9, {0, 0, 0}});
    }
    EXPECT_THROW(live.amend(next), std::invalid_argument) << "it let go long ago";
}

}  // namespace
}  // namespace sunder::sim
