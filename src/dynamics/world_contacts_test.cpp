#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamics/detail/narrow/test_solids.h"
#include "dynamics/detail/test_worlds.h"
#include "dynamics/free_rotation.h"
#include "dynamics/world.h"

namespace sunder::dynamics {
namespace {

using namespace test_worlds;

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

/// A ball of 1 to 5 cm thrown at the middle of a pane that is thinner than the way of a pass, from several distances:
/// how far in front of the pane's middle it is at last, m, the least of all.
double leastBeforePane(const ShapePtr& pane, BodyKind kind) {
    double least = std::numeric_limits<double>::infinity();
    for (const double radius : {0.01, 0.02, 0.05}) {
        for (const double speed : {15.0, 40.0, 80.0, 150.0}) {
            for (const double distance : {0.1, 0.7, 1.2, 1.31}) {
                World world(weightless());
                const BodyId target = world.add({.shape = pane, .kind = kind, .mass = 5});
                const BodyId ball = world.add({.shape = makeSphere(radius),
                                               .pose = at(0.011, 0.007, distance),
                                               .velocity = Vec3(0, 0.2, -speed),
                                               .mass = 0.05});
                run(world, 4);
                least = std::min(least, world.state(ball).centre.z() - world.state(target).centre.z());
            }
        }
    }
    return least;
}

TEST(WorldImpacts, FastBallsDoNotPassThinPanes) {
    for (const double thickness : {0.004, 0.008}) {
        const Vec3 size(0.6, 0.6, thickness);
        for (const BodyKind kind : {BodyKind::Static, BodyKind::Dynamic}) {
            EXPECT_GT(leastBeforePane(makeBox(size), kind), 0) << thickness;
            EXPECT_GT(leastBeforePane(makeFieldSolid(detail::boxMesh(size)), kind), 0) << thickness;
        }
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

/// Cubes turned at random, put into a box so narrow that they overlap: what couples contacts most strongly.
struct Squeezed {
    double worst = 0;            // m, the deepest overlap of all frames
    size_t withoutMomentum = 0;  // substeps
};
Squeezed squeezedCubes(double friction) {
    constexpr int kSide = 5;
    constexpr double kStep = 0.8, kWide = kSide * kStep;
    World world;
    addFloor(world, surface(friction));
    for (const Vec3& wall : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
        const Vec3 centre = (0.5 * kWide + 0.25) * wall + Vec3(0, 20, 0);
        const Vec3 size = wall.x() != 0 ? Vec3(0.5, 40, kWide + 1) : Vec3(kWide + 1, 40, 0.5);
        world.add({.shape = makeBox(size),
                   .pose = {Quat::Identity(), centre},
                   .kind = BodyKind::Static,
                   .material = surface(friction)});
    }
    Random random(7, 1);
    for (int i = 0; i < kSide * kSide * kSide; ++i) {
        const Vec3 place(i % kSide - 2, i / kSide / kSide, i / kSide % kSide - 2);
        std::array<double, 4> turn;
        for (double& part : turn) part = random.uniform(-1, 1);
        world.add(
            {.shape = makeBox(Vec3::Constant(0.6)),
             .pose = {Quat(turn[0], turn[1], turn[2], turn[3]).normalized(), 0.9 * kStep * place + Vec3(0, 0.7, 0)},
             .material = surface(friction)});
    }
    Squeezed squeezed;
    for (int frame = 0; frame < 60; ++frame) {
        const StepResult result = world.step(kFrame);
        squeezed.withoutMomentum += result.counters.withoutMomentum;
        squeezed.worst = std::max(squeezed.worst, result.worstPenetration);
    }
    return squeezed;
}

TEST(WorldContacts, SweepsThatRunAwayAreStopped) {
    // left to itself the momentum of the sweeps pushes cubes of 0.6 m 0.65 m into each other
    const Squeezed rough = squeezedCubes(1);
    EXPECT_GT(rough.withoutMomentum, 0u) << "nothing ran away: this shows nothing";
    EXPECT_LT(rough.worst, 0.25);
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

}  // namespace
}  // namespace sunder::dynamics
