#include "dynamics/world.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "dynamics/detail/test_worlds.h"
#include "dynamics/free_rotation.h"

namespace sunder::dynamics {
namespace {

using namespace test_worlds;

// ids

TEST(WorldIds, SlotsAreReusedWithAnotherGeneration) {
    World world;
    const BodyId first = world.add({.shape = makeSphere(1)}), second = world.add({.shape = makeSphere(1)});
    EXPECT_NE(first, second);
    EXPECT_EQ(world.bodies(), (std::vector<BodyId>{first, second}));
    world.remove(first);
    EXPECT_FALSE(world.contains(first));
    EXPECT_TRUE(world.contains(second));
    const BodyId third = world.add({.shape = makeSphere(2)});
    EXPECT_EQ(third.index, first.index);
    EXPECT_NE(third.generation, first.generation);
    EXPECT_FALSE(world.contains(first));
    EXPECT_EQ(world.bodies(), (std::vector<BodyId>{third, second}));
    EXPECT_FALSE(world.contains(BodyId{}));
}

TEST(WorldIds, LowestFreeSlotComesFirst) {
    World world;
    std::vector<BodyId> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(world.add({.shape = makeSphere(1)}));
    for (const size_t i : {3u, 0u, 4u}) world.remove(ids[i]);
    for (const uint32_t expected : {0u, 3u, 4u, 6u}) {
        EXPECT_EQ(world.add({.shape = makeSphere(1)}).index, expected);
    }
}

TEST(WorldIds, StaleOnesThrow) {
    World world;
    const BodyId stale = world.add({.shape = makeSphere(1)});
    world.remove(stale);
    world.add({.shape = makeSphere(1)});
    for (const BodyId id : {stale, BodyId{}, BodyId{77, 0}}) {
        EXPECT_THROW(world.remove(id), std::out_of_range);
        EXPECT_THROW(world.state(id), std::out_of_range);
        EXPECT_THROW(world.shape(id), std::out_of_range);
        EXPECT_THROW(world.wake(id), std::out_of_range);
        EXPECT_THROW(world.setPose(id, {}), std::out_of_range);
        EXPECT_THROW(world.setVelocity(id, Vec3::Zero(), Vec3::Zero()), std::out_of_range);
        EXPECT_THROW(world.applyImpulse(id, Vec3::Zero(), Vec3::Zero()), std::out_of_range);
        EXPECT_THROW(world.replace(id, {}), std::out_of_range);
    }
    EXPECT_EQ(world.bodies().size(), 1u);
}

// wrong input

TEST(WorldInput, WrongOptionsGiveASentence) {
    World world;
    const ShapePtr ball = makeSphere(1);
    const auto said = [&](const BodyOptions& body, const std::string& word) {
        const std::string sentence = complaint([&] { world.add(body); });
        EXPECT_NE(sentence.find(word), std::string::npos) << "\"" << sentence << "\" should speak of " << word;
    };
    said({}, "shape");
    said({.shape = ball, .pose = at(kNaN, 0, 0)}, "pose");
    said({.shape = ball, .pose = {Quat(0, 0, 0, 0), Vec3::Zero()}}, "pose");
    said({.shape = ball, .velocity = Vec3(0, kNaN, 0)}, "velocit");
    said({.shape = ball, .angularVelocity = Vec3(0, 0, INFINITY)}, "velocit");
    said({.shape = makeHalfSpace()}, "half-space");
    said({.shape = ball, .density = 0}, "density");
    said({.shape = ball, .density = kNaN}, "density");
    said({.shape = ball, .mass = -2}, "-2");
    said({.shape = ball, .mass = INFINITY}, "mass");
    said({.shape = ball, .material = surface(-0.1)}, "friction");
    said({.shape = ball, .material = surface(kNaN)}, "friction");
    said({.shape = ball, .material = surface(0.5, 1.01)}, "1.01");
    said({.shape = ball, .anchor = -1}, "anchor");
    said({.shape = ball, .anchor = kNaN}, "anchor");
    said({.shape = ball, .motion = Motion{}}, "kinematic");
    EXPECT_TRUE(world.bodies().empty());
}

TEST(WorldInput, WrongStepsThrow) {
    World world;
    for (const double dt : {0.0, -kFrame, kNaN, double{INFINITY}}) EXPECT_THROW(world.step(dt), std::invalid_argument);
    EXPECT_EQ(world.time(), 0);
}

TEST(WorldInput, WrongWorldOptionsGiveASentence) {
    WorldOptions options;
    options.gravity = Vec3(0, kNaN, 0);
    EXPECT_NE(complaint([&] { World world(options); }).find("gravity"), std::string::npos);
    for (const int substeps : {0, -1}) {
        options = {};
        options.step.substeps = substeps;
        EXPECT_NE(complaint([&] { World world(options); }).find("substeps"), std::string::npos);
        World world;
        EXPECT_NE(complaint([&] { world.setOptions(options.step); }).find("substeps"), std::string::npos);
    }
}

TEST(WorldInput, NotANumberIsRefusedLaterToo) {
    World world;
    const BodyId ball = world.add({.shape = makeSphere(1)});
    const Vec3 bad(0, kNaN, 0), good = Vec3::Zero();
    EXPECT_THROW(world.setVelocity(ball, bad, good), std::invalid_argument);
    EXPECT_THROW(world.setVelocity(ball, good, bad), std::invalid_argument);
    EXPECT_THROW(world.applyImpulse(ball, bad, good), std::invalid_argument);
    EXPECT_THROW(world.applyImpulse(ball, Vec3::UnitX(), bad), std::invalid_argument);
    EXPECT_THROW(world.setPose(ball, {Quat::Identity(), bad}), std::invalid_argument);
    EXPECT_THROW(world.addField(UniformField{bad}), std::invalid_argument);
    EXPECT_THROW(world.explode({.centre = bad, .radius = 5, .impulse = 1}), std::invalid_argument);
    run(world, 1);
    EXPECT_TRUE(world.state(ball).centre.allFinite());
}

// replacing

TEST(WorldStep, SaysWhichBodyMovesBeyondAllNumbers) {
    World world;
    world.add({.shape = makeSphere(1)});
    const BodyId fast = world.add({.shape = makeSphere(1), .pose = at(9, 0, 0), .velocity = {1e170, 0, 0}});
    try {
        world.step(kFrame);
        FAIL() << "its kinetic energy is no number";
    } catch (const StepError& error) {
        EXPECT_EQ(error.body(), fast);
        EXPECT_NE(std::string(error.what()).find("no number"), std::string::npos) << error.what();
    }
}

TEST(WorldStep, RefusesACrowdBeforeItTakesAllMemory) {
    // forty million pairs; whom it blames does not depend on threads
    std::vector<BodyId> blamed;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        World world(weightless());
        addFloor(world);
        const ShapePtr ball = makeSphere(0.5);
        for (int i = 0; i < 9000; ++i) world.add({.shape = ball, .pose = at(0, 1 + 1e-5 * i, 0)});
        try {
            world.step(kFrame);
            FAIL();
        } catch (const StepError& error) {
            blamed.push_back(error.body());
            EXPECT_NE(std::string(error.what()).find("spread out"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(blamed[0], blamed[1]);
    EXPECT_EQ(blamed[0], blamed[2]);

    // fewer are near each other, but all of them touch
    World world(weightless());
    const ShapePtr ball = makeSphere(0.5);
    for (int i = 0; i < 800; ++i) world.add({.shape = ball, .pose = at(0, 1e-5 * i, 0)});
    EXPECT_NE(complaint([&] { world.step(kFrame); }).find("is among 799 others"), std::string::npos);
}

TEST(WorldReplace, IsOneTransactionInOrder) {
    World world(weightless());
    const BodyId before = world.add({.shape = makeSphere(1), .pose = at(9, 0, 0)});
    const BodyId parent = world.add({.shape = makeBox(Vec3::Ones())});
    const BodyId after = world.add({.shape = makeSphere(1), .pose = at(-9, 0, 0)});
    std::vector<BodyOptions> halves;
    for (const double x : {-0.25, 0.25}) halves.push_back({.shape = makeBox(Vec3(0.5, 1, 1)), .pose = at(x, 0, 0)});
    const std::vector<BodyId> ids = world.replace(parent, halves);
    ASSERT_EQ(ids.size(), 2u);
    EXPECT_FALSE(world.contains(parent));
    EXPECT_EQ(world.state(ids[0]).centre.x(), -0.25);
    EXPECT_EQ(world.state(ids[1]).centre.x(), 0.25);
    EXPECT_EQ(world.bodies(), (std::vector<BodyId>{before, ids[0], after, ids[1]}));
}

TEST(WorldReplace, AllOrNothing) {
    World world;
    const BodyId parent = world.add({.shape = makeBox(Vec3::Ones())});
    const uint64_t hash = world.stateHash();
    const std::vector<BodyOptions> fragments{{.shape = makeSphere(0.1)}, {.shape = makeSphere(0.1), .mass = 0}};
    EXPECT_THROW(world.replace(parent, fragments), std::invalid_argument);
    EXPECT_TRUE(world.contains(parent));
    EXPECT_EQ(world.stateHash(), hash);
}

TEST(WorldReplace, WakesWhatTouchedTheParent) {
    World world;
    addFloor(world);
    const BodyId lower = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0)});
    const BodyId upper = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 1.5, 0)});
    run(world, 90);
    ASSERT_TRUE(world.state(upper).asleep);
    const std::vector<BodyOptions> none;
    world.replace(lower, none);
    EXPECT_FALSE(world.state(upper).asleep);
    run(world, 60);
    EXPECT_NEAR(world.state(upper).centre.y(), 0.5, 0.005);
}

