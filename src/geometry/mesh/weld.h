#pragma once

#include <cstddef>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Merges vertices whose coordinates are equal as numbers (so 0 and -0 meet, and nothing else does). The first of each
/// place stays and the kept ones keep their order; unused vertices are kept too. Triangles and their attributes stay,
/// also those that now name a vertex twice. Returns how many vertices went.
size_t weldExact(TriMesh& mesh);

}  // namespace sunder
