#pragma once

#include "tests/reference_stepper.h"

/// Exact contact geometry of the reference stepper.
namespace sunder::reference {

/// One point where two bodies touch, or are nearer than asked.
struct ContactPoint {
    size_t a = 0, b = 0;
    Vec3 point = Vec3::Zero();   // m, world
    Vec3 normal = Vec3::Zero();  // unit, from a to b
    double gap = 0;              // m, negative when they overlap
    /// What the velocities alone add to the gap's second derivative, m/s^2: the accelerations of the two material
    /// points add the rest.
    double gapCurvature = 0;
};

/// All with gap <= reach, pairs in order. Not between static bodies.
std::vector<ContactPoint> contactPoints(const std::vector<Body>& bodies, double reach);

/// Of the material of a body, m/s.
inline Vec3 velocityAt(const Body& body, const Vec3& point) {
    return body.velocity + body.angularVelocity.cross(point - body.pose.translation);
}

}  // namespace sunder::reference
