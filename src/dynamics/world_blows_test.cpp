// What a hit was to each of its bodies, whatever they did in the rest of the frame.
#include <gtest/gtest.h>

#include "dynamics/detail/test_worlds.h"
#include "dynamics/world.h"

namespace sunder::dynamics {
namespace {

using namespace test_worlds;

/// A ball flies into a bar beside its middle; the bar turns before and after. Its given frame is not its body frame.
struct Struck {
    ImpactSide bar, ball;
};
Struck strike(double dt, const Vec3& spin) {
    World world(weightless());
    const BodyId bar = world.add({.shape = makeBox(Vec3(0.1, 2, 0.1)),
                                  .pose = {Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ())), Vec3::Zero()},
                                  .angularVelocity = spin,
                                  .mass = 20,
                                  .material = surface(0)});
    world.add({.shape = makeSphere(0.05),
               .pose = at(0.6, 0.5, 0),
               .velocity = Vec3(0, -10, 0),
               .mass = 2,
               .material = surface(0)});
    while (world.impacts().empty() && world.time() < 1) world.step(dt);
    if (world.impacts().empty()) return {};
    const Impact impact = world.impacts()[0];
    return impact.a == bar ? Struck{impact.onA, impact.onB} : Struck{impact.onB, impact.onA};
}

TEST(WorldBlows, AreWhereTheBodiesMet) {
    for (const double rate : {24.0, 30.0, 60.0, 240.0, 960.0}) {
        const Struck struck = strike(1 / rate, Vec3::Zero());
        // the bar lies along its own y, its top is its own +x side
        EXPECT_LT((struck.bar.point - Vec3(0.05, -0.6, 0)).norm(), 3e-4) << rate;
        EXPECT_LT((struck.bar.normal - Vec3(-1, 0, 0)).norm(), 1e-4) << rate;
        EXPECT_LT((struck.ball.point - Vec3(0, -0.05, 0)).norm(), 1e-3) << rate;
        EXPECT_LT((struck.bar.impulse + struck.bar.impulse.norm() * Vec3::UnitX()).norm(),
                  1e-4 * struck.bar.impulse.norm())
            << rate;
    }
}

TEST(WorldBlows, OfABodyThatTurnsAreWhereItWasWhenTheyMet) {
    // 0.04 s until they meet: the bar turns by 2.3 degrees under the ball
    const Struck exact = strike(1.0 / 4000, Vec3(0, 1, 0));
    for (const double rate : {30.0, 60.0, 240.0}) {
        const Struck struck = strike(1 / rate, Vec3(0, 1, 0));
        // it turns by 2.5 mm there in a frame of 240 Hz, in which contacts are looked for once; by 20 mm at 30 Hz
        EXPECT_LT((struck.bar.point - exact.bar.point).norm(), 2.5e-3) << rate;
        EXPECT_NEAR(struck.bar.impulse.norm(), exact.bar.impulse.norm(), 0.01 * exact.bar.impulse.norm()) << rate;
    }
}

TEST(WorldBlows, AreSaved) {
    World world(weightless());
    world.add({.shape = makeBox(Vec3::Ones()), .pose = at(0, 0, 0), .mass = 20});
    world.add({.shape = makeSphere(0.1), .pose = at(0, 0.61, 0), .velocity = Vec3(0, -2, 0), .mass = 2});
    world.step(kFrame);
    ASSERT_EQ(world.impacts().size(), 1u);
    const World loaded = World::load(world.save(), [&](BodyId id) { return world.sharedShape(id); });
    EXPECT_EQ(loaded.impacts()[0].onA.point, world.impacts()[0].onA.point);
    EXPECT_EQ(loaded.impacts()[0].onB.impulse, world.impacts()[0].onB.impulse);
}

}  // namespace
}  // namespace sunder::dynamics
