#pragma once

#include <cstdint>
#include <vector>

#include "fracture/prescored/detail/interior_samples.h"
#include "fracture/prescored/pattern.h"

namespace sunder::fracture {

/// Planar walls: the Voronoi cells of sites, in a space that is squeezed along the axes of the body. A squeeze is a
/// power of two, so going there and back is exact.
struct SitePattern {
    std::vector<Vec3> sites;  // m, squeezed space: squeeze * position in the body
    Vec3 squeeze = Vec3::Ones();
};

/// What a pattern with planar walls is asked for: sites for about `pieces` pieces of the body that the samples fill.
struct SiteWish {
    const PatternOptions& options;
    const InteriorSamples& body;
    int pieces = 0;
    ImpactPlace place;
    uint64_t seed = 0;
};

/// Sites without squeeze, spaced in proportion to `concentration`: for walls that noise displaces.
std::vector<Vec3> concentratedSites(const InteriorSamples& body, int pieces, const Vec3& centre, double concentration,
                                    uint64_t seed);

/// How many of the sites are nearest to some of the points: each to more than a twentieth of its share.
size_t sitesInUse(const std::vector<Vec3>& sites, const std::vector<Vec3>& points);

}  // namespace sunder::fracture
