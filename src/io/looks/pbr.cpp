#include "io/looks/pbr.h"

#include <algorithm>
#include <cmath>

namespace sunder {

PbrLook pbrLook(const Look& look) {
    constexpr double kMirror = 0.2;         // what reflects more than this is metal
    constexpr double kFullHighlight = 0.3;  // highlights of this strength and more are those of a plain dielectric
    PbrLook pbr;
    pbr.colour = look.colour;
    pbr.transmission = look.transparency;
    if (look.transparency > 0) {
        pbr.roughness = 0;
        pbr.ior = look.ior;
        return pbr;
    }
    pbr.metallic = look.reflection >= kMirror ? 1 : 0;
    // POV-Ray's roughness is one over Blinn's exponent n; the distribution of equal width has alpha^2 = 2 / (n + 2),
    // and glTF's roughness is the root of alpha. A weak highlight, which a dielectric cannot have, is made a wide one.
    const double alpha = std::sqrt(2 / (1 / look.roughness + 2));
    pbr.roughness = 1 - (1 - std::sqrt(alpha)) * std::min(1.0, look.specular / kFullHighlight);
    return pbr;
}

}  // namespace sunder
