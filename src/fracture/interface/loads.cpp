#include "fracture/interface/loads.h"

namespace sunder::fracture {

bool rests(const Load& load, const Loads& loads) { return !(load.approachSpeed > 2 * loads.gravity * loads.duration); }

const Load* hardest(const Loads& loads) {
    const Load* best = nullptr;
    for (const Load& load : loads.list) {
        const bool harder = best == nullptr || load.impulse.squaredNorm() > best->impulse.squaredNorm();
        const bool sameKind = best == nullptr || rests(load, loads) == rests(*best, loads);
        if (sameKind ? harder : rests(*best, loads)) best = &load;
    }
    return best;
}

}  // namespace sunder::fracture
