#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "geometry/tree/bvh.h"

namespace sunder {

/// Pairs of triangles a < b, ascending, among them all that meet anywhere but in their shared corners and sides.
/// `boxes`: one around each triangle.
///
/// Boxes along the axes say little about needles: those of a fan of n triangles at one vertex all overlap, and so do
/// those of a cone's side with those of its base. A mesh with many needles is searched with oriented boxes
/// [gottschalk1996], and triangles with one common corner by the directions in which they leave it: their number of
/// pairs stays near linear in n, unless they cross each other: empty when there are more than `budget`.
std::vector<std::pair<uint32_t, uint32_t>> closePairs(const TriMesh& mesh, std::span<const Box3> boxes,
                                                      PairBudget& budget);

}  // namespace sunder
