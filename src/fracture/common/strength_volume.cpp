#include "fracture/common/strength_volume.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/hash.h"

namespace sunder::fracture {

LatticePlacement VolumeTexture::placementIn(const Box3& box) const {
    if (placement) return *placement;
    LatticePlacement spread;
    spread.steps.setZero();
    for (int k = 0; k < 3; ++k) {
        const bool atEnds = samplesAtEnds && count[static_cast<size_t>(k)] > 1;
        const double step = box.size()[k] / (count[static_cast<size_t>(k)] - (atEnds ? 1 : 0));
        spread.steps(k, k) = step;
        spread.origin[k] = box.min[k] + (atEnds ? 0 : step / 2);
    }
    return spread;
}

StrengthVolume::StrengthVolume(std::shared_ptr<const VolumeTexture> texture, const LatticePlacement& placement)
    : texture_(std::move(texture)), placement_(placement), inverse_(placement.steps.inverse()) {
    const Int3& count = texture_->count;
    ASSERT(texture_->values.size() ==
           static_cast<size_t>(count[0]) * static_cast<size_t>(count[1]) * static_cast<size_t>(count[2]));
    ASSERT(inverse_.allFinite());
}

double StrengthVolume::at(const Vec3& point) const {
    // the cell of samples around the point, axis by axis; beyond the lattice the nearest one
    const Vec3 place = inverse_ * (point - placement_.origin);  // in samples
    std::array<size_t, 3> low{}, next{};                        // low sample along an axis; how far its neighbour is
    Vec3 share;                                                 // of the neighbour
    size_t stride = 1;
    for (size_t k = 0; k < 3; ++k) {
        const auto count = static_cast<size_t>(texture_->count[k]);
        const double within = std::clamp(place[static_cast<int>(k)], 0.0, static_cast<double>(count - 1));
        const size_t sample = std::min(static_cast<size_t>(within), count - std::min<size_t>(count, 2));
        share[static_cast<int>(k)] = within - static_cast<double>(sample);
        low[k] = sample * stride;
        next[k] = count > 1 ? stride : 0;
        stride *= count;
    }

    // mean of its eight corners, by how near they are
    double sum = 0;
    for (size_t corner = 0; corner < 8; ++corner) {
        double weight = 1;
        size_t at = low[0] + low[1] + low[2];
        for (size_t k = 0; k < 3; ++k) {
            const bool isNext = (corner >> k & 1) != 0;
            weight *= isNext ? share[static_cast<int>(k)] : 1 - share[static_cast<int>(k)];
            if (isNext) at += next[k];
        }
        sum += weight * static_cast<double>(texture_->values[at]);
    }
    return sum;
}

uint64_t StrengthVolume::contentHash() const {
    Hasher hash;
    for (const int count : texture_->count) hash.add(static_cast<uint64_t>(count));
    for (const float value : texture_->values) hash.add(value);
    for (int k = 0; k < 3; ++k) hash.add(placement_.origin[k]);
    for (int k = 0; k < 9; ++k) hash.add(placement_.steps(k % 3, k / 3));
    return hash.value();
}

}  // namespace sunder::fracture
