#include "fracture/common/tet_strength.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "fracture/common/noise.h"
#include "fracture/common/strength_field.h"
#include "geometry/tet/embedding.h"

namespace sunder::fracture {

namespace {

constexpr double kCrackedShare = 0.1;  // stiffness that a tet with an old crack has left
constexpr double kCrackedStrength = 0.3;

/// How strong the material is from place to place.
class StrengthAt {
public:
    StrengthAt(const Solid& solid, const StrengthOptions& options)
        : solid_(solid), options_(options), wave_(0.15 * std::cbrt(std::max(solid.wholeVolume, 1e-300))) {}
    double operator()(const Vec3& place) const {
        // of the whole body's seed-free place: fragments find the same
        const Vec3 noise = vectorNoise(place / wave_, 0x5ee1) + 0.5 * vectorNoise(2.3 * place / wave_, 0x5ee2);
        const double varied = std::max(0.1, 1 + 2 * options_.variation * noise.x());
        return options_.tensile * varied * (solid_.strength ? solid_.strength->at(place) : 1);
    }

private:
    const Solid& solid_;
    const StrengthOptions& options_;
    double wave_;  // m
};

void addGrains(const Solid& solid, const TetMesh& tets, const GrainOptions& options, TetStrength& made) {
    // nodes tell which grain they are in: walls between grains then pass through tets
    const Grains grains(options, solid.seed, tets);
    IndexedVector<NodeIndex, uint32_t> grain;
    grain.resize(tets.nodeCount());
    parallelFor(grain.size(), 256, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) grain[NodeIndex(n)] = grains.at(tets.nodes[NodeIndex(n)]);
    });

    // a tet whose corners are in two grains has a wall between them in it: weak, and a plane to follow
    made.weakPlane.assign(tets.tetCount(), Vec3::Zero());
    for (const TetIndex t : tets.tets.indices()) {
        const Tet& nodes = tets.tets[t];
        const uint32_t one = grain[nodes[0]];
        for (size_t k = 1; k < 4; ++k) {
            const uint32_t other = grain[nodes[k]];
            if (other == one) continue;
            const Vec3 normal = grains.normalOf(std::min(one, other), std::max(one, other), middleOf(tets, t));
            if (!normal.allFinite()) break;
            made.weakPlane[t] = options.bias * normal;
            made.strength[t] *= options.strength;
            break;
        }
    }
}

/// Tets with old cracks in them are soft and weak.
void addWeakSpots(const TetMesh& tets, const Scars& scars, TetStrength& made) {
    if (scars.spots.empty()) return;
    ASSERT(made.strength.size() == tets.tetCount());
    const TetLocator locator(tets);
    std::vector<uint8_t> cracked(tets.tetCount(), 0);
    for (const WeakSpot& spot : scars.spots) {
        const TetIndex t = locator.locate(spot.place).tet;
        if (t != kNone<TetIndex>) cracked[raw(t)] = 1;
    }
    made.share.assign(tets.tetCount(), 1.0);
    for (size_t t = 0; t < cracked.size(); ++t) {
        if (cracked[t] == 0) continue;
        made.share[t] = kCrackedShare;
        made.strength[TetIndex(t)] *= kCrackedStrength;
    }
}

}  // namespace

TetStrength strengthOf(const Solid& solid, const TetMesh& tets, const Scars& scars, const StrengthOptions& options) {
    TetStrength made;
    const StrengthAt strengthAt(solid, options);
    made.strength.resize(tets.tetCount());
    parallelFor(tets.tetCount(), 256, [&](const BlockRange& block) {
        for (size_t t = block.begin; t < block.end; ++t)
            made.strength[TetIndex(t)] = strengthAt(middleOf(tets, TetIndex(t)));
    });
    if (options.grains.count > 1) addGrains(solid, tets, options.grains, made);
    addWeakSpots(tets, scars, made);
    return made;
}

}  // namespace sunder::fracture
