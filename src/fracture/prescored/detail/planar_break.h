#pragma once

#include "fracture/prescored/detail/site_patterns.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

/// The pieces into which planar walls cut a solid, exactly; about `pieces` of them are wanted.
std::vector<TriMesh> breakAlongPlanes(const TriMesh& solid, const SitePattern& pattern, int pieces, PatternKind kind);

}  // namespace sunder::fracture
