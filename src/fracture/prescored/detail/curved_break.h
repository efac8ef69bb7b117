#pragma once

#include "fracture/prescored/detail/curved_assets.h"
#include "fracture/prescored/detail/prepared_solid.h"
#include "fracture/prescored/prescored.h"

namespace sunder::fracture {

/// The pieces into which curved walls cut a solid: flood fill, small components to a neighbour, all contoured at once.
std::vector<TriMesh> breakAlongSurfaces(const Solid& solid, const PreparedSolid& body, const PrescoredOptions& options,
                                        const ImpactPlace& place, uint64_t seed, const AssetsInUse& in);

}  // namespace sunder::fracture
