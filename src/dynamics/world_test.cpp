#include "dynamics/world.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dynamics/free_rotation.h"

namespace sunder::dynamics {
namespace {

constexpr double kFrame = 1.0 / 30;  // s
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RigidTransform at(double x, double y, double z) { return {Quat::Identity(), Vec3(x, y, z)}; }

ContactMaterial surface(double friction, double restitution = 0) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

WorldOptions weightless() {
    WorldOptions options;
    options.gravity = Vec3::Zero();
    return options;
}

WorldOptions awake() {
    WorldOptions options;
    options.step.sleeping = false;
    return options;
}

BodyId addFloor(World& world, const ContactMaterial& material = {}) {
    return world.add({.shape = makeHalfSpace(), .kind = BodyKind::Static, .material = material});
}

void run(World& world, int frames) {
    for (int i = 0; i < frames; ++i) world.step(kFrame);
}

/// What it says when asked for something wrong.
template <class Action>
std::string complaint(Action&& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

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
    said({.shape = ball, .motion = [](double) { return RigidTransform(); }}, "kinematic");
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
    const BodyId scripted =
        world.add({.shape = makeBox(Vec3::Ones()), .kind = BodyKind::Kinematic, .motion = [](double time) {
                       return RigidTransform{rotationBy(Vec3(0, 0.5 * time, 0)), Vec3(2 * time, 0, 0)};
                   }});
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

// what touched

TEST(WorldImpacts, ALandingBallGivesItsMomentumAndWeight) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
        World world(awake());
        const BodyId floor = addFloor(world, surface(0.5, restitution));
        const double drop = 1;
        const BodyId ball = world.add({.shape = makeSphere(0.1),
                                       .pose = at(0.3, 0.1 + drop, 0),
                                       .mass = 1,
                                       .material = surface(0.5, restitution)});
        double sum = 0, approach = 0;
        for (int frame = 0; frame < 30; ++frame) {
            world.step(kFrame);
            for (const Impact& impact : world.impacts()) {
                EXPECT_EQ(impact.a, floor);
                EXPECT_EQ(impact.b, ball);
                EXPECT_LT((impact.normal - Vec3::UnitY()).norm(), 1e-6);
                EXPECT_NEAR(impact.impulse.y(), impact.normalImpulse, 1e-6);
                EXPECT_LT(Vec3(impact.impulse.x(), 0, impact.impulse.z()).norm(), 1e-5);
                EXPECT_NEAR(impact.point.x(), 0.3, 1e-3);
                EXPECT_NEAR(impact.point.y(), 0, 0.01);
                sum += impact.normalImpulse;
                approach = std::max(approach, impact.approachSpeed);
            }
        }
        // m v after = impulses - m g t
        EXPECT_NEAR(sum, world.state(ball).velocity.y() + 9.81 * 1, 1e-4) << restitution;
        EXPECT_NEAR(approach, std::sqrt(2 * 9.81 * drop), 9.81 * kFrame) << restitution;
    }
}

TEST(WorldImpacts, OneFrameOfALanding) {
    // falls for half a frame, then lies: m v + m g t with t the other half of the frame
    World world(awake());
    addFloor(world);
    const double speed = 3, way = speed * 0.5 * kFrame + 0.5 * 9.81 * 0.25 * kFrame * kFrame;
    world.add({.shape = makeSphere(0.1), .pose = at(0, 0.1 + way, 0), .velocity = Vec3(0, -speed, 0), .mass = 1});
    world.step(kFrame);
    ASSERT_EQ(world.impacts().size(), 1u);
    const Impact impact = world.impacts()[0];
    EXPECT_NEAR(impact.normalImpulse, speed + 9.81 * kFrame, 1e-3);
    EXPECT_NEAR(impact.approachSpeed, speed + 0.5 * 9.81 * kFrame, 0.5 * 9.81 * kFrame);
    EXPECT_NEAR(impact.time, 0.5 * kFrame, kFrame / 8);
    EXPECT_EQ(world.impacts(2.9).size(), 1u);
    EXPECT_TRUE(world.impacts(4).empty());
}

TEST(WorldImpacts, TwoBallsInSpace) {
    World world(weightless());
    for (const double side : {-1.0, 1.0}) {
        world.add({.shape = makeSphere(0.1),
                   .pose = at(0.15 * side, 0, 0),
                   .velocity = Vec3(-6 * side, 0, 0),
                   .mass = side < 0 ? 1 : 3,
                   .material = surface(0, 1)});
    }
    world.step(kFrame);
    ASSERT_EQ(world.impacts().size(), 1u);
    const Impact impact = world.impacts()[0];
    const double reduced = 1 * 3 / 4.0;
    EXPECT_NEAR(impact.normalImpulse, 2 * reduced * 12, 1e-3);
    EXPECT_LT((impact.impulse - Vec3(2 * reduced * 12, 0, 0)).norm(), 1e-3);
    EXPECT_NEAR(impact.approachSpeed, 12, 1e-3);
    EXPECT_LT(impact.a, impact.b);
}

TEST(WorldImpacts, FrictionIsPartOfTheImpulse) {
    World world(awake());
    addFloor(world, surface(0.5));
    world.add({.shape = makeBox(Vec3::Constant(0.2)),
               .pose = at(0, 0.1, 0),
               .velocity = Vec3(5, 0, 0),
               .mass = 4,
               .material = surface(0.5)});
    run(world, 5);
    Vec3 sum = Vec3::Zero();
    for (const Impact& impact : world.impacts()) sum += impact.impulse;
    EXPECT_NEAR(sum.y(), 4 * 9.81 * kFrame, 1e-3);
    EXPECT_NEAR(sum.x(), -0.5 * 4 * 9.81 * kFrame, 1e-3);
}

TEST(WorldContacts, ARestingBoxStandsOnFourPoints) {
    World world(awake());
    const BodyId floor = addFloor(world);
    const BodyId box = world.add({.shape = makeBox(Vec3(0.4, 0.2, 0.6)), .pose = at(1, 0.1, 2), .mass = 4});
    run(world, 30);
    const std::vector<Contact> contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].a, floor);
    EXPECT_EQ(contacts[0].b, box);
    ASSERT_EQ(contacts[0].count, 4);
    EXPECT_LT((contacts[0].normal - Vec3::UnitY()).norm(), 1e-6);
    double sum = 0;
    for (size_t i = 0; i < 4; ++i) {
        sum += contacts[0].impulse[i];
        EXPECT_NEAR(contacts[0].impulse[i], 9.81 * kFrame, 0.1 * 9.81 * kFrame);
        EXPECT_NEAR(contacts[0].separation[i], 0, 1e-3);
        EXPECT_NEAR(std::abs(contacts[0].points[i].x() - 1), 0.2, 1e-3);
        EXPECT_NEAR(std::abs(contacts[0].points[i].z() - 2), 0.3, 1e-3);
        EXPECT_NEAR(contacts[0].points[i].y(), 0, 1e-3);
    }
    EXPECT_NEAR(sum, 4 * 9.81 * kFrame, 1e-3);
}

