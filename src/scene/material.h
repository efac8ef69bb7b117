#pragma once

#include <optional>
#include <string>

#include "fracture/methods.h"
#include "material/contact_material.h"
#include "material/solid_material.h"
#include "schema/types.h"

namespace sunder::scene {

/// Constants that methods of fracture ask for, where they are not the base's.
struct SolidOverrides {
    std::optional<double> youngsModulus;   // Pa
    std::optional<double> poissonRatio;    // 0 to 0.45
    std::optional<double> strength;        // Pa
    std::optional<double> extension;       // share of the strength
    std::optional<double> acrossGrain;     // share of the strength
    std::optional<double> crackEnergy;     // J/m^2
    std::optional<double> breakingSpeed;   // m/s
    std::optional<double> crackRoughness;  // in parts of the size of a tet
    bool operator==(const SolidOverrides&) const = default;
};

/// What bodies are made of: how heavy, how smooth, how strong, how it breaks and how it looks.
struct Material {
    std::string base;                                  // the name of a ready one (material/catalogue.h); empty: none
    double density = 2500;                             // kg/m^3
    ContactMaterial contact;                           // how it rubs and bounces
    SolidOverrides solid;                              // what differs from the base
    std::optional<fracture::MethodSettings> fracture;  // absent: never breaks
    std::string look = "stone";                        // the name of one (material/catalogue.h)
    std::optional<Vec3> colour;                        // 0 to 1; absent: the look's own
    std::optional<Vec3> insideColour;                  // of crack faces
};

/// The ready material of that name, without changes; null: there is none.
const Material* readyMaterial(const std::string& name);

/// What methods of fracture are told of it; nothing when it has neither a base nor constants of its own.
std::optional<SolidMaterial> solidMaterialOf(const Material& material);

/// One of the scene's materials by name, a ready one, or one of its own.
struct MaterialChoice {
    std::string name;             // empty: the default material, unless there is an own one
    std::optional<Material> own;  // goes before the name
};

}  // namespace sunder::scene
