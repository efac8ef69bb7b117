#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "material/contact_material.h"
#include "material/look.h"
#include "material/solid_material.h"

// The one table of what things look like and are made of. A row more is a look or a material more: in scenes and
// their schema, docs/scene.md, pictures, exports, replays and Studio.

namespace sunder {

/// What a crack lays open, where it is not as outside. Its colour is a lighter one of the outside's.
struct CrackFace {
    double roughness = 0.88;  // as in Look
    double metallic = 0;      // as in Look
    Veil veil;                // for what is seen through
};

/// One row of the table.
struct LookEntry {
    std::string_view name;  // as scenes have it
    std::string_view help;  // half a sentence for lists: "grey, with pores"
    Look outside;           // the surface a body is made with
    CrackFace crack;        // the surface that cracks lay open
};

std::span<const LookEntry> looks();                // in the order they are listed
const LookEntry* findLook(std::string_view name);  // null: none of that name
/// The first, for whatever cannot be named.
const LookEntry& plainLook();

/// How a fresh break of that look is drawn: lighter than its outside, and dull; what is seen through stays clear.
Look crackFaceOf(const LookEntry& entry, const Look& outside);

/// As the browser is told of it: "grained".
std::string_view nameOf(ShadingFamily family);

/// How a body breaks where nobody solves for stress: one of the patterns of prescored fracture.
struct BreakHabit {
    std::string_view pattern;  // empty: it bends rather than breaks
    int pieces = 0;            // about how many it breaks into
};

/// A material by name, with constants as handbooks have them (room temperature; ice at -10 degrees C). Real ones
/// scatter by tens of percent, brittle strength by more. Where each is from: docs/methods/fem.md, "Ready materials".
struct MaterialEntry {
    std::string_view name;    // as scenes have it
    std::string_view help;    // which sort the constants are of: "soda-lime, annealed"
    SolidMaterial solid;      // with the density
    ContactMaterial contact;  // what bodies do where they touch
    std::string_view look;    // the name of one
    BreakHabit habit;         // for methods that compute no stress
};

std::span<const MaterialEntry> materials();                // in the order they are listed
const MaterialEntry* findMaterial(std::string_view name);  // null: none of that name
std::vector<std::string> materialNames();                  // of all, in the order they are listed
/// Of the material of that name; null: there is none.
const LookEntry* lookOfMaterial(std::string_view name);

/// Of what has neither a material nor constants of its own, where a method needs them: concrete.
const MaterialEntry& usualMaterial();

}  // namespace sunder
