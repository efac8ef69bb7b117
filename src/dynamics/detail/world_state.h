#pragma once

#include <vector>

#include "dynamics/detail/account/energy.h"
#include "dynamics/detail/solve/contact_solver.h"
#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"
#include "dynamics/world.h"

namespace sunder::dynamics {

/// Everything a world is. Copying it is a snapshot.
struct World::State {
    WorldOptions options;
    double time = 0;  // s
    detail::Bodies bodies;
    std::vector<uint32_t> freeSlots;  // descending, so that the lowest is taken first
    std::vector<ForceField> fields;
    detail::PairTable table;
    std::vector<Impact> impacts;  // of the last frame
    double lastFrame = 0;         // s
    double lastSubstep = 0;       // s, to which the impulses kept in the patches belong

    const detail::Body& body(BodyId id) const;
    detail::Body& body(BodyId id);
    BodyId idOf(uint32_t index) const { return {index, bodies[index].generation}; }

    BodyId add(const BodyOptions& options);
    void remove(BodyId id);
    StepResult step(double dt);
    /// Stops at the first thing that cannot be in a world between two stages of a step (detail/validate.h).
    void validate() const;

private:
    bool tryStep(double dt, StepResult& result);
    void advance(double dt, int substeps, StepResult& result);
    void addImpacts(const std::vector<detail::PatchResult>& results, const detail::MotionBefore& before);
};

}  // namespace sunder::dynamics
