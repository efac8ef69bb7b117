#include <algorithm>

#include "geometry/mesh/mass_properties.h"
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
        volumes.push_back(body.mesh ? volumeOf(*body.mesh, before) : 0);
    }
    fingerprints = Fingerprints(setup, before != nullptr ? &before->fingerprints : nullptr);
}

double SetupIndex::volumeOf(const TriMesh& mesh, const SetupIndex* before) {
    const auto [entry, fresh] = meshVolumes.try_emplace(&mesh);
    if (!fresh) return entry->second;
    const bool known = before != nullptr && before->meshVolumes.contains(&mesh);
    return entry->second = known ? before->meshVolumes.at(&mesh) : volume(mesh);
}

}  // namespace sunder::sim::detail