// impulses and motion

TEST(WorldMotion, ImpulseChangesVelocityAndSpin) {
    World world(weightless());
    const BodyId box = world.add({.shape = makeBox(Vec3(0.2, 0.4, 0.6)), .pose = at(1, 2, 3), .mass = 2});
    world.applyImpulse(box, Vec3(0, 3, 0), Vec3(1.1, 2, 3));
    const BodyState state = world.state(box);
    EXPECT_LT((state.velocity - Vec3(0, 1.5, 0)).norm(), 1e-12);
    EXPECT_LT((state.angularMomentum - Vec3(0, 0, 0.3)).norm(), 1e-12);
    EXPECT_NEAR(state.angularVelocity.z(), 0.3 / (2 * (0.04 + 0.16) / 12), 1e-9);
}

TEST(WorldMotion, FreeFallIsExact) {
    World world;
    const BodyId ball = world.add({.shape = makeSphere(0.1), .pose = at(0, 100, 0), .velocity = Vec3(3, 4, 0)});
    run(world, 90);
    EXPECT_NEAR(world.time(), 3, 1e-12);
    EXPECT_NEAR(world.state(ball).centre.x(), 9, 1e-9);
    EXPECT_NEAR(world.state(ball).centre.y(), 100 + 12 - 0.5 * 9.81 * 9, 1e-9);
    EXPECT_NEAR(world.state(ball).velocity.y(), 4 - 9.81 * 3, 1e-9);
}

