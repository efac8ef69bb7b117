#pragma once

#include <array>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Projected along the axis that the normal is nearest to, in the unit of the corners: a texture that repeats every
/// metre has the same grain on all faces.
std::array<Vec2, 3> boxUvs(const std::array<Vec3, 3>& corners, const Vec3& normal);

/// Gives all triangles such UVs, unless the mesh has any.
void addBoxUvs(TriMesh& mesh);

}  // namespace sunder
