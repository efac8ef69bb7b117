#include "material/catalogue.h"

#include <algorithm>

#include "base/assert.h"

namespace sunder {

namespace {

/// One row a look. Colours are linear.
std::vector<LookEntry> lookTable() {
    using enum ShadingFamily;
    std::vector<LookEntry> table;
    // one colour
    table.push_back({.name = "plain", .help = "one colour, dull", .outside = {.roughness = 0.65}});
    // minerals: mottled, with spots
    table.push_back({.name = "stone",
                     .help = "grey-brown, with light and dark flecks",
                     .outside = {.colour = {0.46, 0.42, 0.36},
                                 .roughness = 0.82,
                                 .mottle = 0.3,
                                 .bumps = 0.15,
                                 .flecks = 0.22,
                                 .warmth = 0.6,
                                 .highlight = {0.05, 0.1, 0},
                                 .family = Grained}});
    table.push_back({.name = "concrete",
                     .help = "grey, with pores",
                     .outside = {.colour = {0.50, 0.50, 0.49},
                                 .roughness = 0.9,
                                 .mottle = 0.18,
                                 .bumps = 0.1,
                                 .pores = 0.16,
                                 .speckle = 0.07,
                                 .highlight = {0.03, 0.2, 0},
                                 .family = Grained},
                     .crack = {.roughness = 0.9}});
    table.push_back({.name = "brick",
                     .help = "red, coarse",
                     .outside = {.colour = {0.42, 0.14, 0.08},
                                 .roughness = 0.9,
                                 .mottle = 0.3,
                                 .bumps = 0.2,
                                 .speckle = 0.2,
                                 .warmth = 1,
                                 .highlight = {0.03, 0.2, 0},
                                 .family = Grained},
                     .crack = {.roughness = 0.9}});
    table.push_back({.name = "clay",
                     .help = "terracotta: red-brown, fine, hardly uneven",
                     .outside = {.colour = {0.52, 0.25, 0.15},
                                 .roughness = 0.85,
                                 .mottle = 0.08,
                                 .bumps = 0.04,
                                 .speckle = 0.05,
                                 .warmth = 0.5,
                                 .highlight = {0.04, 0.15, 0},
                                 .family = Grained}});
    // clear or glazed
    table.push_back({.name = "glass",
                     .help = "clear, slightly green",
                     .outside = {.colour = {0.86, 0.95, 0.92},
                                 .roughness = 0.03,
                                 .transmission = 0.82,
                                 .ior = 1.5,
                                 .highlight = {0.9, 0.002, 0.1},
                                 .veil = {0.1, 0.35},
                                 .family = Clear},
                     .crack = {.roughness = 0.06, .veil = {0.22, 0.5}}});
    table.push_back({.name = "ceramic",
                     .help = "white, glazed",
                     .outside = {.colour = {0.78, 0.77, 0.73}, .roughness = 0.22, .highlight = {0.6, 0.01, 0.04}}});
    // wood, metal, ice
    table.push_back({.name = "wood",
                     .help = "brown, with rings",
                     .outside = {.colour = {0.40, 0.22, 0.10},
                                 .roughness = 0.6,
                                 .mottle = 0.25,
                                 .grain = 0.1,
                                 .highlight = {0.1, 0.06, 0},
                                 .family = Wood}});
    table.push_back({.name = "metal",
                     .help = "grey, polished",
                     .outside = {.colour = {0.30, 0.32, 0.35},
                                 .roughness = 0.3,
                                 .metallic = 1,
                                 .highlight = {0.8, 0.01, 0.3},
                                 .family = Metal},
                     .crack = {.roughness = 0.5, .metallic = 0.9}});
    table.push_back({.name = "ice",
                     .help = "clear, slightly blue, waved",
                     .outside = {.colour = {0.85, 0.93, 0.97},
                                 .roughness = 0.12,
                                 .transmission = 0.6,
                                 .ior = 1.31,
                                 .highlight = {0.7, 0.01, 0.06},
                                 .veil = {0.36, 0.62},
                                 .family = Frosted},
                     .crack = {.roughness = 0.35, .veil = {0.45, 0.75}}});
    return table;
}

/// One row a material.
constexpr MaterialEntry kMaterials[] = {
    // solid: density, Young's modulus, Poisson's ratio; tensile strength, extension, across the grain, crack energy;
    // breaking speed; roughness of crack faces. Then friction, restitution; look; pattern and pieces.
    {"glass", "soda-lime, annealed", {{2500, 70e9, 0.22}, {45e6, 0.4, 1, 10}, 2, 0.03}, {0.3}, "glass", {"glass", 50}},
    {"ceramic",
     "porcelain, glazed",
     {{2400, 70e9, 0.20}, {50e6, 0.45, 1, 10}, 2.5, 0.08},
     {0.4},
     "ceramic",
     {"realistic", 30}},
    {"concrete",
     "of ordinary strength",
     {{2400, 30e9, 0.20}, {3e6, 0.6, 1, 80}, 8, 0.35},
     {0.6},
     "concrete",
     {"radial", 40}},
    {"brick", "fired", {{1900, 15e9, 0.15}, {2.5e6, 0.6, 1, 50}, 8, 0.3}, {0.6}, "brick", {"uniform", 6}},
    {"marble", "fine-grained", {{2700, 55e9, 0.25}, {9e6, 0.55, 1, 20}, 6, 0.2}, {0.5}, "stone", {"radial", 40}},
    {"stone", "dense limestone", {{2500, 40e9, 0.25}, {6e6, 0.6, 1, 30}, 7, 0.25}, {0.6}, "stone", {"radial", 40}},
    {"clay",
     "terracotta, fired and not glazed",
     {{1900, 15e9, 0.20}, {10e6, 0.5, 1, 15}, 2, 0.15},
     {0.5},
     "clay",
     {"realistic", 30}},
    {"ice", "at -10 degrees C", {{917, 9.3e9, 0.33}, {1.4e6, 0.4, 1, 1.5}, 3, 0.05}, {0.05}, "ice", {"uniform", 30}},
    {"plaster", "of Paris", {{1100, 4.5e9, 0.20}, {2e6, 0.5, 1, 4.4}, 2.5, 0.15}, {0.6}, "plain", {"radial", 40}},
    {"cast_iron", "grey", {{7200, 110e9, 0.26}, {200e6, 0.6, 1, 1000}, 30, 0.12}, {0.4}, "metal", {}},
    {"steel", "mild", {{7800, 210e9, 0.30}, {400e6, 0.7, 1, 12000}, 100, 0.12}, {0.4}, "metal", {}},
    // along the grain 80, across 3 MPa; cracks along it
    {"wood", "pine", {{500, 10e9, 0.30}, {80e6, 0.6, 0.04, 500}, 25, 0.3}, {0.5}, "wood", {}},
};

template <class Entry>
const Entry* find(std::span<const Entry> table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &Entry::name);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const LookEntry> looks() {
    static const std::vector<LookEntry> table = lookTable();
    return table;
}

const LookEntry* findLook(std::string_view name) { return find(looks(), name); }

const LookEntry& plainLook() { return looks().front(); }

Look crackFaceOf(const LookEntry& entry, const Look& outside) {
    constexpr double kLighter = 0.3;  // of the way to white
    constexpr double kDull = 0.03, kWide = 0.1;
    Look inside = outside;
    inside.roughness = entry.crack.roughness;
    inside.metallic = entry.crack.metallic;
    inside.veil = entry.crack.veil;
    if (outside.transmission > 0) return inside;
    inside.colour += kLighter * (Vec3::Ones() - outside.colour);
    inside.highlight.strength = std::min(inside.highlight.strength, kDull);
    inside.highlight.width = std::max(inside.highlight.width, kWide);
    inside.highlight.mirror = 0;
    return inside;
}

std::string_view nameOf(ShadingFamily family) {
    switch (family) {
        case ShadingFamily::Plain:
            return "plain";
        case ShadingFamily::Grained:
            return "grained";
        case ShadingFamily::Wood:
            return "wood";
        case ShadingFamily::Metal:
            return "metal";
        case ShadingFamily::Clear:
            return "clear";
        case ShadingFamily::Frosted:
            return "frosted";
    }
    ASSERT(false);
    return {};
}

std::span<const MaterialEntry> materials() { return kMaterials; }

const MaterialEntry* findMaterial(std::string_view name) { return find(materials(), name); }

std::vector<std::string> materialNames() {
    std::vector<std::string> names;
    for (const MaterialEntry& entry : materials()) names.emplace_back(entry.name);
    return names;
}

const LookEntry* lookOfMaterial(std::string_view name) {
    const MaterialEntry* material = findMaterial(name);
    return material != nullptr ? findLook(material->look) : nullptr;
}

const MaterialEntry& usualMaterial() {
    const MaterialEntry* concrete = findMaterial("concrete");
    ASSERT(concrete != nullptr);
    return *concrete;
}

}  // namespace sunder
