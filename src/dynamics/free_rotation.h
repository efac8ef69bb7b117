#pragma once

#include "math/vec.h"

namespace sunder::dynamics {

/// A rigid body turning without torque.
struct Rotor {
    Quat orientation = Quat::Identity();  // world from principal axes
    Vec3 moments = Vec3::Ones();          // kg m^2, about the principal axes
    Vec3 angularMomentum = Vec3::Zero();  // kg m^2/s, world
};

Vec3 angularVelocity(const Rotor& rotor);     // rad/s, world
double rotationalEnergy(const Rotor& rotor);  // J

/// Turns the body for a time, keeping angular momentum (by not touching it) and rotational energy to round-off.
/// [su2009] section 2.1, corrected: see docs/methods/rigid-bodies.md.
Quat turnedFreely(const Rotor& rotor, double dt);

/// Turns the body as little as needed, about an axis across the angular momentum, so that its rotational energy
/// becomes `energy`. Possible for any energy between the least and the greatest that this momentum allows; others are
/// brought to the nearest.
Quat withRotationalEnergy(const Rotor& rotor, double energy);

/// Rotation by |rotationVector| radians about its direction; own trigonometry, the same on every machine.
Quat rotationBy(const Vec3& rotationVector);

/// The shorter rotation that a unit quaternion makes, as axis times radians: at most pi.
Vec3 rotationVector(const Quat& rotation);

/// Rotation about an axis of any length; none when it has none. The same on every machine, as the next.
Quat turnAbout(const Vec3& axis, double radians);
/// sin(2 pi turns)
double sineOfTurns(double turns);

}  // namespace sunder::dynamics
