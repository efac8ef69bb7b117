// The energy account of a frame: it adds up, agrees with the states of the bodies, and books known losses where they
// belong.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/rigid_measures.h"
#include "tests/scenes/every_scene.h"

namespace sunder {
namespace {

using namespace measures;
using scenes::awake;
using scenes::NamedScene;
using scenes::Scene;

class Account : public testing::TestWithParam<scenes::NamedScene> {};

TEST_P(Account, AddsUpAndMatchesTheStates) {
    Scene scene = GetParam().build();
    const double scale = energyScale(scene.world);
    double mass = 0;
    for (const dynamics::BodyId id : scene.pieces) mass += scene.world.state(id).mass;
    const double momentum = std::sqrt(2 * mass * scale);  // kg m/s, if all that energy became motion
    double after = motionOf(scene.world).mechanical(), contact = 0, friction = 0, clamping = 0, together = 0;
    for (int frame = 0; frame < 150; ++frame) {
        const dynamics::EnergyAccount account = scene.world.step(kFrame).energy;
        const Motion motion = motionOf(scene.world);
        ASSERT_NEAR(account.mechanicalBefore, after, 1e-9 * scale) << "frame " << frame;
        ASSERT_NEAR(account.linear, motion.linear, 1e-9 * scale) << "frame " << frame;
        ASSERT_NEAR(account.rotational, motion.rotational, 1e-9 * scale) << "frame " << frame;
        ASSERT_NEAR(account.potential, motion.potential, 1e-9 * scale) << "frame " << frame;
        ASSERT_LE((account.momentum - motion.momentum).norm(), 1e-6 * momentum) << "frame " << frame;
        ASSERT_LE((account.angularMomentum - motion.angularMomentum).norm(), 1e-6 * momentum) << "frame " << frame;
        const double sum = account.mechanicalBefore + account.workOfFields + account.workOfKinematic -
                           account.lostInContact - account.lostInFriction - account.lostInClamping +
                           account.depenetration + account.error;
        ASSERT_NEAR(account.mechanical(), sum, 1e-9 * scale) << "frame " << frame;
        ASSERT_LE(std::abs(account.error), 1e-4 * scale) << "frame " << frame;
        contact = std::min(contact, account.lostInContact);
        friction = std::min(friction, account.lostInFriction);
        clamping = std::min(clamping, account.lostInClamping);
        together = std::min(
            together, account.lostInContact + account.lostInFriction + account.lostInClamping - account.depenetration);
        after = motion.mechanical();
    }
    // together they only take; solved at once, one may hand the other a little
    EXPECT_GE(together / scale, -1e-9);
    EXPECT_GE(contact / scale, -1e-3);
    EXPECT_GE(friction / scale, -1e-3);
    EXPECT_GE(clamping / scale, -1e-9);
}
INSTANTIATE_TEST_SUITE_P(
    Scenes, Account,
    testing::Values(NamedScene{"Stack", [] { return scenes::stackOfCubes(); }},
                    NamedScene{"StruckStack", [] { return scenes::struckStack(); }},
                    NamedScene{"Dominoes", [] { return scenes::dominoes(); }},
                    NamedScene{"Incline", [] { return scenes::incline(0.26, 0.5, 5); }},
                    NamedScene{"Drum", [] { return scenes::rotatingDrum(); }},
                    NamedScene{"Elevator", [] { return scenes::elevator(); }},
                    NamedScene{"Billiard", [] { return scenes::billiardBreak(); }},
                    NamedScene{"InflatedCube", [] { return scenes::snugCube({.inflation = 0.02, .floor = true}); }},
                    NamedScene{"Pile", [] { return scenes::pile({.count = 100}); }}),
    [](const auto& row) { return row.param.name; });

TEST(KnownLosses, ASlidingCubeLosesAllToFriction) {
    Scene scene = scenes::incline(0.26, 0.5, 5, awake());
    const double start = motionOf(scene.world).mechanical();
    double heat = 0, rest = 0;
    for (int frame = 0; frame < 150; ++frame) {
        const dynamics::EnergyAccount account = scene.world.step(kFrame).energy;
        heat += account.lostInFriction;
        rest += std::abs(account.lostInContact) + std::abs(account.lostInClamping);
    }
    const double lost = start - motionOf(scene.world).mechanical();
    EXPECT_NEAR(heat / lost, 1, 0.01);
    EXPECT_LT(rest, 0.01 * lost);
}

TEST(KnownLosses, ABallThatDoesNotBounceLosesItAllInContact) {
    dynamics::World world(awake());
    world.add({.shape = dynamics::makeHalfSpace(), .kind = dynamics::BodyKind::Static});
    world.add({.shape = dynamics::makeSphere(0.1), .pose = {Quat::Identity(), Vec3(0, 1.1, 0)}, .mass = 1});
    double lost = 0, heat = 0;
    for (int frame = 0; frame < 60; ++frame) {
        const dynamics::EnergyAccount account = world.step(kFrame).energy;
        lost += account.lostInContact;
        heat += account.lostInFriction;
    }
    EXPECT_NEAR(lost / 9.81, 1, 1e-3);  // m g h, h = 1 m
    EXPECT_NEAR(heat, 0, 1e-3);
}

}  // namespace
}  // namespace sunder
