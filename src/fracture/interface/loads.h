#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "math/vec.h"

namespace sunder::fracture {

/// One push that a body got within a frame. In the frame of the body's mesh, as the body was when they met.
struct Load {
    Vec3 point = Vec3::Zero();                                   // m, on the surface or near it
    Vec3 normal = Vec3::Zero();                                  // unit, into the body
    Vec3 impulse = Vec3::Zero();                                 // N s, on the body
    double approachSpeed = 0;                                    // m/s, >= 0, before the contact
    double otherMass = std::numeric_limits<double>::infinity();  // kg, of the body that pushed
    uint32_t from = 0;                                           // the body that pushed: all its pushes have one number
};

/// All that a body met in a frame, and what it still feels of those before.
struct Loads {
    std::vector<Load> pushes;
    double duration = 1.0 / 30;  // s, of the frame
    bool mayGoOn = false;        // the frame may have ended in the middle of a blow, and have only part of its impulse
};

/// The push of the largest impulse, the first of several; null when there is none.
const Load* hardest(const Loads& loads);

}  // namespace sunder::fracture
