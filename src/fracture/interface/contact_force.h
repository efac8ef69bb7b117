#pragma once

#include "math/vec.h"

namespace sunder::fracture {

/// The mean force of one push while it lasts.
struct ContactForce {
    Vec3 point = Vec3::Zero();  // m
    Vec3 force = Vec3::Zero();  // N
    double radius = 0;          // m, of the patch where the bodies touch
    double time = 0;            // s, how long it lasts
    bool rests = false;         // no blow: it pushes all through the frame
};

}  // namespace sunder::fracture
