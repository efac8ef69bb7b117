#pragma once

#include <vector>

#include "dynamics/detail/body.h"
#include "dynamics/detail/contact_solver.h"

namespace sunder::dynamics::detail {

double kineticEnergy(const Body& body);     // J
double rotationalEnergy(const Body& body);  // J

/// Each body's energies at the start of a frame.
struct EnergyBefore {
    std::vector<double> kinetic;  // J
    std::vector<Vec3> position;   // m
    Vec3 uniform = Vec3::Zero();  // m/s^2, the acceleration that has a potential
    double mechanical = 0;        // J
};
EnergyBefore energyBefore(const Bodies& bodies, const Vec3& gravity, const std::vector<ForceField>& fields);

/// Energies and momenta of all dynamic bodies as they are now.
void sumUp(const Bodies& bodies, const Vec3& uniform, EnergyAccount& energy);

/// Adds the frame up. With options.step.energyGuard first takes from each group of touching bodies whatever energy it
/// gained without work being done on it: rounding, unconverged contacts. Momentum of free groups is kept.
EnergyAccount account(Bodies& bodies, const PairTable& table, const FrameSolution& solution, const EnergyBefore& before,
                      const std::vector<Vec3>& accelerations, const WorldOptions& options,
                      const std::vector<ForceField>& fields);

}  // namespace sunder::dynamics::detail
