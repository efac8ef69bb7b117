#pragma once

#include "dynamics/detail/state/body.h"

namespace sunder::dynamics::detail {

/// No point of the body is farther from its centre, m.
inline double sizeOf(const Body& body) { return body.shape->radius(); }

/// How far gravity may move it in the frame.
inline double fallBound(const Body& body, double dt, const Vec3& gravity) {
    return body.mobile() ? gravity.norm() * dt * dt : 0;
}

/// How far a point of the body moves in the frame with the velocity it has.
inline double motionOf(const Body& body, double dt) {
    return body.moves() ? dt * (body.velocity.norm() + body.angularVelocity.norm() * sizeOf(body)) : 0;
}

/// No two points of the bodies that may meet move against each other faster than this now, m/s.
double relativeSpeed(const Body& a, const Body& b);

inline constexpr float kContactMargin = 0.02f;  // of the smaller radius: contacts nearer than this are always looked at

/// Times g dt^2: how far a body falls within a pass while another is held; half, and what the substeps add.
inline constexpr double kFallInPass = 0.6;

}  // namespace sunder::dynamics::detail
