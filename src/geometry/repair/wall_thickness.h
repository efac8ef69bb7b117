#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

class TriangleTree;

/// How thick a solid is, measured from its surface straight inwards.
struct WallThickness {
    double thinnest = 0;          // m; but for 0.5 % of the surface, no wall is thinner
    double median = 0;            // m
    Vec3 place = Vec3::Zero();    // on the surface, where `thinnest` was met
    Vec3 inward = Vec3::UnitX();  // the way to the opposite side of that wall
    double measuredFraction = 0;  // of the surface samples that faced an opposite wall
    /// Some ray met an opposite wall; otherwise the numbers above mean nothing.
    bool known() const { return measuredFraction > 0; }
};

/// How many rays there are, and how many of the thinnest are passed over.
struct WallThicknessOptions {
    int samples = 4096;       // rays
    double percentile = 0.5;  // per cent of the surface whose wall may be thinner; 0 = the bare minimum
};

/// Thinnest wall of a closed outward surface: rays from area-uniform samples inwards to the opposite side
/// (the shape diameter of [shapira2008] with one ray). Only surfaces that face each other within 30 degrees count as a
/// wall, and not where they run on into a sharp edge, where the thickness vanishes. Where
/// parts of the model overlap, surfaces inside the union are not walls. Deterministic. Nothing measured: `known()` is
/// false.
WallThickness wallThickness(const TriMesh& mesh, const WallThicknessOptions& options = {});
/// The same with a tree that exists already.
WallThickness wallThickness(const TriangleTree& tree, const WallThicknessOptions& options = {});

}  // namespace sunder
