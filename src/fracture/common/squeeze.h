#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

/// Factors are powers of two: no bit of a mantissa changes, so going there and back is exact.
void stretchPositions(TriMesh& mesh, const Vec3& factors);

/// Crack faces that were made in stretched space had other normals and UVs there. Those of earlier cracks follow the
/// same rules (see cutByCells), so that making them anew changes nothing.
void restoreCrackFaces(TriMesh& mesh);

}  // namespace sunder::fracture
