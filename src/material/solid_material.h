#pragma once

#include "material/elastic_material.h"

namespace sunder {

/// What a solid bears before it cracks.
struct Strength {
    double tensile = 3e6;    // Pa: a crack begins where more pulls
    double extension = 0.5;  // share of it that is enough for a crack to go on
    double acrossGrain = 1;  // share of it across the grain (wood); 1: the same in all directions
    double energy = 80;      // J per m^2 of crack: what a new crack costs, both of its faces together
    friend bool operator==(const Strength&, const Strength&) = default;
};

/// All that methods of fracture ask of what a body is made of.
struct SolidMaterial {
    ElasticMaterial elastic;   // how it yields to loads; with the density
    Strength strength;         // where it cracks, and what that costs
    double breakingSpeed = 8;  // m/s: what falls on a hard floor breaks from here on, for methods that know no stress
    double roughness = 0;  // of its crack faces: height, in parts of the size of the tets that are too coarse for it
    friend bool operator==(const SolidMaterial&, const SolidMaterial&) = default;
};

}  // namespace sunder
