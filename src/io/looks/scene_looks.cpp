#include "io/looks/scene_looks.h"

#include <cmath>

#include "material/catalogue.h"

namespace sunder {

namespace {

/// Colours of scenes are as screens show them; light adds up linearly.
Vec3 linear(const Vec3& colour) {
    Vec3 result;
    for (int i = 0; i < 3; ++i)
        result[i] = colour[i] <= 0.04045 ? colour[i] / 12.92 : std::pow((colour[i] + 0.055) / 1.055, 2.4);
    return result;
}

}  // namespace

Looks looksOf(const scene::Material& material) {
    const LookEntry* named = findLook(material.look);
    const LookEntry& entry = named != nullptr ? *named : plainLook();
    Looks looks;
    looks.outside = entry.outside;
    if (material.colour) looks.outside.colour = linear(*material.colour);
    looks.inside = crackFaceOf(entry, looks.outside);
    if (material.insideColour) looks.inside.colour = linear(*material.insideColour);
    return looks;
}

Backdrop backdropOf(scene::Background background) {
    using enum scene::Background;
    switch (background) {
        case Studio:
            break;
        case Sky:
            return {{0.80, 0.87, 0.95}, Vec3(0.16, 0.33, 0.66)};
        case Dark:
            return {{0.02, 0.02, 0.025}, {}};
        case White:
            return {{1, 1, 1}, {}};
    }
    return {};
}

}  // namespace sunder
