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

/// Voronoi cells of random sites that fill a box, each a hull placed where it is in the box; seen through a stretch, so
/// that they may be long. Each is larger by `inflation` of its size.
struct VoronoiOptions {
    Box3 box;  // m
    size_t count = 200;
    uint64_t seed = 1;
    Vec3 stretch = Vec3::Ones();
    double inflation = 0;
};
std::vector<dynamics::BodyOptions> voronoiPieces(const VoronoiOptions& options);

}  // namespace sunder::scenes
