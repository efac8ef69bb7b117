#include "fracture/common/grains.h"

#include "base/random.h"

namespace sunder::fracture {

Grains::Grains(const GrainOptions& options, uint64_t bodySeed, const TetMesh& tets) {
    const uint64_t own = mixSeed(bodySeed, 7);
    Random random(options.seed == 0 ? own : mixSeed(own, static_cast<uint64_t>(options.seed)));
    for (int n = 0; n < options.count; ++n) {
        const auto t = static_cast<uint32_t>(random.below(tets.tetCount()));
        Vec4 weights(random.uniform(), random.uniform(), random.uniform(), random.uniform());
        weights /= weights.sum();
        const auto corner = tets.corners(TetIndex{t});
        places_.push_back(weights[0] * corner[0] + weights[1] * corner[1] + weights[2] * corner[2] +
                          weights[3] * corner[3]);
        weights_.push_back(1 + options.spread * random.uniform(-1, 1));
    }
}

uint32_t Grains::at(const Vec3& point) const {
    uint32_t best = 0;
    for (uint32_t i = 1; i < places_.size(); ++i) {
        if (energy(i, point) < energy(best, point)) best = i;
    }
    return best;
}

Vec3 Grains::normalOf(uint32_t i, uint32_t j, const Vec3& point) const {
    const auto slope = [&](uint32_t k) -> Vec3 { return weights_[k] * (point - places_[k]).normalized(); };
    return (slope(i) - slope(j)).normalized();
}

}  // namespace sunder::fracture
