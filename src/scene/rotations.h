#pragma once

#include "math/rigid_transform.h"
#include "scene/body.h"

namespace sunder::scene {

/// Own trigonometry: the same on every machine.
Quat quaternionOf(const Rotation& rotation);
Quat turnAbout(const Vec3& axis, double radians);
/// sin(2 pi x)
double sineOfTurns(double turns);

}  // namespace sunder::scene
