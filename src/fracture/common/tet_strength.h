#pragma once

#include <vector>

#include "fracture/common/grains.h"
#include "fracture/common/scars.h"
#include "fracture/interface/fracture_method.h"

namespace sunder::fracture {

/// How strong the material is, and how much that differs from place to place.
struct StrengthOptions {
    double tensile = 0;    // Pa, of the material
    double variation = 0;  // of it from place to place, in parts of it
    GrainOptions grains;   // whose walls are weaker
};

/// What the material of a solid bears, tet by tet: the material's strength, scattered, painted, less between grains and
/// where the solid cracked before.
struct TetStrength {
    IndexedVector<TetIndex, double> strength;  // Pa
    IndexedVector<TetIndex, Vec3> weakPlane;   // normal of a grain's wall times how much it counts; empty: nowhere
    std::vector<double> share;                 // of each tet's stiffness that cracks left; empty: all of it
};
/// One and the same for a solid, whatever thread asks: scatter depends on its seed alone.
TetStrength strengthOf(const Solid& solid, const TetMesh& tets, const Scars& scars, const StrengthOptions& options);

}  // namespace sunder::fracture