TEST(WorldMotion, SetPoseMovesAndKeepsVelocity) {
    World world(weightless());
    const BodyId box = world.add({.shape = makeBox(Vec3(1, 2, 3)), .velocity = Vec3(1, 0, 0), .mass = 6});
    const RigidTransform pose{rotationBy(Vec3(0.1, 0.7, 0)), Vec3(5, 6, 7)};
    world.setPose(box, pose);
    EXPECT_LT((world.state(box).pose.translation - pose.translation).norm(), 1e-12);
    EXPECT_LT(world.state(box).pose.rotation.angularDistance(pose.rotation), 1e-7);
    run(world, 30);
    EXPECT_LT((world.state(box).centre - Vec3(6, 6, 7)).norm(), 1e-9);
}

TEST(WorldMotion, SetPoseLeavesOldContactsBehind) {
    World world(awake());
    addFloor(world);
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0)});
    run(world, 30);
    world.setPose(box, at(0, 10.5, 0));
    world.setVelocity(box, Vec3::Zero(), Vec3::Zero());
    run(world, 30);
    EXPECT_NEAR(world.state(box).centre.y(), 10.5 - 0.5 * 9.81, 1e-6);
    EXPECT_TRUE(world.contacts().empty());
}

TEST(WorldMotion, KinematicBodiesKnowTheirVelocity) {
    World world;
    const KeyframePath path{
        .keys = {{0, Vec3::Zero(), Quat::Identity()}, {2, Vec3(4, 0, 0), rotationBy(Vec3(0, 1, 0))}},
        .interpolation = Interpolation::Linear};
    const BodyId scripted =
        world.add({.shape = makeBox(Vec3::Ones()), .kind = BodyKind::Kinematic, .motion = Motion{path, {}, {}}});
    const BodyId steady = world.add({.shape = makeBox(Vec3::Ones()),
                                     .pose = at(0, 5, 0),
                                     .kind = BodyKind::Kinematic,
                                     .velocity = Vec3(0, 1, 0),
                                     .angularVelocity = Vec3(0, 0, 0.3)});
    run(world, 30);
    EXPECT_LT((world.state(scripted).centre - Vec3(2, 0, 0)).norm(), 1e-9);
    EXPECT_LT((world.state(scripted).velocity - Vec3(2, 0, 0)).norm(), 1e-9);
    EXPECT_LT((world.state(scripted).angularVelocity - Vec3(0, 0.5, 0)).norm(), 1e-9);
    EXPECT_LT((world.state(steady).centre - Vec3(0, 6, 0)).norm(), 1e-9);
    EXPECT_NEAR(rotationVector(world.state(steady).pose.rotation).z(), 0.3, 1e-9);
    world.setVelocity(steady, Vec3(0, 0, 2), Vec3::Zero());
    run(world, 30);
    EXPECT_LT((world.state(steady).centre - Vec3(0, 6, 2)).norm(), 1e-9);
}

