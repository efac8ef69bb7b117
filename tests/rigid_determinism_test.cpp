// The same run twice is the same run: bit for bit, for any number of threads, and through a copy of the world.
#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "tests/scenes/rigid_scenes.h"

namespace sunder {
namespace {

using scenes::Scene;

constexpr double kFrame = 1.0 / 30;  // s

struct Row {
    const char* name;
    std::function<Scene()> build;
    int frames = 300;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

std::vector<uint64_t> hashes(Scene scene, int frames, int threads) {
    const ThreadLimit limit(threads);
    std::vector<uint64_t> all;
    for (int frame = 0; frame < frames; ++frame) {
        scene.world.step(kFrame);
        all.push_back(scene.world.stateHash());
    }
    return all;
}

size_t firstDifference(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
    size_t frame = 0;
    while (frame < a.size() && a[frame] == b[frame]) ++frame;
    return frame;
}

class EveryScene : public testing::TestWithParam<Row> {};

TEST_P(EveryScene, IsTheSameOnOneTwoAndFourThreads) {
    const Scene scene = GetParam().build();
    const size_t frames = static_cast<size_t>(GetParam().frames);
    const std::vector<uint64_t> one = hashes(scene, GetParam().frames, 1);
    EXPECT_NE(one.front(), one.back());  // a hash that sees nothing would always agree
    for (const int threads : {2, 4}) {
        EXPECT_EQ(firstDifference(one, hashes(scene, GetParam().frames, threads)), frames) << threads << " threads";
    }
}

TEST_P(EveryScene, BuiltAgainIsTheSame) {
    const int frames = std::min(GetParam().frames, 60);
    EXPECT_EQ(firstDifference(hashes(GetParam().build(), frames, 2), hashes(GetParam().build(), frames, 2)),
              static_cast<size_t>(frames));
}

TEST_P(EveryScene, GoesOnFromACopyAsIfUnbroken) {
    Scene scene = GetParam().build();
    for (int frame = 0; frame < 20; ++frame) scene.world.step(kFrame);
    const dynamics::World snapshot = scene.world;
    ASSERT_EQ(snapshot.stateHash(), scene.world.stateHash());
    std::vector<uint64_t> unbroken, restored, copied;
    for (int frame = 0; frame < 40; ++frame) {
        scene.world.step(kFrame);
        unbroken.push_back(scene.world.stateHash());
    }
    // back by assignment to a world that has gone on, and by a copy
    scene.world = snapshot;
    dynamics::World copy = snapshot;
    for (int frame = 0; frame < 40; ++frame) {
        scene.world.step(kFrame);
        restored.push_back(scene.world.stateHash());
        copy.step(kFrame);
        copied.push_back(copy.stateHash());
    }
    EXPECT_EQ(firstDifference(unbroken, restored), 40u);
    EXPECT_EQ(firstDifference(unbroken, copied), 40u);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, EveryScene,
    testing::Values(
        Row{"Stack", [] { return scenes::stackOfCubes(); }}, Row{"Wall", [] { return scenes::brickWall(); }},
        Row{"HeavyOnLight", [] { return scenes::heavyOnLight(); }},
        Row{"CardHouse", [] { return scenes::cardHouse(); }}, Row{"Dominoes", [] { return scenes::dominoes(); }},
        Row{"Drum", [] { return scenes::rotatingDrum(); }}, Row{"Elevator", [] { return scenes::elevator(); }},
        Row{"Conveyor", [] { return scenes::conveyor(); }},
        Row{"Incline", [] { return scenes::incline(0.26, 0.5, 5); }},
        Row{"StruckStack", [] { return scenes::struckStack(); }}, Row{"WingNut", [] { return scenes::wingNut(); }},
        Row{"Cradle", [] { return scenes::newtonsCradle(); }}, Row{"Billiard", [] { return scenes::billiardBreak(); }},
        Row{"FastBallAtWall", [] { return scenes::fastBall(scenes::Target::StaticWall); }},
        Row{"FastBallAtPlate", [] { return scenes::fastBall(scenes::Target::FreePlate); }},
        Row{"SnugCube", [] { return scenes::snugCube({.inflation = 0.02, .floor = true}); }},
        Row{"ConcavePile", [] { return scenes::concavePile({.count = 30}); }, 100},
        Row{"Pile", [] { return scenes::pile({.count = 1000}); }, 100}),
    [](const auto& row) { return row.param.name; });

TEST(Determinism, ACopyKnowsNothingOfTheOriginal) {
    Scene scene = scenes::struckStack();
    dynamics::World copy = scene.world;
    const uint64_t before = copy.stateHash();
    for (int frame = 0; frame < 30; ++frame) scene.world.step(kFrame);
    EXPECT_EQ(copy.stateHash(), before);
    EXPECT_NE(scene.world.stateHash(), before);
}

/// Whatever can make a difference to the future is in the hash.
TEST(Determinism, TheHashSeesSmallChanges) {
    const Scene scene = scenes::stackOfCubes(3);
    const dynamics::BodyId cube = scene.pieces[1];
    const auto changed = [&](const std::function<void(dynamics::World&)>& change) {
        dynamics::World world = scene.world;
        change(world);
        return world.stateHash() != scene.world.stateHash();
    };
    const dynamics::BodyState state = scene.world.state(cube);
    EXPECT_FALSE(changed([](dynamics::World&) {}));
    EXPECT_TRUE(changed([&](auto& world) { world.setVelocity(cube, Vec3(1e-12, 0, 0), Vec3::Zero()); }));
    EXPECT_TRUE(changed([&](auto& world) { world.setVelocity(cube, Vec3::Zero(), Vec3(1e-12, 0, 0)); }));
    EXPECT_TRUE(changed([&](auto& world) {
        world.setPose(cube, {state.pose.rotation, state.pose.translation + Vec3(1e-12, 0, 0)});
    }));
    EXPECT_TRUE(changed([&](auto& world) { world.remove(cube); }));
    EXPECT_TRUE(changed([&](auto& world) { world.add({.shape = dynamics::makeSphere(1)}); }));
}

/// What every hash leaves out must show as soon as it acts.
TEST(Determinism, TheHashSeesWhatChangesTheFuture) {
    const Scene scene = scenes::stackOfCubes(3);
    const auto changed = [&](const std::function<void(dynamics::World&)>& change) {
        dynamics::World world = scene.world;
        change(world);
        return world.stateHash() != scene.world.stateHash();
    };
    EXPECT_TRUE(changed([](auto& world) { world.addField(dynamics::UniformField{Vec3(1, 0, 0)}); }));
    EXPECT_TRUE(changed([](auto& world) {
        dynamics::StepOptions options;
        options.friction = false;
        world.setOptions(options);
    }));
}

}  // namespace
}  // namespace sunder
