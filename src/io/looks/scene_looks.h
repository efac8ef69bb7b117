#pragma once

#include <optional>

#include "io/looks/look.h"
#include "scene/scene.h"

namespace sunder {

/// The look of the surface a body had, and of what breaking laid open.
struct Looks {
    Look outside, inside;  // colours linear
};
/// The look its name stands for, with the colours that the material gives itself.
Looks looksOf(const scene::Material& material);

/// What is behind everything, linear RGB.
struct Backdrop {
    Vec3 horizon{0.72, 0.74, 0.77};  // and everything, where there is no zenith
    std::optional<Vec3> zenith;      // it changes to this upwards
};
/// What the scene's word for a background stands for.
Backdrop backdropOf(scene::Background background);

}  // namespace sunder