TEST(WorldMotion, StaticBodiesStay) {
    World world;
    const BodyId wall =
        world.add({.shape = makeBox(Vec3::Ones()), .kind = BodyKind::Static, .velocity = Vec3(1, 1, 1)});
    world.setVelocity(wall, Vec3(1, 0, 0), Vec3::Zero());
    world.applyImpulse(wall, Vec3(1e6, 0, 0), Vec3::Zero());
    run(world, 10);
    EXPECT_EQ(world.state(wall).centre, Vec3::Zero());
    EXPECT_EQ(world.state(wall).velocity, Vec3::Zero());
}

// fields

TEST(WorldFields, UniformAddsToGravity) {
    World world;
    world.addField(UniformField{Vec3(2, 0, 0)});
    const BodyId ball = world.add({.shape = makeSphere(0.1)});
    run(world, 60);
    EXPECT_LT((world.state(ball).centre - Vec3(4, -2 * 9.81, 0)).norm(), 1e-9);
}

TEST(WorldFields, RadialFallsOffAndEnds) {
    for (const int falloff : {0, 1, 2, 3}) {
        World world(weightless());
        world.addField(RadialField{.centre = Vec3(1, 0, 0), .strength = -8, .falloff = falloff, .reach = 5});
        const BodyId near = world.add({.shape = makeSphere(0.1), .pose = at(1, 2, 0)});
        const BodyId far = world.add({.shape = makeSphere(0.1), .pose = at(1, 0, 5.1)});
        world.step(1e-3);
        EXPECT_NEAR(world.state(near).velocity.y(), -8e-3 / std::pow(2, falloff), 1e-9) << falloff;
        EXPECT_EQ(world.state(far).velocity, Vec3::Zero());
    }
}

