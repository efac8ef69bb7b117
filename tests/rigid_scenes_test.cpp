// Every scene can be built and starts as it says: nothing overlaps or flies apart in the first second. What each of
// them must show is tested where it belongs.
#include "tests/scenes/rigid_scenes.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sunder::scenes {
namespace {

constexpr double kFrame = 1.0 / 30;  // s

/// Steps for a second; mechanical energy must not rise, except by what machines do, and nothing may be lost.
void runQuietly(Scene& scene, double allowedPenetration) {
    ASSERT_FALSE(scene.pieces.empty());
    double before = 0, scale = 0;
    for (int frame = 0; frame < 30; ++frame) {
        const dynamics::StepResult result = scene.world.step(kFrame);
        if (frame == 0) {
            before = result.energy.mechanicalBefore;
            scale = std::abs(before) + result.energy.linear + result.energy.rotational + 1e-9;
            EXPECT_LT(result.worstPenetration, allowedPenetration) << scene.description;
        }
        before += result.energy.workOfKinematic;
        EXPECT_LE(result.energy.mechanical(), before + 1e-3 * scale) << scene.description << ", frame " << frame;
    }
    for (const dynamics::BodyId piece : scene.pieces) {
        ASSERT_TRUE(scene.world.contains(piece));
        EXPECT_TRUE(scene.world.state(piece).pose.translation.allFinite()) << scene.description;
    }
}

TEST(RigidScenes, ThingsThatStand) {
    for (Scene scene : {stackOfCubes(), brickWall(5, 5), heavyOnLight(), cardHouse(), dominoes()}) {
        runQuietly(scene, 0.01);
    }
}

TEST(RigidScenes, Machines) {
    for (Scene scene : {rotatingDrum(), elevator(), conveyor()}) {
        ASSERT_TRUE(scene.named.contains("machine"));
        runQuietly(scene, 0.01);
    }
}

TEST(RigidScenes, Collisions) {
    for (Scene scene : {incline(0.26, 0.5, 5), struckStack(), wingNut(), newtonsCradle(), billiardBreak(),
                        fastBall(Target::StaticWall), fastBall(Target::FreePlate)}) {
        runQuietly(scene, 0.01);
    }
}

TEST(RigidScenes, Piles) {
    for (Scene scene : {pile({.count = 100}), concavePile({.count = 30})}) runQuietly(scene, 0.01);
}

TEST(RigidScenes, NewbornFragments) {
    for (const bool floor : {false, true}) {
        for (const double inflation : {0.0, 0.02}) {
            for (const bool replaced : {true, false}) {
                Scene scene = snugCube({.inflation = inflation, .floor = floor, .replaced = replaced});
                EXPECT_EQ(scene.pieces.size(), 200u);
                runQuietly(scene, 0.02);
            }
        }
    }
}

TEST(RigidScenes, KnownAnswers) {
    // 25 / (2 g (0.5 cos 15 - sin 15)), and a wing nut that flips several times a second
    EXPECT_NEAR(incline(std::numbers::pi / 12, 0.5, 5).expected.at("distance"), 5.685, 1e-3);
    EXPECT_EQ(incline(0.6, 0.5, 5).expected.at("distance"), 0);
    const double flipTime = wingNut().expected.at("flipTime");
    EXPECT_GT(flipTime, 0.01);
    EXPECT_LT(flipTime, 1);
}

}  // namespace
}  // namespace sunder::scenes
