#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Two triangles on the same corners that turn against each other bound nothing: they go in pairs.
void dropOpposites(TriMesh& mesh);

}  // namespace sunder
