#pragma once

#include "dynamics/free_rotation.h"
#include "tests/scenes/rigid_scenes.h"

/// What the builders share.
namespace sunder::scenes {

inline RigidTransform at(const Vec3& position) { return {Quat::Identity(), position}; }

inline ContactMaterial surface(double friction, double restitution = 0) {
    ContactMaterial material;
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

inline dynamics::BodyId addFloor(Scene& scene, const ContactMaterial& material = {}) {
    const dynamics::BodyId floor =
        scene.world.add({.shape = dynamics::makeHalfSpace(), .kind = dynamics::BodyKind::Static, .material = material});
    scene.named["floor"] = floor;
    return floor;
}

inline dynamics::BodyId addPiece(Scene& scene, const dynamics::BodyOptions& body) {
    scene.pieces.push_back(scene.world.add(body));
    return scene.pieces.back();
}

}  // namespace sunder::scenes
