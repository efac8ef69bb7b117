#pragma once

#include "geometry/repair/fill_holes.h"

namespace sunder::detail {

/// Adds a triangulated hole to the mesh, with attributes from the border.
void addPatch(TriMesh& mesh, const BoundaryLoop& loop, const std::vector<std::array<uint32_t, 3>>& triangles);

}  // namespace sunder::detail
