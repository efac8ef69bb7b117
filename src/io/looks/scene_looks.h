#pragma once

#include <optional>

#include "io/looks/look.h"
#include "scene/scene.h"

namespace sunder {

/// The look of the surface a body had, and of what breaking laid open.
struct Looks {
    Look outside, inside;
};
Looks looksOf(const scene::Material& material);

/// What is behind everything, linear RGB.
struct Backdrop {
    Vec3 horizon{0.72, 0.74, 0.77};
    std::optional<Vec3> zenith;  // it changes to this upwards
};
Backdrop backdropOf(scene::Background background);

}  // namespace sunder
