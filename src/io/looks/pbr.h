#pragma once

#include "io/looks/look.h"

namespace sunder {

/// A look in the terms that glTF and UsdPreviewSurface share.
struct PbrLook {
    Vec3 colour;              // linear RGB
    double metallic = 0;      // 0 or 1
    double roughness = 0.5;   // 0 mirror, 1 dull
    double transmission = 0;  // share of light that goes through
    double ior = 1.5;
};

PbrLook pbrLook(const Look& look);

}  // namespace sunder
