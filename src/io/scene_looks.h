#pragma once

#include "io/pov.h"
#include "scene/scene.h"

namespace sunder {

/// Of the surface a body had and of what breaking laid open.
struct Looks {
    Look outside, inside;
};

Looks looksOf(const scene::Material& material);
void setBackground(scene::Background background, PovScene& picture);

}  // namespace sunder
