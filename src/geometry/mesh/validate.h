#pragma once

#include <string>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// The first promise of TriMesh that this one breaks, in words; empty when it keeps all: indices are in range and
/// places finite, no triangle has a vertex twice, an optional array has one entry per triangle, normals are unit (or
/// zero where a face has none). Looks at everything, so stages that make a mesh end with
/// ASSERT(problemWith(mesh).empty()).
std::string problemWith(const TriMesh& mesh);

}  // namespace sunder
