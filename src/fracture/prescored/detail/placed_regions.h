#pragma once

#include <vector>

#include "fracture/prescored/detail/curved_assets.h"
#include "fracture/prescored/detail/curved_regions.h"
#include "fracture/prescored/detail/prepared_solid.h"
#include "fracture/prescored/prescored.h"

namespace sunder::fracture {

/// Curved regions laid over a body's grid.
struct PlacedRegions {
    CurvedRegions regions;           // in the pattern's frame and unit
    RigidTransform patternFromBody;  // in metres
    double unit = 1;                 // m per unit of the pattern
    std::vector<uint32_t> labels;    // of every point of the body's grid; 0 for those far outside the body

    Vec3 inPattern(const Vec3& pointInBody) const { return (patternFromBody * pointInBody) / unit; }
    /// Distance to region a less distance to b, m, at a point of the body's frame.
    double difference(uint32_t a, uint32_t b, const Vec3& pointInBody) const;
};

/// What a pattern with curved walls is asked for, turned to the impact: regions for the body at hand.
struct ExactWish {
    const PreparedSolid& body;
    const PrescoredOptions& options;
    const ImpactPlace& place;
    const PlacedRegions& placed;  // its frame is set, its regions are not
    uint64_t seed = 0;
    const AssetsInUse& in;

    std::vector<Vec3> points() const;  // of the body, some, in the pattern's frame
};
/// ... as scored beforehand: regions of a cube of `half` cells around the centre, in cells.
struct FastWish {
    const PrescoredOptions& options;
    int half = 0;
    const std::vector<Vec3>& points;  // of the body, some, in cells
    const AssetsInUse& in;
};

/// Rotated to the impact, evaluated at every grid point. Realistic sites are chosen inside the body; meshes are scaled
/// to enclose it or, if more pieces are wanted than that gives, less.
PlacedRegions placeExactly(const PreparedSolid& body, const PrescoredOptions& options, const ImpactPlace& place,
                           uint64_t seed, const AssetsInUse& in);

/// Not rotated; the impact is rounded to a grid point, and labels are looked up in space that was scored once for all
/// bodies, whose unit is a cell. How finely it is scored goes in steps of a fifth, so that bodies of like proportions
/// share one.
PlacedRegions placeFast(const PreparedSolid& body, const PrescoredOptions& options, const ImpactPlace& place,
                        const AssetsInUse& in);

}  // namespace sunder::fracture
