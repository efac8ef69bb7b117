#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A vertex has hundreds of triangles around it: needles, which no box along the axes fits.
bool hasThickFans(const TriMesh& mesh);

/// Around such vertices, the vertices at their other ends that lie within about `distance`
/// (m) of each other become one, and triangles between them go. For work that does not see such detail, but takes time
/// by the number of needles at a place: winding numbers stay whole, and nothing moves by more than `distance`.
TriMesh withThinnerFans(const TriMesh& mesh, double distance);

}  // namespace sunder
