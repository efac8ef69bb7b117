#pragma once

#include "dynamics/world.h"
#include "scene/body.h"

namespace sunder::scene {

/// Where a body that starts at `start` is moved by its script, in the frame of its group.
RigidTransform moved(const MotionSettings& motion, const RigidTransform& start, double time);

}  // namespace sunder::scene
