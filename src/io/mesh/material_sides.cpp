#include "io/mesh/material_sides.h"

#include "material/catalogue.h"

namespace sunder {

namespace {

constexpr std::string_view kInsideSuffix = "_inside";

}  // namespace

std::string insideNameOf(const std::string& material) { return withoutInside(material) + std::string(kInsideSuffix); }

std::string withoutInside(const std::string& material) {
    return material.ends_with(kInsideSuffix) ? material.substr(0, material.size() - kInsideSuffix.size()) : material;
}

Look lookOfSide(const std::string& material, bool inside) {
    if (const LookEntry* ready = lookOfMaterial(withoutInside(material)))
        return inside ? crackFaceOf(*ready, ready->outside) : ready->outside;
    if (inside) return {.colour = Vec3(0.42, 0.32, 0.25), .roughness = 1.0};
    return {.colour = Vec3::Constant(0.8), .roughness = 0.6};
}

}  // namespace sunder
