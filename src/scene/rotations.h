#pragma once

#include "math/rigid_transform.h"
#include "scene/body.h"

namespace sunder::scene {

/// Own trigonometry: the same on every machine.
Quat quaternionOf(const Rotation& rotation);

}  // namespace sunder::scene
