#pragma once

#include "geometry/repair/fill_holes.h"

namespace sunder::detail {

/// Adds a triangulated hole to the mesh: refined until its triangles are as small as those around it, edges turned for
/// good shape, and inner vertices moved to where the border's tangents lead (a thin plate; [liepa2003] sections 4-5).
void addPatch(TriMesh& mesh, const BoundaryLoop& loop, const std::vector<std::array<uint32_t, 3>>& triangles);

}  // namespace sunder::detail
