#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "math/vec.h"

namespace sunder::fracture {

/// The body that gave a load, as whoever asks names it: loads of one body have one name.
struct Giver {
    uint32_t index = std::numeric_limits<uint32_t>::max(), generation = 0;  // as they are: nobody that can be named
    friend bool operator==(Giver, Giver) = default;
};

/// What one impact is to a body that feels it. In the frame of the body's mesh, as the body was when they met.
struct Load {
    Vec3 point = Vec3::Zero();                                   // m, on the surface or near it
    Vec3 normal = Vec3::Zero();                                  // unit, into the body
    Vec3 impulse = Vec3::Zero();                                 // N s, on the body
    double approachSpeed = 0;                                    // m/s, >= 0, before the contact
    double otherMass = std::numeric_limits<double>::infinity();  // kg, of the giver; endless: it cannot be moved
    Giver giver;                     // the body that struck: loads of one giver count together
    Vec3 worldPoint = Vec3::Zero();  // m, where the impulse acted; for people: no answer depends on it
};

/// All that a body met in a frame, and what lasts of those before.
struct Loads {
    std::vector<Load> list;      // in no order that methods may rely on
    double duration = 1.0 / 30;  // s, of the frame
    double gravity = 9.81;       // m/s^2: what the weight of a body that rests is measured by
    bool mayGoOn = false;        // the frame may have ended in the middle of a blow, and have only part of its impulse
};

/// Whether a load is that of a body that rests: it came no faster than gravity moves a body within two frames. Weight
/// presses in every frame, and hard where frames are long, but breaks nothing that could stand before.
bool rests(const Load& load, const Loads& loads);

/// The load of the largest impulse, the first of several: of a blow if there is one, for what only rests there may
/// press harder and still breaks nothing. Null when there is none.
const Load* hardest(const Loads& loads);

}  // namespace sunder::fracture
