#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// Triangles that use a vertex twice. Dropping them opens nothing: the two sides they join lie on each other.
size_t dropRepeatedIndexFaces(TriMesh& mesh);

/// Thinner than rounding: height at most 1e-13 of the longest side. A needle of 1e-9 is thin, not degenerate.
bool isZeroArea(const Vec3& a, const Vec3& b, const Vec3& c);

/// Triangles with three distinct collinear corners. The neighbour across the longest side takes over the middle corner,
/// so a closed surface stays closed; a triangle that just lies along an edge goes without trace. Returns how many went.
size_t dropZeroAreaFaces(TriMesh& mesh);

/// How many triangles dropDuplicateFaces() took away, and why.
struct DuplicateFaceCounts {
    size_t copies = 0;         // listed more than once; one kept
    size_t backs = 0;          // back sides of a double-sided surface; one side kept
    size_t flapsAndWalls = 0;  // faces in back-to-back pairs that stick out of, or into, the solid; both removed
};

/// Faces on the same three vertices. A surface that is doubled for the larger part keeps one side (a double-sided
/// export). Elsewhere the choice between keeping one and removing both is the one that leaves two faces at every edge:
/// keeps one of a face listed twice, removes both of a flap or of a wall between two solids.
DuplicateFaceCounts dropDuplicateFaces(TriMesh& mesh);

/// Open sheets, any number, hanging on an edge that has two other faces ("fins"), and single walls across the inside of
/// a solid: patches, each smaller than a quarter of the surface, whose removal leaves two faces at every edge they hung
/// on. A patch without open edges must have solid on both sides, or be tiny.
/// Returns triangles removed.
size_t dropFins(TriMesh& mesh);

}  // namespace sunder
