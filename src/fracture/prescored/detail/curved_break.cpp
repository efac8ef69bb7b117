#include "fracture/prescored/detail/curved_break.h"

#include "fracture/prescored/detail/crumbs.h"
#include "fracture/prescored/detail/placed_regions.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/lattice_walls.h"

namespace sunder::fracture {

std::vector<TriMesh> breakAlongSurfaces(const Solid& solid, const PreparedSolid& body, const PrescoredOptions& options,
                                        const ImpactPlace& place, uint64_t seed, const AssetsInUse& in) {
    const PlacedRegions placed = options.alignment == PatternAlignment::Exact
                                     ? placeExactly(body, options, place, seed, in)
                                     : placeFast(body, options, place, in);
    LatticeRegions regions;
    regions.solid = &body.grid;
    regions.labels = placed.labels;
    regions.count = static_cast<uint32_t>(regionCount(placed.regions));
    regions.difference = [&](const Vec3& point, uint32_t a, uint32_t b) { return placed.difference(a, b, point); };
    return piecesWithoutCrumbs(cutByWalls(solid.mesh(), latticeWalls(regions)), solid.mesh(), options.pieces,
                               options.pattern.kind);
}

}  // namespace sunder::fracture
