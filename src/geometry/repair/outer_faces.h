#pragma once

#include <limits>

#include "geometry/mesh/tri_mesh.h"
#include "geometry/tree/winding_number.h"

namespace sunder {

/// The part of a soup that separates inside (generalised winding number at least one half) from outside, turned
/// outward.
struct OuterFaces {
    TriMesh surface;                                     // pieces of source triangles, not joined to each other
    IndexedVector<TriangleIndex, TriangleIndex> source;  // of each piece
    size_t innerPieces = 0;                              // with inside on both of its sides, left out
    size_t strayPieces = 0;  // with outside on both of its sides, left out: sheets that bound nothing
    size_t turned = 0;       // pieces turned over
};

/// Triangles that cut others are divided until pieces near a cut are no larger than `cellSize`, so that each piece lies
/// on one side of the cut, nearly. No piece is longer than `longest` (m).
OuterFaces outerFaces(const TriMesh& mesh, const WindingNumber& winding, double cellSize,
                      double longest = std::numeric_limits<double>::infinity());

/// The same with triangles undivided, each decided at its middle: quick, for measures. `step` (m): how far off a
/// triangle its sides are asked.
OuterFaces wholeOuterFaces(const TriMesh& mesh, const WindingNumber& winding, double step);

}  // namespace sunder
