#pragma once

#include <cstddef>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// The surface with at most so many triangles, as far as its form allows; the mesh itself when it has no more. What was
/// closed stays closed. Borders of materials and of crack faces stay where they are, as do seams of UVs; UVs of crack
/// faces are projected anew, and normals are made again where there were some.
TriMesh simplified(const TriMesh& mesh, size_t mostTriangles);

}  // namespace sunder
