#pragma once

#include <vector>

#include "base/staged_loops.h"
#include "dynamics/detail/solve/contact_kernels.h"
#include "dynamics/detail/state/body.h"

namespace sunder::dynamics::detail {

struct SolverSettings;

/// The bodies as the contact solver numbers and keeps them for a frame. Mobile ones come first, along a curve that
/// fills space: neighbours in the world are neighbours in memory, and threads that share a loop work in different
/// places.
struct SolverBodies {
    std::vector<uint32_t> slotOf;  // per body of the world
    std::vector<uint32_t> bodyOf;  // per slot, as all below

    std::vector<BodyRow> velocity, displacement, push;  // see SolverRows
    std::vector<CarriedMotion> motions;
    std::vector<BodyConstants> constants;
    std::vector<float> smooth;     // m^2/s^2: changes of velocity whose square is less happen evenly over a substep
    std::vector<float> gravity;    // m/s^2, size of the acceleration
    std::vector<float> thickness;  // m, half the smallest extent
    std::vector<Vec3> position;    // m

    SolverBodies(const Bodies& bodies, const SolverSettings& settings, StagedLoops& loops);
    size_t size() const { return bodyOf.size(); }
    SolverRows rows() { return {velocity.data(), displacement.data(), push.data()}; }
    bool mobile(uint32_t slot) const { return constants[slot].inverseMass > 0; }

private:
    void load(uint32_t slot, const Body& body, const SolverSettings& settings);
};

}  // namespace sunder::dynamics::detail
