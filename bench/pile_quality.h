#pragma once

#include <span>

#include "tests/scenes/layouts.h"

namespace sunder::bench {

/// How good a heap is, whatever engine made it: from the true hulls and their poses alone.
struct PileQuality {
    size_t pairs = 0;         // that overlap, walls and floor included
    double meanOverlap = 0;   // m, over these pairs, exact minimum translation
    double p99Overlap = 0;    // m
    double worstOverlap = 0;  // m
    double meanHeight = 0;    // m, of the centres of mass: a crushed pile is lower
    size_t escaped = 0;       // pieces outside the box; they count for nothing else
};

PileQuality judge(const scenes::ConvexPile& pile, std::span<const RigidTransform> poses);

/// J, of all pieces, above y = 0.
double potentialEnergy(const scenes::ConvexPile& pile, std::span<const RigidTransform> poses);

}  // namespace sunder::bench
