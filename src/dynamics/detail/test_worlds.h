#pragma once

#include <exception>
#include <limits>
#include <string>

#include "dynamics/world.h"

/// What the tests of the world build their small scenes from.
namespace sunder::dynamics::test_worlds {

inline constexpr double kFrame = 1.0 / 30;  // s
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline RigidTransform at(double x, double y, double z) { return {Quat::Identity(), Vec3(x, y, z)}; }

inline ContactMaterial surface(double friction, double restitution = 0) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

inline WorldOptions weightless() {
    WorldOptions options;
    options.gravity = Vec3::Zero();
    return options;
}

inline WorldOptions awake() {
    WorldOptions options;
    options.step.sleeping = false;
    return options;
}

inline BodyId addFloor(World& world, const ContactMaterial& material = {}) {
    return world.add({.shape = makeHalfSpace(), .kind = BodyKind::Static, .material = material});
}

inline void run(World& world, int frames) {
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

}  // namespace sunder::dynamics::test_worlds
