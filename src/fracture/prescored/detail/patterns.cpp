#include "fracture/prescored/detail/patterns.h"

#include <array>

namespace sunder::fracture {

// one function a pattern, each in a file of its own or beside its kin
SitePattern uniformSites(const SiteWish& wish);
SitePattern radialSites(const SiteWish& wish);
SitePattern glassSites(const SiteWish& wish);
SitePattern brickSites(const SiteWish& wish);
SitePattern splinterSites(const SiteWish& wish);
CurvedRegions realisticExact(const ExactWish& wish);
CurvedRegions realisticFast(const FastWish& wish);
CurvedRegions artistExact(const ExactWish& wish);
CurvedRegions artistFast(const FastWish& wish);

std::span<const Pattern> patterns() {
    // in the order in which choices are listed; planar walls come before curved ones
    static const std::array kRows{
        Pattern{.name = "uniform", .help = "pieces of like size everywhere: stone", .sites = uniformSites},
        Pattern{.name = "radial", .help = "small at the impact, larger away from it", .sites = radialSites},
        Pattern{.name = "glass", .help = "rings and spokes across the impact's direction", .sites = glassSites},
        Pattern{.name = "brick",
                .help = "running bond along the axes of the body, wherever it is struck",
                .oneSize = true,
                .sites = brickSites},
        Pattern{.name = "splinter", .help = "long along the grain: wood", .sites = splinterSites},
        Pattern{.name = "realistic",
                .help = "walls displaced by noise, finer near the impact",
                .exact = realisticExact,
                .fast = realisticFast},
        Pattern{.name = "artist",
                .help = "closed meshes that fill a box",
                .oneSize = true,
                .needsMeshes = true,
                .exact = artistExact,
                .fast = artistFast}};
    return kRows;
}

}  // namespace sunder::fracture
