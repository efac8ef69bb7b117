#include <gtest/gtest.h>

#include "dynamics/detail/test_worlds.h"
#include "dynamics/world.h"

namespace sunder::dynamics {

namespace {

using namespace test_worlds;

/// Something of everything that a world can hold: what slides, what is told to move, what was removed, all fields.
World fullWorld() {
    World world;
    addFloor(world, surface(0.5, 0.2));
    const BodyId gone = world.add({.shape = makeSphere(0.1), .pose = at(5, 5, 5)});
    world.add(
        {.shape = makeBox(Vec3::Ones()), .pose = at(0, 0.5, 0), .velocity = Vec3(1, 0, 0), .material = surface(0.4)});
    world.add({.shape = makeBox(Vec3::Constant(0.5)), .pose = at(0, 1.2, 0), .angularVelocity = Vec3(0, 2, 0)});
    world.add({.shape = makeBox(Vec3::Constant(0.5)), .pose = at(3, 0.25, 0), .anchor = 1e6});
    const KeyframePath path{.keys = {{0, Vec3::Zero(), Quat::Identity()}, {2, Vec3(1, 0, 0), Quat::Identity()}}};
    world.add(
        {.shape = makeBox(Vec3::Ones()), .kind = BodyKind::Kinematic, .motion = Motion{path, at(-4, 0.5, 0), {}}});
    world.addField(UniformField{Vec3(0.1, 0, 0)});
    world.addField(RadialField{.centre = Vec3(1, 2, 3), .strength = 0.1});
    world.addField(DragField{.linear = 0.1, .wind = Vec3(0, 0, 1)});
    run(world, 3);
    world.remove(gone);
    run(world, 2);
    return world;
}

World loaded(std::span<const std::byte> bytes, const World& like) {
    return World::load(bytes, [&](BodyId id) {
        // a damaged generation names no body, but the slot's shape will do
        for (const BodyId body : like.bodies()) {
            if (body.index == id.index) return like.sharedShape(body);
        }
        return makeSphere(0.1);
    });
}

}  // namespace

TEST(WorldBytes, AWorldWithEverythingGoesOnAsIfUnbroken) {
    World world = fullWorld();
    World copy = loaded(world.save(), world);
    EXPECT_EQ(copy.contentHash(), world.contentHash());
    for (int frame = 0; frame < 30; ++frame) {
        world.step(kFrame);
        copy.step(kFrame);
        ASSERT_EQ(copy.contentHash(), world.contentHash()) << "frame " << frame;
        ASSERT_EQ(copy.save(), world.save()) << "frame " << frame;
    }
}

TEST(WorldBytes, TheContentHashSeesEveryByteOfTheState) {
    const World world = fullWorld();
    const uint64_t hash = world.contentHash();
    const std::vector<std::byte> bytes = world.save();
    size_t seen = 0, refused = 0;
    for (size_t i = sizeof(uint32_t); i < bytes.size(); ++i) {  // behind the version
        std::vector<std::byte> changed = bytes;
        changed[i] ^= std::byte{1};
        try {
            EXPECT_NE(loaded(changed, world).contentHash(), hash) << "byte " << i;
            ++seen;
        } catch (const std::runtime_error&) {
            ++refused;  // counts of things, and what points into arrays
        }
    }
    EXPECT_GT(seen, 0.9 * static_cast<double>(bytes.size()));
    EXPECT_GT(refused, 0u);
}

TEST(WorldBytes, TheContentHashSeesTheShape) {
    const World world = fullWorld();
    const World other = World::load(world.save(), [](BodyId) { return makeSphere(0.3); });
    EXPECT_EQ(other.save(), world.save());
    EXPECT_NE(other.contentHash(), world.contentHash());
}

}  // namespace sunder::dynamics
