#include "sim/simulation_setup.h"

namespace sunder::sim {

double BodyAction::time() const {
    if (const auto* pull = std::get_if<PullAction>(&what)) return pull->path.front().time;
    if (const auto* push = std::get_if<PushAction>(&what)) return push->time;
    return std::get<PlaceAction>(what).time;
}

Vec3 SimulationSetup::uniformAcceleration() const {
    Vec3 sum = world.gravity;
    for (const dynamics::ForceField& field : fields) {
        if (const auto* uniform = std::get_if<dynamics::UniformField>(&field)) sum += uniform->acceleration;
    }
    return sum;
}

}  // namespace sunder::sim
