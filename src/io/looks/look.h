#pragma once

#include <cstddef>

#include "math/vec.h"

namespace sunder {

/// How a surface looks, in terms of colour, highlight and what passes through.
struct Look {
    Vec3 colour{0.75, 0.74, 0.72};  // linear RGB, 0..1
    double specular = 0.1;          // highlight strength
    double roughness = 0.05;        // highlight width
    double reflection = 0;          // mirror share
    double transparency = 0;        // 1 = clear
    double ior = 1;                 // refraction index, when transparent
    double mottle = 0;              // how much the colour varies through the solid, as a share of it
    double grain = 0.05;            // m, size of its spots
    double bumps = 0;               // unevenness that only light shows
    bool operator==(const Look&) const = default;
};

/// Colours that tell neighbours apart, in a fixed order: pieceLook(0), pieceLook(1), ...
Look pieceLook(size_t number);

/// What a crack laid open, where nobody says how it looks.
inline const Look kFreshBreak{{0.80, 0.42, 0.28}, 0.03, 0.2, 0, 0, 1};

}  // namespace sunder
