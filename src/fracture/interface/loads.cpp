#include "fracture/interface/loads.h"

namespace sunder::fracture {

const Load* hardest(const Loads& loads) {
    const Load* best = nullptr;
    for (const Load& load : loads.list) {
        if (best == nullptr || load.impulse.squaredNorm() > best->impulse.squaredNorm()) best = &load;
    }
    return best;
}

}  // namespace sunder::fracture
