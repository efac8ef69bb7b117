#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/shape.h"

namespace sunder::dynamics::detail {

struct ParticleOptions {
    size_t fewest = 64, most = 128;  // corners come on top when there are more
    double spacing = 0;              // m, that would be fine enough; corners are left out within half of it of another
    double bulge = 0;                // m, by which the surface may stand out between them; points are added until then
    uint64_t seed = 0;
};

struct SurfaceParticle {
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  // unit; mean of the faces that meet there
    double cone = 1;             // least cosine between it and these faces
};

/// Points that stand for a surface in contact: its peaks (sharp convex corners) first, then points along sharp convex
/// edges, then evenly spread ones, at least a sixth, then vertices that still stand out. All lie on the mesh.
std::vector<SurfaceParticle> surfaceParticles(const TriMesh& mesh, const ParticleOptions& options);

/// Sorts points into clusters of eight near each other, by splitting the widest direction, and puts balls around them.
void fillClusters(std::vector<SurfaceParticle> particles, FieldSolid& solid);

}  // namespace sunder::dynamics::detail
