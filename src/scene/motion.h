#pragma once

#include "dynamics/motion.h"
#include "scene/body.h"

namespace sunder::scene {

/// The motion of a body that starts at `start`, in the frame of its group.
dynamics::Motion motionFrom(const MotionSettings& settings, const RigidTransform& start,
                            const RigidTransform& worldFromGroup);

}  // namespace sunder::scene
