#pragma once

#include <vector>

#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/state/body.h"

namespace sunder::dynamics::detail {

double kineticEnergy(const Body& body);     // J
double rotationalEnergy(const Body& body);  // J

/// The acceleration that has a potential, m/s^2.
Vec3 uniformAcceleration(const Vec3& gravity, const std::vector<ForceField>& fields);

/// Energies and momenta of all dynamic bodies as they are now.
void sumUp(const Bodies& bodies, const Vec3& uniform, EnergyAccount& energy);

/// Each body's motion at the start of a collision pass.
struct MotionBefore {
    std::vector<double> kinetic;                            // J
    std::vector<Vec3> position, velocity, angularVelocity;  // m, m/s, rad/s
    std::vector<Quat> orientation;
};
MotionBefore motionBefore(const Bodies& bodies);

/// What did work on the bodies in a pass, besides gravity.
struct Forces {
    Vec3 uniform = Vec3::Zero();        // m/s^2, the part of all accelerations that has a potential
    std::vector<Vec3> linear, angular;  // m/s^2 and rad/s^2, per body, all together
};

/// Between solving and moving: adds up what the impulses did. An impulse J that changes the relative velocity of its
/// two points from u0 to u1 takes -J.(u0 + u1)/2 from the pair, exactly; what it does against the velocity of a
/// scripted body is that body's work (kept in the patch results too).
void addContactWork(const Bodies& bodies, const PairTable& table, const MotionBefore& before, FrameSolution& solution,
                    EnergyAccount& energy);

/// After moving: adds the work of fields and of pushing apart. With `guard` then takes from each group of touching
/// bodies whatever energy it gained without work being done on it: rounding, unconverged contacts. Momentum of free
/// groups is kept. Overlap whose removal a group cannot pay is left alone from then on, like overlap from birth.
void addMotion(Bodies& bodies, PairTable& table, const MotionBefore& before, const Forces& forces, double dt,
               const FrameSolution& solution, bool guard, EnergyAccount& energy);

}  // namespace sunder::dynamics::detail