TEST(WorldFields, RadialKeepsAnOrbit) {
    World world(weightless());
    world.addField(RadialField{.strength = -4, .falloff = 2});
    const BodyId moon = world.add({.shape = makeSphere(0.01), .pose = at(4, 0, 0), .velocity = Vec3(0, 1, 0)});
    const double period = 2 * M_PI * 4;
    run(world, static_cast<int>(std::lround(2 * period / kFrame)));
    EXPECT_NEAR(world.state(moon).centre.norm(), 4, 0.04);
}

TEST(WorldFields, LinearDragFollowsTheExponential) {
    World world(weightless());
    world.addField(DragField{.linear = 1.5, .angular = 2, .wind = Vec3(0, 0, 1)});
    const BodyId ball =
        world.add({.shape = makeSphere(0.1), .velocity = Vec3(10, 0, 0), .angularVelocity = Vec3(0, 5, 0)});
    run(world, 30);
    EXPECT_NEAR(world.state(ball).velocity.x() / (10 * std::exp(-1.5)), 1, 0.05);
    EXPECT_NEAR(world.state(ball).velocity.z() / (1 - std::exp(-1.5)), 1, 0.05);
    EXPECT_NEAR(world.state(ball).angularVelocity.y() / (5 * std::exp(-2)), 1, 0.08);
}

TEST(WorldFields, QuadraticDragHasATerminalSpeed) {
    World world;
    world.addField(DragField{.quadratic = 0.1});
    const BodyId ball = world.add({.shape = makeSphere(0.1)});
    run(world, 300);
    EXPECT_NEAR(world.state(ball).velocity.y(), -std::sqrt(9.81 / 0.1), 1e-3);
}

TEST(WorldFields, StrongDragOnlyStops) {
    for (const DragField& drag :
         {DragField{.linear = 500, .angular = 500}, DragField{.quadratic = 50, .angular = 90}}) {
        World world(weightless());
        world.addField(drag);
        const BodyId ball =
            world.add({.shape = makeSphere(0.1), .velocity = Vec3(20, 0, 0), .angularVelocity = Vec3(0, 9, 0)});
        double speed = 20, spin = 9;
        for (int frame = 0; frame < 30; ++frame) {
            world.step(kFrame);
            const BodyState state = world.state(ball);
            ASSERT_LE(std::abs(state.velocity.x()), speed) << "frame " << frame;
            ASSERT_GE(state.velocity.x(), -1e-9) << "frame " << frame;
            ASSERT_LE(std::abs(state.angularVelocity.y()), spin) << "frame " << frame;
            speed = std::abs(state.velocity.x());
            spin = std::abs(state.angularVelocity.y());
        }
        EXPECT_LT(speed, 1);
    }
}

TEST(WorldFields, ExplosionPushesAway) {
    World world(weightless());
    const BodyId near = world.add({.shape = makeSphere(0.1), .pose = at(1, 0, 0), .mass = 2});
    const BodyId far = world.add({.shape = makeSphere(0.1), .pose = at(0, 4.5, 0), .mass = 2});
    const BodyId wall = world.add({.shape = makeSphere(0.1), .pose = at(0, 0, 1), .kind = BodyKind::Static});
    world.explode({.radius = 4, .impulse = 8});
    EXPECT_LT((world.state(near).velocity - Vec3(8 * 0.75 / 2, 0, 0)).norm(), 1e-12);
    EXPECT_LT(world.state(near).angularVelocity.norm(), 1e-12);
    EXPECT_EQ(world.state(far).velocity, Vec3::Zero());
    EXPECT_EQ(world.state(wall).velocity, Vec3::Zero());
}

// groups

TEST(WorldGroups, BothMustAgree) {
    struct Row {
        uint32_t groupA, withA, groupB, withB;
        bool touch;
    };
    for (const Row& row : {Row{1, ~0u, 1, ~0u, true}, Row{1, 2, 2, 1, true}, Row{1, 2, 2, 4, false},
                           Row{1, 4, 2, 1, false}, Row{1, ~0u, 2, ~1u, false}, Row{3, 4, 4, 2, true}}) {
        World world;
        world.add({.shape = makeHalfSpace(), .kind = BodyKind::Static, .group = row.groupA, .collidesWith = row.withA});
        const BodyId ball = world.add(
            {.shape = makeSphere(0.5), .pose = at(0, 0.5, 0), .group = row.groupB, .collidesWith = row.withB});
        run(world, 30);
        EXPECT_NEAR(world.state(ball).centre.y(), row.touch ? 0.5 : 0.5 - 0.5 * 9.81, 1e-3)
            << row.groupA << row.withA << row.groupB << row.withB;
    }
}

