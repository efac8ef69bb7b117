// What the rigid body engine promises, with the numbers it promises: energy, momentum, friction, standing and moving
// things. All at 30 Hz. Everything is measured from the states of the bodies.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamics/free_rotation.h"
#include "tests/rigid_measures.h"
#include "tests/scenes/rigid_scenes.h"

namespace sunder {
namespace {

using namespace measures;
using scenes::awake;
using scenes::Scene;

dynamics::WorldOptions weightless() {
    dynamics::WorldOptions options = awake();
    options.gravity = Vec3::Zero();
    return options;
}

ContactMaterial surface(double friction, double restitution) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

/// Boxes that fly into each other, spinning.
Scene boxesInSpace(double friction, double restitution) {
    Scene scene{"boxes in space", dynamics::World(weightless()), {}, {}, {}};
    for (int i = 0; i < 27; ++i) {
        Random random(3, static_cast<uint64_t>(i));
        const auto vector = [&](double size) {
            return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
        };
        const Vec3 place(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        scene.pieces.push_back(scene.world.add({.shape = dynamics::makeBox(Vec3::Constant(0.4) + vector(0.15)),
                                                .pose = {dynamics::rotationBy(vector(2)), place + vector(0.1)},
                                                .velocity = -2 * place + vector(1),
                                                .angularVelocity = vector(10),
                                                .material = surface(friction, restitution)}));
    }
    return scene;
}

// free rotation

struct Spin {
    Vec3 moments;  // relative
    double speed;  // rad/s
};
class FreeRotation : public testing::TestWithParam<Spin> {};

/// A box has the moments (b^2 + c^2, a^2 + c^2, a^2 + b^2) / 12 per mass.
TEST_P(FreeRotation, KeepsEnergyAndMomentum) {
    const Vec3 i = GetParam().moments;
    // the sum of the two smaller moments may equal the third only for a plate without thickness
    const Vec3 squares = (0.5 * (i.sum() * Vec3::Ones() - 2 * i)).cwiseMax(1e-6 * i.maxCoeff());
    const Vec3 size = std::sqrt(12 / squares.maxCoeff()) * squares.cwiseSqrt() / 4;
    for (int direction = 0; direction < 4; ++direction) {
        dynamics::World world(weightless());
        const Vec3 mostly = direction < 3 ? Vec3(Vec3::Unit(direction) + Vec3::Constant(0.01)) : Vec3(0.3, -0.7, 0.5);
        world.add(
            {.shape = dynamics::makeBox(size),
             .pose = {dynamics::rotationBy(Vec3(0.3, 0.2, -0.5)), Vec3(1, 2, 3)},
             .angularVelocity = GetParam().speed * (dynamics::rotationBy(Vec3(0.3, 0.2, -0.5)) * mostly.normalized())});
        const Motion start = motionOf(world);
        double worstEnergy = 0, worstMomentum = 0;
        for (int frame = 0; frame < 9000; ++frame) {
            world.step(kFrame);
            const Motion now = motionOf(world);
            worstEnergy = std::max(worstEnergy, std::abs(now.rotational / start.rotational - 1));
            worstMomentum = std::max(
                worstMomentum, (now.angularMomentum - start.angularMomentum).norm() / start.angularMomentum.norm());
        }
        EXPECT_LE(worstEnergy, 1e-9) << "direction " << direction;
        EXPECT_LE(worstMomentum, 1e-12) << "direction " << direction;
    }
}
INSTANTIATE_TEST_SUITE_P(Rows, FreeRotation,
                         testing::Values(Spin{{1, 2, 2.999}, 5}, Spin{{1, 2, 2.999}, 200}, Spin{{1, 100, 100.99}, 5},
                                         Spin{{1, 100, 100.99}, 200}, Spin{{1, 1000, 1000.99}, 5},
                                         Spin{{1, 1000, 1000.99}, 200}));

// energy

struct Closed {
    const char* name;
    std::function<Scene()> build;
    bool bornOverlapping = false;  // what pushing apart lifts is allowed to it
};
void PrintTo(const Closed& scene, std::ostream* out) { *out << scene.name; }
class ClosedScene : public testing::TestWithParam<Closed> {};

TEST_P(ClosedScene, EnergyDoesNotRise) {
    Scene scene = GetParam().build();
    const double scale = energyScale(scene.world);
    Rise rise;
    int worstFrame = 0;
    double lifted = 0;
    rise.add(motionOf(scene.world).mechanical());
    for (int frame = 0; frame < 300; ++frame) {
        const double pushed = scene.world.step(kFrame).energy.depenetration;
        if (GetParam().bornOverlapping) lifted += pushed;
        const Motion motion = motionOf(scene.world);
        ASSERT_TRUE(motion.finite) << "frame " << frame;
        const double before = rise.largest();
        rise.add(motion.mechanical() - lifted);
        if (rise.largest() > before) worstFrame = frame;
    }
    EXPECT_LE(rise.largest() / scale, 1e-4) << "highest in frame " << worstFrame;
    RecordProperty("rise", std::to_string(rise.largest() / scale));
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, ClosedScene,
    testing::Values(Closed{"Stack", [] { return scenes::stackOfCubes(10, 0.3, awake()); }},
                    Closed{"StackThatMaySleep", [] { return scenes::stackOfCubes(); }},
                    Closed{"Wall", [] { return scenes::brickWall(20, 20, awake()); }},
                    Closed{"HeavyOnLight", [] { return scenes::heavyOnLight(1000, awake()); }},
                    Closed{"CardHouse", [] { return scenes::cardHouse(3, awake()); }},
                    Closed{"Dominoes", [] { return scenes::dominoes(20, awake()); }},
                    Closed{"InclineThatStops", [] { return scenes::incline(0.26, 0.5, 5, awake()); }},
                    Closed{"InclineAtRest", [] { return scenes::incline(0.26, 0.5, 0, awake()); }},
                    Closed{"StruckStack", [] { return scenes::struckStack(awake()); }},
                    Closed{"WingNut", [] { return scenes::wingNut(200, awake()); }},
                    Closed{"Cradle", [] { return scenes::newtonsCradle(awake()); }},
                    Closed{"Billiard", [] { return scenes::billiardBreak(awake()); }},
                    Closed{"FastBallAtWall", [] { return scenes::fastBall(scenes::Target::StaticWall, 100, awake()); }},
                    Closed{"FastBallAtPlate", [] { return scenes::fastBall(scenes::Target::FreePlate, 100, awake()); }},
                    Closed{"SnugCubeOnFloor", [] { return scenes::snugCube({.floor = true, .world = awake()}); }},
                    Closed{"InflatedCubeOnFloor",
                           [] { return scenes::snugCube({.inflation = 0.02, .floor = true, .world = awake()}); }},
                    Closed{"BoxesInSpaceSmooth", [] { return boxesInSpace(0, 1); }},
                    Closed{"BoxesInSpaceRough", [] { return boxesInSpace(0.6, 0.5); }},
                    Closed{"Pile", [] { return scenes::pile({.count = 200, .world = awake()}); }},
                    Closed{"ConcavePile", [] { return scenes::concavePile({.count = 30, .world = awake()}); }}),
    [](const auto& row) { return row.param.name; });

// momentum

class FreeBodies : public testing::TestWithParam<Closed> {};

TEST_P(FreeBodies, KeepMomentum) {
    Scene scene = GetParam().build();
    const Motion start = motionOf(scene.world);
    double linear = 0, angular = 0;
    for (int frame = 0; frame < 300; ++frame) {
        scene.world.step(kFrame);
        const Motion now = motionOf(scene.world);
        linear = std::max(linear, (now.momentum - start.momentum).norm() / start.momentumScale);
        angular = std::max(angular, (now.angularMomentum - start.angularMomentum).norm() / start.angularScale);
    }
    EXPECT_LE(linear, 1e-10);
    EXPECT_LE(angular, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, FreeBodies,
    testing::Values(Closed{"Cradle", [] { return scenes::newtonsCradle(awake()); }},
                    Closed{"Billiard", [] { return scenes::billiardBreak(awake()); }},
                    Closed{"FastBallAtPlate", [] { return scenes::fastBall(scenes::Target::FreePlate, 100, awake()); }},
                    Closed{"BoxesSmoothElastic", [] { return boxesInSpace(0, 1); }},
                    Closed{"BoxesRough", [] { return boxesInSpace(0.6, 0.5); }},
                    Closed{"BoxesDull", [] { return boxesInSpace(2, 0); }}),
    [](const auto& row) { return row.param.name; });

TEST(Elastic, CradleKeepsEnergyAndTheLastBallGoes) {
    Scene scene = scenes::newtonsCradle(awake());
    const double start = motionOf(scene.world).kinetic();
    double worst = 0;
    for (int frame = 0; frame < 60; ++frame) {
        scene.world.step(kFrame);
        worst = std::max(worst, std::abs(motionOf(scene.world).kinetic() / start - 1));
    }
    EXPECT_LE(worst, 1e-6);
    for (size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(scene.world.state(scene.pieces[i]).velocity.x(), i == 4 ? scene.expected.at("speed") : 0, 1e-6)
            << i;
    }
}

TEST(Elastic, BallsInABoxKeepTheirEnergy) {
    // in a crowd a ball that was thrown off its course may meet another before anybody looked for contacts again
    for (const auto& [side, tolerance] : {std::pair(2, 0.01), std::pair(3, 0.06)}) {
        dynamics::WorldOptions options = awake();
        options.gravity = Vec3::Zero();
        dynamics::World world(options);
        const ContactMaterial elastic{.friction = 0, .restitution = 1};
        for (int axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) {
                Vec3 size = Vec3::Constant(3), place = Vec3::Zero();
                size[axis] = 0.5;
                place[axis] = 1.25 * sign;
                world.add({.shape = dynamics::makeBox(size),
                           .pose = {Quat::Identity(), place},
                           .kind = dynamics::BodyKind::Static,
                           .material = elastic});
            }
        }
        Random random(3);
        for (int i = 0; i < side * side * side; ++i) {
            const Vec3 place = 0.6 * (Vec3(i % side, i / side % side, i / side / side) - Vec3::Constant(1));
            world.add({.shape = dynamics::makeSphere(0.12),
                       .pose = {Quat::Identity(), place},
                       .velocity = Vec3(random.uniform(-10, 10), random.uniform(-10, 10), random.uniform(-10, 10)),
                       .material = elastic});
        }
        const double start = motionOf(world).kinetic();
        run(world, 300);
        EXPECT_NEAR(motionOf(world).kinetic() / start, 1, tolerance) << side * side * side << " balls";
    }
}

TEST(Elastic, BilliardBreakKeepsEnergyAndOpens) {
    Scene scene = scenes::billiardBreak(awake());
    const double start = motionOf(scene.world).kinetic();
    double worst = 0;
    for (int frame = 0; frame < 300; ++frame) {
        scene.world.step(kFrame);
        worst = std::max(worst, std::abs(motionOf(scene.world).kinetic() / start - 1));
    }
    EXPECT_LE(worst, 1e-6);
    // the corners fly, and no two are in one place
    for (const size_t i : {1u, 11u, 15u}) EXPECT_GT(scene.world.state(scene.pieces[i]).velocity.norm(), 0.5) << i;
    for (size_t i = 0; i < scene.pieces.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
            const Vec3 between = scene.world.state(scene.pieces[i]).centre - scene.world.state(scene.pieces[j]).centre;
            EXPECT_GT(between.norm(), 2 * 0.028575 * 0.999) << i << " " << j;
        }
    }
}

// friction

class Incline : public testing::TestWithParam<double> {};

TEST_P(Incline, StopsWhereItShould) {
    const double friction = GetParam(), angle = 0.5 * std::atan(friction);
    for (const double speed : {1.0, 5.0, 12.0}) {
        Scene scene = scenes::incline(angle, friction, speed, awake());
        const Vec3 start = scene.world.state(scene.named.at("cube")).centre;
        const Vec3 downhill = dynamics::rotationBy(Vec3(0, 0, -angle)) * Vec3::UnitX();
        run(scene.world, 400);
        const double distance = downhill.dot(scene.world.state(scene.named.at("cube")).centre - start);
        EXPECT_NEAR(distance / scene.expected.at("distance"), 1, 2e-3) << "from " << speed << " m/s";
    }
}

TEST_P(Incline, SlidesAsItShould) {
    const double friction = GetParam(), angle = 1.4 * std::atan(friction);
    Scene scene = scenes::incline(angle, friction, 0, awake());
    const Vec3 start = scene.world.state(scene.named.at("cube")).centre;
    const double acceleration = 9.81 * (std::sin(angle) - friction * std::cos(angle)), time = 2;
    run(scene.world, static_cast<int>(std::lround(time / kFrame)));
    const double distance = (scene.world.state(scene.named.at("cube")).centre - start).norm();
    EXPECT_NEAR(distance / (0.5 * acceleration * time * time), 1, 2e-3);
}

TEST_P(Incline, SticksBelowTheFrictionAngle) {
    const double friction = GetParam();
    for (const double share : {0.3, 0.9, 0.99}) {
        Scene scene = scenes::incline(share * std::atan(friction), friction, 0, awake());
        const std::vector<Vec3> start = centresOf(scene.world, scene.pieces);
        double creep = 0;
        for (int frame = 0; frame < 300; ++frame) {
            scene.world.step(kFrame);
            creep = std::max(creep, largestDistance(start, centresOf(scene.world, scene.pieces)));
        }
        EXPECT_LT(creep, 1e-4) << "at " << share << " of the friction angle";
    }
}
INSTANTIATE_TEST_SUITE_P(Friction, Incline, testing::Values(0.3, 0.5, 0.8));

// things that stand

class Standing : public testing::TestWithParam<Closed> {};

TEST_P(Standing, DriftsLessThanTenMillimetresInTenSeconds) {
    Scene scene = GetParam().build();
    const std::vector<Vec3> start = centresOf(scene.world, scene.pieces);
    double drift = 0;
    for (int frame = 0; frame < 300; ++frame) {
        scene.world.step(kFrame);
        drift = std::max(drift, largestDistance(start, centresOf(scene.world, scene.pieces)));
    }
    EXPECT_LT(drift, 0.01);
}
INSTANTIATE_TEST_SUITE_P(Scenes, Standing,
                         testing::Values(Closed{"Stack", [] { return scenes::stackOfCubes(10, 0.3, awake()); }},
                                         Closed{"Wall", [] { return scenes::brickWall(20, 20, awake()); }},
                                         Closed{"HeavyOnLight", [] { return scenes::heavyOnLight(1000, awake()); }},
                                         Closed{"CardHouse", [] { return scenes::cardHouse(3, awake()); }}),
                         [](const auto& row) { return row.param.name; });

// machines

TEST(Machines, ElevatorCarries) {
    Scene scene = scenes::elevator(awake());
    const dynamics::BodyId machine = scene.named.at("machine");
    const double mass = 5 * 2500 * 0.027;
    std::vector<Vec3> start = centresOf(scene.world, scene.pieces);
    const double platform = scene.world.state(machine).centre.y();
    double worst = 0, work = 0;
    for (int frame = 0; frame < 300; ++frame) {
        work += scene.world.step(kFrame).energy.workOfKinematic;
        const Vec3 rise(0, scene.world.state(machine).centre.y() - platform, 0);
        for (size_t i = 0; i < start.size(); ++i) {
            worst = std::max(worst, (scene.world.state(scene.pieces[i]).centre - start[i] - rise).norm());
        }
    }
    EXPECT_NEAR(scene.world.state(machine).centre.y() - platform, scene.expected.at("rise"), 1e-9);
    EXPECT_LT(worst, 0.01);  // from their places on the platform
    EXPECT_NEAR(work / (mass * 9.81 * scene.expected.at("rise")), 1, 0.01);
}

TEST(Machines, ConveyorCarries) {
    Scene scene = scenes::conveyor(awake());
    const double speed = scene.expected.at("speed"), mass = 2500 * 0.027, braking = 0.5 * 9.81;
    const double start = scene.world.state(scene.named.at("box")).centre.x();
    double work = 0, heat = 0;
    for (int frame = 0; frame < 90; ++frame) {
        const dynamics::EnergyAccount energy = scene.world.step(kFrame).energy;
        work += energy.workOfKinematic;
        heat += energy.lostInFriction;
    }
    const BodyState box = scene.world.state(scene.named.at("box"));
    EXPECT_NEAR(box.velocity.x(), speed, 1e-3 * speed);
    // it lags behind the belt by what it took to bring it to speed
    const double lag = speed * 3 - (box.centre.x() - start), expected = speed * speed / (2 * braking);
    EXPECT_NEAR(lag / expected, 1, 2e-3);
    // the belt does twice the work that goes into motion: the other half is heat
    EXPECT_NEAR(work / (mass * speed * speed), 1, 0.02);
    EXPECT_NEAR(heat / (0.5 * mass * speed * speed), 1, 0.02);
}

TEST(Machines, DrumCarries) {
    Scene scene = scenes::rotatingDrum(awake());
    const Vec3 axis = scene.world.state(scene.named.at("machine")).pose.translation;
    double aside = 0, speed = 0;
    for (int frame = 0; frame < 210; ++frame) {
        scene.world.step(kFrame);
        for (const dynamics::BodyId id : scene.pieces) {
            const BodyState state = scene.world.state(id);
            const Vec3 out = state.centre - axis;
            ASSERT_LT(Vec3(out.x(), out.y(), 0).norm(), 1.02) << "frame " << frame;
            ASSERT_LT(std::abs(out.z()), 0.4) << "frame " << frame;
            if (frame < 120) continue;
            aside += out.x() / 90 / static_cast<double>(scene.pieces.size());
            speed += state.velocity.norm() / 90 / static_cast<double>(scene.pieces.size());
        }
    }
    // the lowest part of the drum moves towards +x and takes the heap along, up its side
    EXPECT_GT(aside, 0.15);
    EXPECT_GT(speed, 0.2);
}

// fast bodies

TEST(FastBodies, StopAtAThinWall) {
    for (const double speed : {20.0, 50.0, 100.0, 170.0, 300.0}) {
        Scene scene = scenes::fastBall(scenes::Target::StaticWall, speed, awake());
        double farthest = -1e9;
        for (int frame = 0; frame < 60; ++frame) {
            scene.world.step(kFrame);
            farthest = std::max(farthest, scene.world.state(scene.named.at("ball")).centre.x());
        }
        EXPECT_LT(farthest, -0.11 + 0.002) << speed << " m/s";  // its surface meets the wall's
    }
}

/// How far the ball's centre came, in the plate's frame, m: 0.11 before its middle when their surfaces touch.
double deepestInPlate(double speed) {
    Scene scene = scenes::fastBall(scenes::Target::FreePlate, speed, awake());
    const Vec3 momentum = motionOf(scene.world).momentum;
    double deepest = -1e9;
    for (int frame = 0; frame < 60; ++frame) {
        scene.world.step(kFrame);
        const BodyState wall = scene.world.state(scene.named.at("wall"));
        const Vec3 ball = wall.pose.inverse() * scene.world.state(scene.named.at("ball")).centre;
        if (ball.tail<2>().cwiseAbs().maxCoeff() > 1) break;  // slid off its edge; the plate turns on without it
        deepest = std::max(deepest, ball.x());
    }
    EXPECT_GT(scene.world.state(scene.named.at("wall")).velocity.x(), 0.1 * speed) << speed << " m/s";
    EXPECT_LT((motionOf(scene.world).momentum - momentum).norm(), 1e-10 * momentum.norm()) << speed << " m/s";
    return deepest;
}

TEST(FastBodies, PushAThinPlate) {
    for (const double speed : {20.0, 50.0, 80.0, 100.0, 170.0, 300.0}) {
        EXPECT_LT(deepestInPlate(speed), -0.11 + 0.005) << speed << " m/s";
    }
}

// newborn fragments

class SnugCube : public testing::TestWithParam<double> {};

TEST_P(SnugCube, StaysPutInFreeSpace) {
    const double inflation = GetParam();
    Scene scene = scenes::snugCube({.inflation = inflation, .world = awake()});
    const std::vector<Vec3> start = centresOf(scene.world, scene.pieces);
    std::vector<double> allowed(start.size(), 1e-6);  // m, the rounding of corners
    for (const Overlap& pair : overlaps(scene.world, scene.pieces)) {
        allowed[pair.a] = std::max(allowed[pair.a], pair.depth);
        allowed[pair.b] = std::max(allowed[pair.b], pair.depth);
    }
    double energy = 0, excess = 0, farthest = 0;
    for (int frame = 0; frame < 300; ++frame) {
        scene.world.step(kFrame);
        energy = std::max(energy, motionOf(scene.world).kinetic());
        const std::vector<Vec3> now = centresOf(scene.world, scene.pieces);
        for (size_t i = 0; i < now.size(); ++i) {
            farthest = std::max(farthest, (now[i] - start[i]).norm());
            excess = std::max(excess, (now[i] - start[i]).norm() / allowed[i]);
        }
    }
    EXPECT_LE(energy, 1e-6);
    EXPECT_LE(excess, 1) << "of its own overlap; farthest " << farthest << " m";
}

TEST_P(SnugCube, SettlesOnTheFloorWithoutJumping) {
    const double inflation = GetParam();
    Scene scene = scenes::snugCube({.inflation = inflation, .floor = true, .world = awake()});
    const std::vector<Vec3> start = centresOf(scene.world, scene.pieces);
    double rise = 0;
    for (int frame = 0; frame < 300; ++frame) {
        scene.world.step(kFrame);
        const std::vector<Vec3> now = centresOf(scene.world, scene.pieces);
        for (size_t i = 0; i < now.size(); ++i) rise = std::max(rise, now[i].y() - start[i].y());
    }
    EXPECT_LE(rise, inflation > 0 ? 0.03 : 0.01);
    // at rest: a speed of 1 mm/s
    EXPECT_LT(motionOf(scene.world).kinetic(), 0.5 * 2500 * 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Inflation, SnugCube, testing::Values(0.0, 0.02),
                         [](const auto& row) { return row.param > 0 ? "TwoPercent" : "Exact"; });

// sleeping

class Sleeping : public testing::TestWithParam<Closed> {};

TEST_P(Sleeping, EverythingWithinThreeSecondsOfTheLastMovement) {
    constexpr double kSlow = 0.5;  // m/s: what is slower only settles
    Scene scene = GetParam().build();
    double quietSince = 0;
    bool asleep = false;
    for (int frame = 0; frame < 600 && !asleep; ++frame) {
        const double time = scene.world.step(kFrame).time;
        asleep = true;
        for (const dynamics::BodyId id : scene.pieces) {
            const BodyState state = scene.world.state(id);
            if (state.velocity.norm() > kSlow) quietSince = time;
            asleep = asleep && state.asleep;
        }
        if (time - quietSince > 3) break;
    }
    size_t awakeStill = 0;
    for (const dynamics::BodyId id : scene.pieces) awakeStill += !scene.world.state(id).asleep;
    EXPECT_EQ(awakeStill, 0u) << "of " << scene.pieces.size() << " bodies, 3 s after " << quietSince << " s";
}
INSTANTIATE_TEST_SUITE_P(Scenes, Sleeping,
                         testing::Values(Closed{"Stack", [] { return scenes::stackOfCubes(); }},
                                         Closed{"Wall", [] { return scenes::brickWall(20, 20); }},
                                         Closed{"HeavyOnLight", [] { return scenes::heavyOnLight(); }},
                                         Closed{"CardHouse", [] { return scenes::cardHouse(); }},
                                         Closed{"Dominoes", [] { return scenes::dominoes(); }},
                                         Closed{"StruckStack", [] { return scenes::struckStack(); }},
                                         Closed{"SnugCube", [] { return scenes::snugCube({.floor = true}); }},
                                         Closed{"InflatedCube",
                                                [] { return scenes::snugCube({.inflation = 0.02, .floor = true}); }},
                                         Closed{"Pile", [] { return scenes::pile({.count = 1000}); }},
                                         Closed{"ConcavePile", [] { return scenes::concavePile({.count = 300}); }}),
                         [](const auto& row) { return row.param.name; });

// piles

TEST(Pile, NothingEscapesAndLittleOverlaps) {
    constexpr size_t kCount = 1000;
    Scene scene = scenes::pile({.count = kCount, .world = awake()});
    const scenes::PileLayout layout = scenes::convexPile(kCount).layout;
    const double scale = energyScale(scene.world);
    Rise settled;
    std::set<dynamics::BodyId> outside;
    for (int frame = 0; frame < 240; ++frame) {
        scene.world.step(kFrame);
        for (const dynamics::BodyId id : scene.pieces) {
            if (layout.escaped(scene.world.state(id).centre)) outside.insert(id);
        }
        if (frame >= 180) settled.add(motionOf(scene.world).mechanical());
    }
    EXPECT_EQ(outside.size(), 0u) << "were outside at some time";
    for (const dynamics::BodyId id : scene.pieces) {
        const Vec3 centre = scene.world.state(id).centre;
        EXPECT_FALSE(layout.escaped(centre)) << "at the end: " << centre.transpose();
    }
    EXPECT_LE(settled.largest() / scale, 1e-4);
    std::vector<double> depths;
    for (const Overlap& pair : overlaps(scene.world, scene.pieces)) depths.push_back(pair.depth);
    ASSERT_GT(depths.size(), kCount);
    std::sort(depths.begin(), depths.end());
    double mean = 0;
    for (const double depth : depths) mean += depth / static_cast<double>(depths.size());
    EXPECT_LE(mean, 3e-3);
    EXPECT_LE(depths[depths.size() * 99 / 100], 15e-3);
}

TEST(Pile, NothingConcaveEscapes) {
    Scene scene = scenes::concavePile({.count = 30, .world = awake()});
    const double half = 0.5 * 2 * std::cbrt(0.03);
    for (int frame = 0; frame < 180; ++frame) {
        scene.world.step(kFrame);
        for (const dynamics::BodyId id : scene.pieces) {
            const Vec3 centre = scene.world.state(id).centre;
            ASSERT_TRUE(std::abs(centre.x()) < half && std::abs(centre.z()) < half && centre.y() > 0 && centre.y() < 19)
                << "frame " << frame << ", body " << id.index << " at " << centre.transpose();
        }
    }
}

TEST(Pile, StandsAsHighAsWithSmallSteps) {
    if (std::getenv("SUNDER_FULL_TESTS") == nullptr) GTEST_SKIP() << "set SUNDER_FULL_TESTS=1";
    const auto meanHeight = [](int stepsPerFrame) {
        Scene scene = scenes::pile({.count = 1000, .world = awake()});
        run(scene.world, 240 * stepsPerFrame, kFrame / stepsPerFrame);
        double sum = 0;
        for (const dynamics::BodyId id : scene.pieces) sum += scene.world.state(id).centre.y();
        return sum / static_cast<double>(scene.pieces.size());
    };
    EXPECT_GE(meanHeight(1) / meanHeight(8), 0.97);
}

}  // namespace
}  // namespace sunder
