#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/manifold.h"
#include "math/vec.h"

namespace sunder::dynamics::detail {

/// A point of contact before reduction.
struct Candidate {
    Vec3f fromA = Vec3f::Zero();
    float separation = 0;
    uint32_t key = 0;
    Vec3f normal = Vec3f::Zero();  // from A to B
    float hold = 0;                // m: it counts as that much deeper because it was kept the last time
};
/// Groups candidates by normal (within about 25 degrees) and keeps at most four of each group: the deepest, and those
/// that span the largest area. The order of the input does not matter. Leaves no candidates behind.
void reduceToManifolds(std::vector<Candidate>& candidates, std::vector<Manifold>& manifolds);

/// The same contact seen from the other body: swaps A and B in manifolds[first..]. `offset` is that of the pose they
/// were found with: to the former B's centre from the former A's.
void swapBodies(std::vector<Manifold>& manifolds, size_t first, const Vec3& offset);

}  // namespace sunder::dynamics::detail
