#include "fracture/common/partial_cracks.h"

#include <cmath>
#include <numbers>

#include "geometry/tree/winding_number.h"

namespace sunder::fracture {

namespace {

constexpr double kMoreCracks = 1.5;  // times those there were: what cracks less is not changed
constexpr size_t kMostSpots = 20000, kMostGaps = 200;

}  // namespace

PartialCracks::PartialCracks(const Scars& old, const TetMesh& whole, const CrackedTets& tets, const SlitOptions& slits)
    : old_(old), components_(componentsOf(tets)) {
    for (const CrackFace& face : crackFaces(tets, components_, CrackKind::Partial)) {
        const Vec3 area = areaOf(face.outline);
        area_ += area.norm();
        WeakSpot spot;
        for (const Vec3& p : face.outline) spot.place += p / static_cast<double>(face.outline.size());
        spot.normal = area.normalized();
        spot.size = std::sqrt(area.norm() / std::numbers::pi);
        if (spot.normal.allFinite()) spots_.emplace_back(face.first, spot);
    }
    slits_ = slitsOf(whole, tets, components_, slits);
}

bool PartialCracks::matter() const {
    return static_cast<double>(spots_.size()) > (kMoreCracks - 1) * static_cast<double>(old_.spots.size());
}

Scars PartialCracks::in(const CutPiece& piece, const TriMesh& mesh) const {
    Scars kept;
    if (!old_.empty()) {
        const WindingNumber winding(mesh);
        for (const WeakSpot& spot : old_.spots) {
            if (winding(spot.place) > 0.5) kept.spots.push_back(spot);
        }
        const Box3 bounds = boundsOf(mesh);
        for (const TriMesh& gap : old_.gaps) {
            if (bounds.overlaps(boundsOf(gap))) kept.gaps.push_back(gap);
        }
    }
    return with(std::move(kept), piece.cell);
}

Scars PartialCracks::with(Scars scars, std::optional<uint32_t> component) const {
    for (const auto& [in, spot] : spots_) {
        if (scars.spots.size() < kMostSpots && in == component.value_or(in)) scars.spots.push_back(spot);
    }
    for (const Slit& slit : slits_) {
        if (scars.gaps.size() < kMostGaps && slit.component == component.value_or(slit.component))
            scars.gaps.push_back(slit.gap);
    }
    return scars;
}

}  // namespace sunder::fracture
