#pragma once

#include <cstdint>
#include <vector>

#include "geometry/tet/tet_mesh.h"

namespace sunder::fracture {

/// What a body is made of, grain by grain: seeds with weights, and each point belongs to the seed of the least
/// k |x - p| [bao2007, section VII].
struct GrainOptions {
    int count = 0;          // in a whole body; 0: none
    double strength = 0.4;  // of their walls, in parts of the material's
    double bias = 0.7;      // how much cracks turn towards the walls, 0 to 1
    double spread = 0.3;    // how much the weights differ, 0 to 1
    int seed = 0;           // another one: other grains
};

/// The grains of one body.
class Grains {
public:
    /// Seeds are strewn over the tets. `bodySeed`: of this body alone.
    Grains(const GrainOptions& options, uint64_t bodySeed, const TetMesh& tets);

    /// Number of the grain that a point belongs to.
    uint32_t at(const Vec3& point) const;
    /// Normal of the wall between two grains: the gradient of (E_i - E_j) / 2.
    Vec3 normalOf(uint32_t i, uint32_t j, const Vec3& point) const;

private:
    double energy(uint32_t i, const Vec3& point) const { return weights_[i] * (point - places_[i]).norm(); }
    std::vector<Vec3> places_;
    std::vector<double> weights_;
};

}  // namespace sunder::fracture