TEST(WorldContacts, AreInOrderAndCarryTheWeightAbove) {
    World world(awake());
    addFloor(world);
    for (int i = 0; i < 5; ++i)
        world.add({.shape = makeBox(Vec3::Constant(0.3)), .pose = at(0, 0.15 + 0.3 * i, 0), .mass = 2});
    run(world, 60);
    const std::vector<Contact> contacts = world.contacts();
    ASSERT_EQ(contacts.size(), 5u);
    for (size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(contacts[i].a.index, i);
        EXPECT_EQ(contacts[i].b.index, i + 1);
        double sum = 0;
        for (size_t k = 0; k < static_cast<size_t>(contacts[i].count); ++k) sum += contacts[i].impulse[k];
        const double weight = 2 * 9.81 * kFrame * static_cast<double>(5 - i);
        EXPECT_NEAR(sum / weight, 1, 0.01) << i;
    }
}

TEST(WorldContacts, SurviveTheRemovalOfABody) {
    World world(awake());
    addFloor(world);
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0)});
    run(world, 10);
    world.remove(box);
    EXPECT_TRUE(world.contacts().empty());
    EXPECT_TRUE(world.impacts().empty());
    // the slot's next owner has nothing to do with what the last one touched
    world.add({.shape = makeSphere(0.1), .pose = at(0, 50, 0)});
    EXPECT_TRUE(world.contacts().empty());
    EXPECT_TRUE(world.impacts().empty());
}

