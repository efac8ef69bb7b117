#pragma once

#include <vector>

#include "dynamics/detail/body.h"
#include "dynamics/detail/contact_solver.h"
#include "dynamics/detail/pairs.h"
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
    std::vector<detail::PatchResult> lastResults;  // of the patches, in the last step
    double lastDt = 0;

    const detail::Body& body(BodyId id) const;
    detail::Body& body(BodyId id);
    BodyId idOf(uint32_t index) const { return {index, bodies[index].generation}; }

    BodyId add(const BodyOptions& options);
    void remove(BodyId id);
    StepResult step(double dt);

private:
    bool tryStep(double dt, StepResult& result);
};

}  // namespace sunder::dynamics
