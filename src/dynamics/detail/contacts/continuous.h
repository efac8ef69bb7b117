#pragma once

#include <vector>

#include "dynamics/detail/narrow/collide.h"
#include "dynamics/detail/state/body.h"

namespace sunder::dynamics::detail {

struct ContactPatch;

/// Where two fast bodies would first touch within the frame.
struct Sweep {
    bool found = false;
    double time = 0;                                  // s from the start of the frame
    double reach = 0;                                 // m: they are no farther apart then
    PairPose pose;                                    // at that time
    Vec3 moveA = Vec3::Zero(), moveB = Vec3::Zero();  // m, from the start of the frame
    Vec3 turnA = Vec3::Zero(), turnB = Vec3::Zero();  // rad

    /// Expresses a patch made at the time of impact by separations at the start of the frame, as the solver counts
    /// them: to first order in the bodies' motion.
    void rewind(ContactPatch& patch, const Body& a, const Body& b) const;
};

/// Conservative advancement [mirtich1996] along the bodies' free motion; found when they come nearer than `margin`.
Sweep timeOfImpact(const Body& a, const Body& b, double dt, const Vec3& gravity, double margin);

/// The last word against tunnelling: on its way from where it was `before`, no centre passes through a body that is
/// not mobile. A fast body that was deflected into one waits in front of it for the next pass.
void stopAtWalls(Bodies& bodies, const std::vector<ContactPatch>& patches, const std::vector<Vec3>& before);

}  // namespace sunder::dynamics::detail
