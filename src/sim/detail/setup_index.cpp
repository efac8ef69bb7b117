#include <algorithm>

#include "sim/detail/simulation_state.h"

namespace sunder::sim::detail {

SetupIndex::SetupIndex(SimulationSetup& setup, const SetupIndex* before) {
    std::stable_sort(setup.explosions.begin(), setup.explosions.end(),
                     [](const TimedExplosion& a, const TimedExplosion& b) { return a.time < b.time; });
    std::stable_sort(setup.actions.begin(), setup.actions.end(),
                     [](const BodyAction& a, const BodyAction& b) { return a.time() < b.time(); });
    late = lateBodies(setup);
    for (uint32_t i = 0; i < setup.bodies.size(); ++i) {
        const BodySetup& body = setup.bodies[i];
        if (body.appears <= 0) first.push_back(i);
    }
    fingerprints = Fingerprints(setup, before != nullptr ? &before->fingerprints : nullptr);
}

}  // namespace sunder::sim::detail
