#pragma once

#include <cstdint>

#include "math/vec.h"

namespace sunder::fracture {

/// Smooth seeded noise: a vector field whose components wander within about +-0.6 over a distance of 1, zero at whole
/// coordinates, with continuous second derivatives. Gradients at lattice points are blended [perlin2002]; they come
/// from a hash of the whole numbers, so there is no table and no period.
Vec3 vectorNoise(const Vec3& point, uint64_t seed);

}  // namespace sunder::fracture
