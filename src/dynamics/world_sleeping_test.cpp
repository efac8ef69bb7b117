#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dynamics/detail/test_worlds.h"
#include "dynamics/free_rotation.h"
#include "dynamics/world.h"

namespace sunder::dynamics {
namespace {

using namespace test_worlds;

// sleeping

struct Sleepers {
    World world;
    BodyId floor, lower, upper, aside;
    Sleepers() {
        floor = addFloor(world);
        const ShapePtr box = makeBox(Vec3::Ones());
        lower = world.add({.shape = box, .pose = at(0, 0.5, 0)});
        upper = world.add({.shape = box, .pose = at(0, 1.5, 0)});
        aside = world.add({.shape = box, .pose = at(5, 0.5, 0)});
        run(world, 90);
    }
    bool allAsleep() const {
        return world.state(lower).asleep && world.state(upper).asleep && world.state(aside).asleep;
    }
};

TEST(WorldSleeping, RestingBodiesSleepAndStay) {
    Sleepers s;
    ASSERT_TRUE(s.allAsleep());
    const Vec3 place = s.world.state(s.upper).centre;
    run(s.world, 30);
    EXPECT_EQ(s.world.state(s.upper).centre, place);
    EXPECT_EQ(s.world.state(s.upper).velocity, Vec3::Zero());
}

TEST(WorldSleeping, RemovalWakesWhatLayOnIt) {
    Sleepers s;
    s.world.remove(s.lower);
    run(s.world, 60);
    EXPECT_NEAR(s.world.state(s.upper).centre.y(), 0.5, 0.005);
    EXPECT_TRUE(s.world.state(s.aside).asleep);
}

TEST(WorldSleeping, RemovalOfTheLastSleeperLeavesNothingBehind) {
    World world;
    addFloor(world);
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0)});
    for (int frame = 0; frame < 90 && !world.state(box).asleep; ++frame) world.step(kFrame);
    ASSERT_TRUE(world.state(box).asleep);
    world.remove(box);
    const StepResult result = world.step(kFrame);  // nothing moves, and what touched is gone
    EXPECT_EQ(result.counters.manifolds, 0u);
    EXPECT_TRUE(world.contacts().empty());
}

TEST(WorldSleeping, RemovalOfTheFloorWakesAll) {
    Sleepers s;
    s.world.remove(s.floor);
    run(s.world, 30);
    for (const BodyId id : {s.lower, s.upper, s.aside}) EXPECT_LT(s.world.state(id).centre.y(), -3);
}

TEST(WorldSleeping, AMovedSupportWakesWhatLayOnIt) {
    Sleepers s;
    s.world.setPose(s.lower, at(-5, 0.5, 0));
    run(s.world, 60);
    EXPECT_NEAR(s.world.state(s.upper).centre.y(), 0.5, 0.005);
}

TEST(WorldSleeping, ABlowWakesAndPasses) {
    Sleepers s;
    s.world.add({.shape = makeSphere(0.3), .pose = at(-3, 0.5, 0), .velocity = Vec3(30, 0, 0), .density = 7800});
    run(s.world, 10);
    EXPECT_FALSE(s.world.state(s.lower).asleep);
    EXPECT_GT(s.world.state(s.lower).centre.x(), 0.05);
}

TEST(WorldSleeping, ForcesWake) {
    Sleepers s;
    s.world.applyImpulse(s.aside, Vec3(0, 2e4, 0), s.world.state(s.aside).centre);
    run(s.world, 5);
    EXPECT_GT(s.world.state(s.aside).centre.y(), 1);
    EXPECT_TRUE(s.world.state(s.lower).asleep);
    s.world.addField(UniformField{Vec3(0, 30, 0)});
    run(s.world, 30);
    EXPECT_GT(s.world.state(s.lower).centre.y(), 5);
}

TEST(WorldSleeping, AnExplosionWakes) {
    Sleepers s;
    s.world.explode({.centre = Vec3(0, 0.1, 0), .radius = 3, .impulse = 1e5});
    run(s.world, 5);
    EXPECT_GT(s.world.state(s.upper).centre.y(), 1.6);
    EXPECT_TRUE(s.world.state(s.aside).asleep);
}

TEST(WorldSleeping, AStartingMachineWakesItsLoad) {
    World world;
    const BodyId lift = world.add({.shape = makeBox(Vec3(2, 0.2, 2)), .kind = BodyKind::Kinematic});
    const BodyId load = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.6, 0)});
    run(world, 90);
    ASSERT_TRUE(world.state(load).asleep);
    world.setVelocity(lift, Vec3(0, 1, 0), Vec3::Zero());
    run(world, 60);
    EXPECT_NEAR(world.state(load).centre.y(), 2.6, 0.01);
}