// questions

TEST(WorldQueries, ARayMeetsTheNearestBody) {
    World world;
    const BodyId floor = addFloor(world);
    const BodyId ball = world.add({.shape = makeSphere(0.5), .pose = at(0, 2, 0), .group = 2});
    const BodyId box = world.add(
        {.shape = makeBox(Vec3(1, 0.2, 1)), .pose = {rotationBy(Vec3(0, 0.4, 0)), Vec3(0, 4, 0)}, .group = 4});
    // the direction need not be a unit
    const auto down = world.castRay(Vec3(0.1, 10, 0), Vec3(0, -3, 0), 100);
    ASSERT_TRUE(down);
    EXPECT_EQ(down->body, box);
    EXPECT_NEAR(down->distance, 5.9, 1e-6);
    EXPECT_LT((down->point - Vec3(0.1, 4.1, 0)).norm(), 1e-6);
    EXPECT_LT((down->normal - Vec3::UnitY()).norm(), 1e-6);
    const auto toBall = world.castRay(Vec3(0.3, 10, 0), Vec3(0, -1, 0), 100, ~4u);
    ASSERT_TRUE(toBall);
    EXPECT_EQ(toBall->body, ball);
    EXPECT_NEAR(toBall->distance, 8 - 0.4, 1e-6);
    EXPECT_LT((toBall->normal - Vec3(0.6, 0.8, 0)).norm(), 1e-6);
    const auto toFloor = world.castRay(Vec3(5, 3, 0), Vec3(4, -3, 0), 100);
    ASSERT_TRUE(toFloor);
    EXPECT_EQ(toFloor->body, floor);
    EXPECT_NEAR(toFloor->distance, 5, 1e-6);
    EXPECT_FALSE(world.castRay(Vec3(5, 3, 0), Vec3(4, -3, 0), 4.99));
    EXPECT_FALSE(world.castRay(Vec3(5, 3, 0), Vec3(0, 1, 0), 100));
    EXPECT_THROW(world.castRay(Vec3(5, 3, 0), Vec3::Zero(), 100), std::invalid_argument);
    EXPECT_THROW(world.castRay(Vec3(5, kNaN, 0), Vec3::UnitX(), 100), std::invalid_argument);
}

TEST(WorldQueries, ARaySeesBodiesWhereTheyAreNow) {
    World world(weightless());
    const BodyId ball = world.add({.shape = makeSphere(0.5), .velocity = Vec3(3, 0, 0)});
    run(world, 30);
    EXPECT_FALSE(world.castRay(Vec3(0, 5, 0), Vec3(0, -1, 0), 100));
    EXPECT_TRUE(world.castRay(Vec3(3, 5, 0), Vec3(0, -1, 0), 100));
    world.remove(ball);
    EXPECT_FALSE(world.castRay(Vec3(3, 5, 0), Vec3(0, -1, 0), 100));
}

TEST(WorldQueries, OverlappingBodiesInOrder) {
    World world;
    const BodyId floor = addFloor(world);
    const BodyId ball = world.add({.shape = makeSphere(0.5), .pose = at(0, 2, 0), .group = 2});
    const BodyId box = world.add({.shape = makeBox(Vec3::Ones()), .pose = at(1.4, 2, 0)});
    const ShapePtr probe = makeSphere(0.5);
    EXPECT_EQ(world.overlapping(*probe, at(0.7, 2, 0)), (std::vector<BodyId>{ball, box}));
    EXPECT_EQ(world.overlapping(*probe, at(0.7, 2, 0), 1), (std::vector<BodyId>{box}));
    EXPECT_EQ(world.overlapping(*probe, at(0, 0.49, 0)), (std::vector<BodyId>{floor}));
    EXPECT_TRUE(world.overlapping(*probe, at(0, 0.51, 9)).empty());
    // boxes around them overlap, they do not
    EXPECT_TRUE(world.overlapping(*probe, at(-0.75, 2.75, 0)).empty());
    EXPECT_EQ(world.overlapping(*makeBox(Vec3(9, 9, 9)), at(0, 4, 0)), (std::vector<BodyId>{floor, ball, box}));
}

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
