// The same run twice is the same run: bit for bit, for any number of threads, and through a copy of the world.
#include <cstdlib>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "tests/scenes/every_scene.h"

namespace sunder {
namespace {

using scenes::Scene;

constexpr double kFrame = 1.0 / 30;  // s

int framesOf(const scenes::NamedScene& row) {
    return row.small || std::getenv("SUNDER_FULL_TESTS") != nullptr ? 300 : 100;
}

std::vector<uint64_t> hashes(Scene scene, int frames, int threads) {
    const ThreadLimit limit(threads);
    std::vector<uint64_t> all;
    for (int frame = 0; frame < frames; ++frame) {
        scene.world.step(kFrame);
        all.push_back(scene.world.contentHash());
    }
    return all;
}

size_t firstDifference(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
    size_t frame = 0;
    while (frame < a.size() && a[frame] == b[frame]) ++frame;
    return frame;
}

class EveryScene : public testing::TestWithParam<scenes::NamedScene> {};

TEST_P(EveryScene, IsTheSameOnOneTwoAndFourThreads) {
    const Scene scene = GetParam().build();
    const int frames = framesOf(GetParam());
    const std::vector<uint64_t> one = hashes(scene, frames, 1);
    EXPECT_NE(one.front(), one.back());  // a hash that sees nothing would always agree
    for (const int threads : {2, 4}) {
        EXPECT_EQ(firstDifference(one, hashes(scene, frames, threads)), size_t(frames)) << threads << " threads";
    }
}

TEST_P(EveryScene, BuiltAgainIsTheSame) {
    const int frames = 60;
    EXPECT_EQ(firstDifference(hashes(GetParam().build(), frames, 2), hashes(GetParam().build(), frames, 2)),
              static_cast<size_t>(frames));
}

TEST_P(EveryScene, GoesOnFromACopyAsIfUnbroken) {
    Scene scene = GetParam().build();
    for (int frame = 0; frame < 20; ++frame) scene.world.step(kFrame);
    const dynamics::World snapshot = scene.world;
    ASSERT_EQ(snapshot.contentHash(), scene.world.contentHash());
    std::vector<uint64_t> unbroken, restored, copied;
    for (int frame = 0; frame < 40; ++frame) {
        scene.world.step(kFrame);
        unbroken.push_back(scene.world.contentHash());
    }
    // back by assignment to a world that has gone on, and by a copy
    scene.world = snapshot;
    dynamics::World copy = snapshot;
    for (int frame = 0; frame < 40; ++frame) {
        scene.world.step(kFrame);
        restored.push_back(scene.world.contentHash());
        copy.step(kFrame);
        copied.push_back(copy.contentHash());
    }
    EXPECT_EQ(firstDifference(unbroken, restored), 40u);
    EXPECT_EQ(firstDifference(unbroken, copied), 40u);
}

TEST_P(EveryScene, GoesOnFromBytesAsIfUnbroken) {
    Scene scene = GetParam().build();
    for (int frame = 0; frame < 20; ++frame) scene.world.step(kFrame);
    dynamics::World loaded =
        dynamics::World::load(scene.world.save(), [&](dynamics::BodyId id) { return scene.world.sharedShape(id); });
    ASSERT_EQ(loaded.contentHash(), scene.world.contentHash());
    ASSERT_EQ(loaded.save(), scene.world.save());
    std::vector<uint64_t> unbroken, restored;
    for (int frame = 0; frame < 40; ++frame) {
        scene.world.step(kFrame);
        unbroken.push_back(scene.world.contentHash());
        loaded.step(kFrame);
        restored.push_back(loaded.contentHash());
    }
    EXPECT_EQ(firstDifference(unbroken, restored), 40u);
    EXPECT_EQ(loaded.save(), scene.world.save());
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scenes::everyScene()),
                         [](const auto& row) { return row.param.name; });

TEST(Determinism, ACopyKnowsNothingOfTheOriginal) {
    Scene scene = scenes::struckStack();
    dynamics::World copy = scene.world;
    const uint64_t before = copy.contentHash();
    for (int frame = 0; frame < 30; ++frame) scene.world.step(kFrame);
    EXPECT_EQ(copy.contentHash(), before);
    EXPECT_NE(scene.world.contentHash(), before);
}

TEST(Determinism, BytesCutShortAreRefused) {
    Scene scene = scenes::stackOfCubes(3);
    for (int frame = 0; frame < 5; ++frame) scene.world.step(kFrame);
    const std::vector<std::byte> bytes = scene.world.save();
    const auto shapeOf = [&](dynamics::BodyId id) { return scene.world.sharedShape(id); };
    for (size_t size = 0; size < bytes.size(); size += 7)
        EXPECT_THROW(dynamics::World::load(std::span(bytes).first(size), shapeOf), std::runtime_error) << size;
    std::vector<std::byte> longer = bytes;
    longer.push_back(std::byte{0});
    EXPECT_THROW(dynamics::World::load(longer, shapeOf), std::runtime_error);
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

/// What the published hash leaves out, the mass of a body among others, shows in it as soon as it acts.
TEST(Determinism, WhatTheHashLeavesOutShowsWhenItActs) {
    const auto struck = [](double density) {
        dynamics::World world;
        const dynamics::ShapePtr ball = dynamics::makeSphere(0.5);
        world.add({.shape = ball, .pose = {Quat::Identity(), Vec3(0, 9, 0)}, .density = 1000});
        world.add({.shape = ball,
                   .pose = {Quat::Identity(), Vec3(1.1, 9, 0)},
                   .velocity = Vec3(-6, 0, 0),
                   .density = density});
        return world;
    };
    dynamics::World light = struck(500), heavy = struck(5000);
    EXPECT_EQ(light.stateHash(), heavy.stateHash()) << "only masses and moments differ";
    EXPECT_NE(light.contentHash(), heavy.contentHash());
    light.step(kFrame), heavy.step(kFrame);
    EXPECT_NE(light.stateHash(), heavy.stateHash());
}

}  // namespace
}  // namespace sunder
