#pragma once

#include "math/vec.h"

namespace sunder {

/// What shaders in the browser paint on a surface. The row of a look names one; its amounts are numbers of the look.
enum class ShadingFamily {
    Plain,    // one colour; crack faces a little uneven
    Grained,  // mineral: mottled, with spots; crack faces rough
    Wood,     // rings
    Metal,    // mirrors, slightly uneven
    Clear,    // seen through
    Frosted   // seen through, waved
};

/// The highlight of renderers that are not physically based (POV-Ray).
struct Highlight {
    double strength = 0.1;  // 0: none; 1: as bright as the light
    double width = 0.05;    // POV-Ray's roughness: one over Blinn's exponent
    double mirror = 0;      // share of the light that is reflected as by a mirror
    bool operator==(const Highlight&) const = default;
};

/// What is seen through, where nothing bends light: in the browser.
struct Veil {
    double opacity = 1;  // seen straight on
    double glow = 1;     // light that comes from within, as a share of an opaque surface's
    bool operator==(const Veil&) const = default;
};

/// How a surface looks. Ray tracer, exports and browser each take the terms that they know.
struct Look {
    Vec3 colour{0.75, 0.74, 0.72};  // linear RGB, 0..1

    // physically based
    double roughness = 0.85;  // 0 mirror, 1 dull; its square is the width of the distribution
    double metallic = 0;      // 0 to 1
    double transmission = 0;  // share of the light that goes through
    double ior = 1.5;         // refraction index

    // unevenness
    double mottle = 0;    // how much the colour varies through the solid, as a share of it
    double grain = 0.05;  // m, size of its spots
    double bumps = 0;     // that only light shows
    double flecks = 0;    // spots of a grained look, light and dark, as a share of the colour
    double pores = 0;     // spots that are dark alone
    double speckle = 0;   // fine mottle
    double warmth = 0;    // how much mottle goes from cold to warm

    Highlight highlight;                          // for renderers that are not physically based
    Veil veil;                                    // for the browser
    ShadingFamily family = ShadingFamily::Plain;  // for the browser

    bool operator==(const Look&) const = default;
};

}  // namespace sunder