TEST(WorldSleeping, ABodyBornAsleepHangsUntilHit) {
    World world;
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 5, 0), .asleep = true});
    run(world, 30);
    EXPECT_EQ(world.state(box).centre.y(), 5);
    world.add({.shape = makeSphere(0.3), .pose = at(0, 7, 0), .velocity = Vec3(0, -5, 0)});
    run(world, 30);
    EXPECT_LT(world.state(box).centre.y(), 3);
}

// every part can be switched off

TEST(WorldSwitches, WithoutFrictionNothingSticks) {
    WorldOptions options = awake();
    options.step.friction = false;
    World world(options);
    addFloor(world);
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0), .velocity = Vec3(2, 0, 0)});
    run(world, 60);
    EXPECT_NEAR(world.state(box).centre.x(), 4, 1e-3);
}

TEST(WorldSwitches, WithoutRestitutionNothingBounces) {
    for (const bool restitution : {true, false}) {
        WorldOptions options = awake();
        options.step.restitution = restitution;
        World world(options);
        addFloor(world, surface(0.5, 1));
        const BodyId ball = world.add({.shape = makeSphere(0.5), .pose = at(0, 2.5, 0), .material = surface(0.5, 1)});
        run(world, 20);
        double highest = 0;
        for (int frame = 0; frame < 40; ++frame) {
            world.step(kFrame);
            highest = std::max(highest, world.state(ball).centre.y());
        }
        if (restitution) {
            EXPECT_NEAR(highest, 2.5, 0.02);
        } else {
            EXPECT_LT(highest, 0.51);
        }
    }
}

TEST(WorldSwitches, WithoutContinuousCollisionFastBodiesPass) {
    for (const bool continuous : {true, false}) {
        WorldOptions options = weightless();
        options.step.continuous = continuous;
        World world(options);
        world.add({.shape = makeBox(Vec3(0.02, 2, 2)), .kind = BodyKind::Static});
        const BodyId ball = world.add({.shape = makeSphere(0.05), .pose = at(-5, 0, 0), .velocity = Vec3(100, 0, 0)});
        run(world, 10);
        EXPECT_EQ(world.state(ball).centre.x() < 0, continuous);
    }
}

TEST(WorldSwitches, WithoutConservingRotationEnergyDrifts) {
    const auto drift = [](bool conserving) {
        WorldOptions options = weightless();
        options.step.conservingRotation = conserving;
        World world(options);
        const BodyId box = world.add({.shape = makeBox(Vec3(0.1, 0.5, 1)), .angularVelocity = Vec3(1, 15, 2)});
        const auto energy = [&] {
            return 0.5 * world.state(box).angularMomentum.dot(world.state(box).angularVelocity);
        };
        const double start = energy();
        double worst = 0;
        for (int frame = 0; frame < 300; ++frame) {
            world.step(kFrame);
            worst = std::max(worst, std::abs(energy() / start - 1));
        }
        return worst;
    };
    EXPECT_LT(drift(true), 1e-9);
    EXPECT_GT(drift(false), 0.01);
}

TEST(WorldSwitches, WithoutDepenetrationOverlapsStay) {
    for (const bool depenetrate : {true, false}) {
        WorldOptions options = weightless();
        options.step.depenetrate = depenetrate;
        options.step.sleeping = false;
        World world(options);
        const BodyId left = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(-0.49, 0, 0)});
        const BodyId right = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(5, 0, 0)});
        run(world, 2);
        world.setPose(right, at(0.49, 0, 0));
        run(world, 60);
        const double overlap = 1 - (world.state(right).centre.x() - world.state(left).centre.x());
        if (depenetrate) {
            EXPECT_LT(overlap, 0.005);
        } else {
            EXPECT_NEAR(overlap, 0.02, 1e-6);
        }
        EXPECT_LT(world.state(left).velocity.norm() + world.state(right).velocity.norm(), 1e-6);
    }
}

TEST(WorldSwitches, OverlapFromBirthIsLeftAlone) {
    World world(weightless());
    const BodyId left = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(-0.49, 0, 0)});
    const BodyId right = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0.49, 0, 0)});
    run(world, 60);
    for (const BodyId id : {left, right}) {
        EXPECT_LE(std::abs(world.state(id).centre.x()), 0.51);
        EXPECT_EQ(world.state(id).velocity, Vec3::Zero());
    }
}

}  // namespace
}  // namespace sunder::dynamics
