#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// The same surface with no edge longer than `longest` (m, positive): long edges are halved, again and again, and the
/// triangles at them divided. Vertices of the mesh come first and stay; new ones are on its edges and faces. Only
/// positions and triangles are kept.
TriMesh splitLongEdges(const TriMesh& mesh, double longest);

}  // namespace sunder
