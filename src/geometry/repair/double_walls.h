#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What dropDoubleWalls() took away.
struct DoubleWalls {
    size_t parts = 0;      // connected parts that went
    size_t triangles = 0;  // of them
    double distance = 0;   // m, the farthest that one of their points lay from the part that stays
};

/// Connected parts, closed or open, that lie on a larger one everywhere within `distance` (m): the surface is there
/// twice, and the larger one stays. Parts of little area are left alone: they are details, not walls.
DoubleWalls dropDoubleWalls(TriMesh& mesh, double distance);

}  // namespace sunder
