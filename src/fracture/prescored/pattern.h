#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "math/rigid_transform.h"

namespace sunder::fracture {

struct Pattern;
/// Which pattern: a row of the table in detail/patterns.cpp. Equal rows, equal patterns.
using PatternKind = const Pattern*;

/// All there are, in the order that docs and panels show them.
std::vector<PatternKind> allPatterns();
/// "uniform", ...: as in scenes and flags.
const char* nameOf(PatternKind kind);
/// Throws std::invalid_argument naming those there are.
PatternKind patternNamed(std::string_view name);
/// Needs a grid: the regions' walls are curved.
bool isCurved(PatternKind kind);
/// Its regions are closed meshes that are given: PatternOptions::meshes.
bool needsMeshes(PatternKind kind);

/// Which regions a body parts into. Options of other patterns than `kind` count for nothing.
struct PatternOptions {
    PatternKind kind = patternNamed("uniform");  // never null
    /// Radial, Realistic: 0 = as fine far away as at the impact, towards 1 = ever finer at the impact.
    double concentration = 0.95;
    int spokes = 0;                    // Glass; 0: chosen from the number of pieces
    Vec3 brick{0.215, 0.065, 0.1025};  // Brick: length, height, depth; only their ratios count
    int stretch = 8;                   // Splinter: how much longer along the grain than across; a power of two
    Vec3 grain = Vec3::Zero();         // Splinter: the nearest axis of the body is taken; zero: its longest
    double roughness = 0.3;            // Realistic: how far walls stray from planes, in parts of a piece's size
    /// Artist: closed, outward, filling a box between them; the box's middle is the centre, +z the axis.
    std::shared_ptr<const std::vector<TriMesh>> meshes;
};

/// What the ranges of single options cannot show, for people; empty when nothing is wrong.
std::string problemWith(const PatternOptions& options);

/// Where the body is struck, in its frame.
struct ImpactPlace {
    Vec3 point = Vec3::Zero();  // m
    Vec3 normal{0, 0, 1};       // unit, into the body
};

/// The pattern's centre goes to the impact, its axis (+z) to the normal, turned about it by a seeded angle.
RigidTransform bodyFromPattern(const ImpactPlace& place, uint64_t seed);

/// The shortest rotation that takes +z to a unit vector; well defined for -z too.
Quat rotationFromZ(const Vec3& unit);

}  // namespace sunder::fracture
