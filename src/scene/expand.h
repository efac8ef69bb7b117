#pragma once

#include <string>
#include <vector>

#include "math/rigid_transform.h"
#include "scene/scene.h"

namespace sunder::scene {

/// One body of the scene once arrays and instances are written out.
struct PlacedBody {
    std::string name;                     // path: "house/wall/r3c7"
    const Body* body = nullptr;           // lent by the scene
    std::string pointer;                  // where it stands in the file
    RigidTransform poseInGroup;           // motions are scripted there
    RigidTransform worldFromGroup;        // of the instances around it; none: as it is
    Vec3 velocity = Vec3::Zero();         // m/s, world
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    Vec3 scale = Vec3::Ones();            // of this member, besides that of its geometry

    RigidTransform pose() const { return worldFromGroup * poseInGroup; }  // of the given frame, in the world
};

/// All bodies in the order of the file, members of arrays row by row. The scene must be without errors.
std::vector<PlacedBody> placedBodies(const Scene& scene);

}  // namespace sunder::scene
