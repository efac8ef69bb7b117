#pragma once

#include <optional>
#include <string>

#include "fracture/methods.h"
#include "material/contact_material.h"
#include "schema/types.h"

namespace sunder::scene {

/// How it is drawn.
enum class Look { Plain, Stone, Concrete, Brick, Clay, Glass, Ceramic, Wood, Metal, Ice };

struct Material {
    double density = 2500;  // kg/m^3
    ContactMaterial contact;
    std::optional<fracture::MethodSettings> fracture;  // absent: never breaks
    Look look = Look::Stone;
    std::optional<Vec3> colour;        // 0 to 1; absent: the look's own
    std::optional<Vec3> insideColour;  // of crack faces
};

/// One of the scene's materials by name, or one of its own.
struct MaterialChoice {
    std::string name;  // empty: the default material, unless there is an own one
    std::optional<Material> own;
};

}  // namespace sunder::scene
