#include "io/looks/scene_looks.h"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

/// Colours of scenes are as screens show them; light adds up linearly.
Vec3 linear(const Vec3& colour) {
    Vec3 result;
    for (int i = 0; i < 3; ++i)
        result[i] = colour[i] <= 0.04045 ? colour[i] / 12.92 : std::pow((colour[i] + 0.055) / 1.055, 2.4);
    return result;
}

Look lookOf(scene::Look look) {
    // colours are linear; `mottle` and `bumps` belong to grained materials, reflection to polished ones
    using enum scene::Look;
    switch (look) {
        case Plain:
            return {};
        case Stone:
            return {.colour = {0.46, 0.42, 0.36}, .specular = 0.05, .roughness = 0.1, .mottle = 0.3, .bumps = 0.15};
        case Concrete:
            return {.colour = {0.50, 0.50, 0.49}, .specular = 0.03, .roughness = 0.2, .mottle = 0.18, .bumps = 0.1};
        case Brick:
            return {.colour = {0.42, 0.14, 0.08}, .specular = 0.03, .roughness = 0.2, .mottle = 0.3, .bumps = 0.2};
        case Glass:
            return {.colour = {0.86, 0.95, 0.92},
                    .specular = 0.9,
                    .roughness = 0.002,
                    .reflection = 0.1,
                    .transparency = 0.82,
                    .ior = 1.5};
        case Clay:
            return {.colour = {0.52, 0.25, 0.15}, .specular = 0.04, .roughness = 0.15, .mottle = 0.08, .bumps = 0.04};
        case Ceramic:
            return {.colour = {0.78, 0.77, 0.73}, .specular = 0.6, .roughness = 0.01, .reflection = 0.04};
        case Wood:
            return {.colour = {0.40, 0.22, 0.10}, .specular = 0.1, .roughness = 0.06, .mottle = 0.25, .grain = 0.1};
        case Metal:
            return {.colour = {0.30, 0.32, 0.35}, .specular = 0.8, .roughness = 0.01, .reflection = 0.3};
        case Ice:
            return {.colour = {0.85, 0.93, 0.97},
                    .specular = 0.7,
                    .roughness = 0.01,
                    .reflection = 0.06,
                    .transparency = 0.6,
                    .ior = 1.31};
    }
    return {};
}

}  // namespace

Looks looksOf(const scene::Material& material) {
    Looks looks;
    looks.outside = lookOf(material.look);
    if (material.colour) looks.outside.colour = linear(*material.colour);
    looks.inside = looks.outside;
    if (looks.outside.transparency == 0) {  // a fresh break is lighter than the outside, and dull
        constexpr double kLighter = 0.3;    // of the way to white
        looks.inside.colour += kLighter * (Vec3::Ones() - looks.outside.colour);
        looks.inside.specular = std::min(looks.inside.specular, 0.03);
        looks.inside.roughness = std::max(looks.inside.roughness, 0.1);
        looks.inside.reflection = 0;
    }
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
