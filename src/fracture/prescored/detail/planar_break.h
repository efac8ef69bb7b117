#pragma once

#include "fracture/prescored/detail/site_patterns.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

/// The pieces into which planar walls cut a solid, exactly.
std::vector<TriMesh> breakAlongPlanes(const TriMesh& solid, const SitePattern& pattern);

}  // namespace sunder::fracture
