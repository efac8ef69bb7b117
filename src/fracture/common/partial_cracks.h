#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "fracture/common/scars.h"
#include "fracture/common/slits.h"

namespace sunder::fracture {

/// Cracks that end inside, of one blow: what they leave in the body or in its pieces.
class PartialCracks {
public:
    /// `old`: what earlier blows left; outlives this. `whole`: the tets before anything cracked.
    PartialCracks(const Scars& old, const TetMesh& whole, const CrackedTets& tets, const SlitOptions& slits);

    double area() const { return area_; }  // m^2
    /// More than there were: a body that hardly cracked is not changed.
    bool matter() const;

    /// What there was and is now, in the whole body.
    Scars all() const { return with(old_, {}); }
    /// In a piece of it.
    Scars in(const CutPiece& piece, const TriMesh& mesh) const;

private:
    Scars with(Scars scars, std::optional<uint32_t> component) const;

    const Scars& old_;
    TetComponents components_;
    std::vector<std::pair<uint32_t, WeakSpot>> spots_;  // with their components
    std::vector<Slit> slits_;
    double area_ = 0;
};

}  // namespace sunder::fracture
