#pragma once

#include <optional>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::detail {

/// In a closed mesh, triangles without area bound nothing and may run anywhere: a turned plate had some along its axis,
/// from one side to the other, and got a hole there. Left out of distances; the sides they share with others stay.
/// Nothing when there are none, or no others.
std::optional<TriMesh> withoutFlatTriangles(const TriMesh& mesh);

}  // namespace sunder::detail
