#pragma once

#include <vector>

#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"

namespace sunder::dynamics::detail {

/// What one patch did in a frame.
struct PatchResult {
    Vec3 impulse = Vec3::Zero();  // N s, on B
    Vec3 momentOnA = Vec3::Zero(),
         momentOnB = Vec3::Zero();  // N m s, about the centres; A gets the opposite of its own
    double normalImpulse = 0;       // N s
    double approachSpeed = 0;       // m/s, before
    Vec3 friction = Vec3::Zero();   // N s, the part of the impulse that is friction
    Vec3 frictionOnA = Vec3::Zero(), frictionOnB = Vec3::Zero();  // N m s, its part of the moments
    double workOfWall = 0;                                        // J, that a body which is not mobile did on the other
};

struct SolveCounters {
    size_t manifolds = 0, points = 0, colours = 0, collisions = 0, sweeps = 0;
    size_t withoutMomentum = 0;  // substeps whose sweeps went on without their momentum, since that ran away
};

struct FrameSolution {
    std::vector<PatchResult> patches;  // one per patch of the table; zeros where nothing moves
    std::vector<Vec3> displacement;    // m, per body, without pushes
    std::vector<Vec3> push;            // m
    std::vector<Vec3> rotation;        // rad, pushes included
    std::vector<uint8_t> touched;      // did contacts act on the body?
    SolveCounters counters;
};

struct SolverSettings {
    double dt = 0;
    const std::vector<Vec3>* accelerations = nullptr;         // m/s^2, per body
    const std::vector<Vec3>* angularAccelerations = nullptr;  // rad/s^2, per body
    StepOptions options;

    double substep() const { return dt / options.substeps; }  // s
};

/// To be called when the substep changes: the impulses that patches start from belong to one.
void scaleImpulses(PairTable& table, float factor);

/// Solves a frame: several substeps of kick, collide, sweep, drift. Changes the velocities and angular momenta of the
/// bodies (in double, by equal and opposite impulses) and the impulses the patches start from next time; positions are
/// left to the caller.
FrameSolution solveContacts(Bodies& bodies, std::vector<ContactPatch>& patches, const SolverSettings& settings);

}  // namespace sunder::dynamics::detail
