#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

/// Points spread evenly through a solid. They guide where sites go and how many there are; no cut depends on them.
struct InteriorSamples {
    std::vector<Vec3> points;  // never empty
    double spacing = 0;        // m: each stands for a cube of this side
    Box3 bounds;               // of the solid
};

/// About `count` of them: parallel lines are cut by the surface, and dotted where they are inside.
InteriorSamples sampleInterior(const TriMesh& solid, size_t count, uint64_t seed);

/// Every so many of them, about `count`, in order: enough where only a number is wanted.
std::vector<Vec3> thinned(const std::vector<Vec3>& points, size_t count);

}  // namespace sunder::fracture
