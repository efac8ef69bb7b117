#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A vertex has hundreds of triangles around it: needles, which no box along the axes fits.
bool hasThickFans(const TriMesh& mesh);

/// Around such vertices, the vertices at their other ends that lie within about `distance`
/// (m) of each other become one, and triangles between them go. For work that does not see such detail, but takes time
/// by the number of needles at a place: winding numbers stay whole, and nothing moves by more than `distance`.
TriMesh withThinnerFans(const TriMesh& mesh, double distance);

/// Whether the needles of thick fans cut each other at more places than a grid can tell apart. To be asked of a mesh
/// whose fans are thinned: what is still cut there is no rounding.
bool isTangledFan(const TriMesh& mesh);

}  // namespace sunder
