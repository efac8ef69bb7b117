#include "scene/start_bodies.h"

#include "scene/looks.h"
#include "scene/motion.h"
#include "scene/shape_names.h"

namespace sunder::scene {

namespace {

StartBody floorOf(const Scene& scene) {
    StartBody floor;
    floor.placed.name = "floor";
    floor.placed.pointer = "/floor";
    floor.material = &materialOf(scene, scene.floor.material);
    floor.materialKey = materialKey(scene.floor.material, "/floor");
    floor.pose.translation.y() = scene.floor.height;
    return floor;
}

StartBody startOf(const Scene& scene, PlacedBody placed) {
    const Body& body = *placed.body;
    StartBody start;
    start.material = &materialOf(scene, body.material);
    start.materialKey = materialKey(body.material, placed.pointer);
    start.kind = body.kind;
    start.fracture = fractureOf(scene, body, placed.pointer);
    // a body with a motion begins where that says
    start.pose = placed.pose();
    if (body.motion) {
        start.motion = motionFrom(*body.motion, placed.poseInGroup, placed.worldFromGroup);
        start.pose = dynamics::poseAt(*start.motion, 0);
    }
    start.placed = std::move(placed);
    return start;
}

}  // namespace

bool StartBody::isHalfSpace() const {
    return placed.body == nullptr || (placed.body->shape && placed.body->shape->name == kPlane);
}

std::vector<StartBody> startBodies(const Scene& scene) {
    std::vector<StartBody> all;
    if (scene.floor.present) all.push_back(floorOf(scene));
    for (PlacedBody& placed : placedBodies(scene)) all.push_back(startOf(scene, std::move(placed)));
    return all;
}

}  // namespace sunder::scene
