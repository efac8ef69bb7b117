#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// Unit sphere of nearly equal triangles: an icosahedron with each face cut into frequency^2. UVs are longitude and
/// latitude, with a seam; normals are the positions.
TriMesh geodesicSphere(int frequency);

}  // namespace sunder::shapes
