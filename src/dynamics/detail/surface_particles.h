#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/shape.h"

namespace sunder::dynamics::detail {

struct ParticleOptions {
    size_t count = 128;     // wanted; corners come on top when there are more
    double minSpacing = 0;  // m: corners and edge points nearer than this to one already taken are left out
    uint64_t seed = 0;
};

/// Points that stand for a surface in contact: its peaks (sharp convex corners) first, then points along sharp convex
/// edges with up to half of the rest, then evenly spread ones. All lie on the mesh.
std::vector<Vec3> surfaceParticles(const TriMesh& mesh, const ParticleOptions& options);

/// Sorts points into clusters of eight near each other, by splitting the widest direction, and puts balls around them.
void fillClusters(std::vector<Vec3> points, FieldSolid& solid);

}  // namespace sunder::dynamics::detail
