#pragma once

#include <span>
#include <string_view>

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

/// A material by name, with constants as handbooks have them (room temperature; ice at -10 degrees C). Real ones
/// scatter by tens of percent, brittle strength by more.
struct ReadyMaterial {
    std::string_view name;
    ElasticMaterial elastic;
    Strength strength;
    double roughness = 0;  // of its crack faces: height, in parts of the size of the tets that are too coarse for it
};

/// glass, ceramic, concrete, brick, marble, ice, cast_iron, plaster, wood.
std::span<const ReadyMaterial> readyMaterials();
const ReadyMaterial* findReadyMaterial(std::string_view name);  // null: none of that name

/// How long two elastic bodies touch when they meet, s [hertz1882]:
///
///     t = 2.87 (m^2 / (R E^2 v))^(1/5)
///
///     m  reduced mass, kg              1/m = 1/m1 + 1/m2
///     R  reduced radius, m             1/R = 1/R1 + 1/R2
///     E  reduced stiffness, Pa         1/E = (1 - nu1^2)/E1 + (1 - nu2^2)/E2
///     v  speed of approach, m/s
double hertzContactTime(double reducedMass, double reducedRadius, double reducedStiffness, double speed);

/// The reduced stiffness above; the second body may be rigid (null).
double reducedStiffness(const ElasticMaterial& a, const ElasticMaterial* b);

}  // namespace sunder
