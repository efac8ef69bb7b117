#pragma once

#include <span>
#include <vector>

#include "dynamics/world.h"
#include "sim/break_report.h"

namespace sunder::sim::detail {

/// A rigid body's mass, place and motion, whatever keeps it from moving.
struct RigidMotion {
    double mass = 0;                      // kg
    Vec3 centre = Vec3::Zero();           // m, world
    Mat3 inertia = Mat3::Zero();          // kg m^2, about the centre, world axes
    Vec3 velocity = Vec3::Zero();         // m/s
    Vec3 angularVelocity = Vec3::Zero();  // rad/s
    Vec3 angularMomentum = Vec3::Zero();  // kg m^2/s, about the centre

    Vec3 velocityAt(const Vec3& point) const { return velocity + angularVelocity.cross(point - centre); }
    double kinetic() const { return 0.5 * mass * velocity.squaredNorm() + 0.5 * angularVelocity.dot(angularMomentum); }
    /// How much the velocity of a point along a unit vector changes by a unit impulse there, 1/kg.
    double yielding(const Vec3& point, const Vec3& along) const;
    void push(const Vec3& impulse, const Vec3& point);
};

/// A shape of some mass, at rest.
RigidMotion atRest(const dynamics::Shape& shape, double mass, const RigidTransform& pose);
/// As it is in the world; `mass` is that of a body the world gives none. What is held does not move.
RigidMotion motionOf(const dynamics::World& world, dynamics::BodyId id, double mass);

/// Sets the velocities of pieces to one rigid motion such that their linear and angular momenta sum to the whole's, by
/// their own masses, centres and inertias, which need not add up to the whole's:
///
///     v_i = v' + w' x (c_i - C'),  w_i = w',   v' = P / M,   w' = J^-1 (L - M (C' - C) x v')
///
///     P, L   momenta of the whole, L about its centre C
///     M, C'  mass and centre of the pieces together, J their inertia about it
void shareMotion(const RigidMotion& whole, std::span<RigidMotion> pieces);

/// About a point.
Momentum momentumOf(std::span<const RigidMotion> bodies, const Vec3& about);

/// The impulse along the line of contact that takes some energy from two bodies that approach each other there; what
/// they do not have is not taken:
///
///     J u - J^2 k / 2 = E
///
///     u  speed of approach, m/s
///     k  how much both yield together, 1/kg
double impulseThatTakes(double energy, double approach, double yielding);

}  // namespace sunder::sim::detail
