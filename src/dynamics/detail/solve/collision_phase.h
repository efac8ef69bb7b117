#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "dynamics/detail/solve/solver_bodies.h"
#include "dynamics/detail/state/body.h"

namespace sunder::dynamics::detail {

/// A lane whose materials bounce.
struct Restituting {
    uint32_t group = 0;
    int lane = 0;
    double restitution = 0;
    uint32_t patch = 0;
    uint32_t a = 0, b = 0;  // bodies of the world
    int count = 0;
    std::array<Vec3f, Manifold::kMaxPoints> arms{};         // lever arms of A, m, world
    std::array<float, Manifold::kMaxPoints> separations{};  // m, at the start of the frame
};

/// What the collisions of a pair gave B in a frame, N s and N m s; A got the opposite.
struct CollisionImpulse {
    Vec3 impulse = Vec3::Zero();
    Vec3 momentOnA = Vec3::Zero(), momentOnB = Vec3::Zero();                               // about the centres
    Vec3 friction = Vec3::Zero(), frictionOnA = Vec3::Zero(), frictionOnB = Vec3::Zero();  // their part of these
    Vec3 shiftA = Vec3::Zero(), shiftB = Vec3::Zero();  // (how far the body had moved) x impulse

    CollisionImpulse& operator+=(const CollisionImpulse& other) {
        impulse += other.impulse;
        momentOnA += other.momentOnA;
        momentOnB += other.momentOnB;
        friction += other.friction;
        frictionOnA += other.frictionOnA;
        frictionOnB += other.frictionOnB;
        shiftA += other.shiftA;
        shiftB += other.shiftB;
        return *this;
    }
};

/// Scale of an impulse for which it does not raise the energy of its pair: 1 whole, 0 none. [su2009] section 2.2:
///
///     dKE(s) = s B + s^2 A / 2,   s* = -2 B / A
///
///     B   impulse . relative velocity (linear and angular parts), J per unit scale
///     A   impulse . inverse mass . impulse, J
double clampedScale(double workLinear, double workQuadratic);

/// The collisions of a substep, before gravity acts: pairs that would meet within it and approach now get an impulse
/// with restitution and friction, one pair after the other, until none approaches. What is at rest and only falls
/// together by gravity is not a collision. [su2009] section 3, step 1.
class CollisionPhase {
public:
    CollisionPhase(const Bodies& bodies, std::span<const WideManifold> groups, SolverBodies& solver,
                   std::vector<Restituting> restituting, const StepOptions& options)
        : bodies_(bodies), groups_(groups), solver_(solver), restituting_(std::move(restituting)), options_(options) {}

    void run(double h, const std::vector<Vec3>& accelerations);
    /// By patch; those that collided only.
    const std::map<uint32_t, CollisionImpulse>& impulses() const { return impulses_; }
    size_t count() const { return count_; }

private:
    bool collide(const Restituting& contact, double h, const std::vector<Vec3>& accelerations);

    const Bodies& bodies_;
    std::span<const WideManifold> groups_;
    SolverBodies& solver_;
    const std::vector<Restituting> restituting_;
    const StepOptions& options_;
    std::map<uint32_t, CollisionImpulse> impulses_;
    size_t count_ = 0;
};

}  // namespace sunder::dynamics::detail