// anchors

struct Target {
    World world{weightless()};
    BodyId box, ball;
    double momentum = 0;  // kg m/s, that a full stop of the ball takes

    Target(double anchor, double speed, double restitution = 0) {
        box = world.add(
            {.shape = makeBox(Vec3::Ones()), .mass = 5, .material = surface(0, restitution), .anchor = anchor});
        ball = world.add({.shape = makeSphere(0.2),
                          .pose = at(-1, 0, 0),
                          .velocity = Vec3(speed, 0, 0),
                          .mass = 2,
                          .material = surface(0, restitution)});
        momentum = 2 * speed;
    }
};

TEST(WorldAnchors, HoldBelowTheLimit) {
    Target target(6.2, 3, 0);  // 6 N s stop the ball
    for (int frame = 0; frame < 60; ++frame) EXPECT_TRUE(target.world.step(kFrame).released.empty());
    EXPECT_EQ(target.world.state(target.box).centre, Vec3::Zero());
    EXPECT_EQ(target.world.state(target.box).velocity, Vec3::Zero());
    EXPECT_NEAR(target.world.state(target.ball).velocity.x(), 0, 1e-3);
}

TEST(WorldAnchors, HeldBodiesReflectLikeWalls) {
    Target target(12.2, 3, 1);  // 12 N s turn it round
    run(target.world, 30);
    EXPECT_EQ(target.world.state(target.box).centre, Vec3::Zero());
    EXPECT_NEAR(target.world.state(target.ball).velocity.x(), -3, 1e-3);
}

TEST(WorldAnchors, GiveWayAboveTheLimitAndMomentumIsKept) {
    for (const double restitution : {0.0, 1.0}) {
        Target target(5.8, 3, restitution);
        std::vector<BodyId> released;
        for (int frame = 0; frame < 60; ++frame) {
            for (const BodyId id : target.world.step(kFrame).released) released.push_back(id);
        }
        EXPECT_EQ(released, std::vector<BodyId>{target.box});
        const double ball = target.world.state(target.ball).velocity.x(),
                     box = target.world.state(target.box).velocity.x();
        EXPECT_NEAR(2 * ball + 5 * box, 6, 1e-4);  // what a first touch gave before it gave way is the anchor's
        EXPECT_NEAR(box - ball, 3 * restitution, 0.01);
    }
}

TEST(WorldAnchors, CarryALoadThatIsLightEnough) {
    const double weightOfFrame = 10 * 9.81 * kFrame;  // N s
    for (const double share : {0.9, 1.1}) {
        World world(awake());
        const BodyId shelf = world.add({.shape = makeBox(Vec3(1, 0.1, 1)), .anchor = weightOfFrame / share});
        const BodyId load = world.add({.shape = makeBox(Vec3::Constant(0.2)), .pose = at(0, 0.15, 0), .mass = 10});
        run(world, 60);
        const bool holds = share < 1;
        EXPECT_EQ(world.state(shelf).centre.y() == 0, holds) << share;
        EXPECT_EQ(std::abs(world.state(load).centre.y() - 0.15) < 0.01, holds) << share;
    }
}

TEST(WorldAnchors, ApplyImpulseAsksTheLimitToo) {
    World world(weightless());
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .mass = 1, .anchor = 2});
    world.applyImpulse(box, Vec3(1.9, 0, 0), Vec3::Zero());
    EXPECT_EQ(world.state(box).velocity, Vec3::Zero());
    world.applyImpulse(box, Vec3(2.1, 0, 0), Vec3::Zero());
    EXPECT_NEAR(world.state(box).velocity.x(), 2.1, 1e-12);
}

}  // namespace
}  // namespace sunder::dynamics
