#pragma once

#include <span>
#include <string>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What is true of the pieces a solid was broken into; see checkPieces.
struct PieceReport {
    size_t pieces = 0;
    size_t openPieces = 0;    // an edge without exactly one partner that runs the other way, or a vertex with two fans
    size_t inwardPieces = 0;  // volume not positive
    size_t crackTriangles = 0;
    size_t crackNotInside = 0;  // between two pieces, but not marked
    size_t strayTriangles = 0;  // neither between two pieces nor on the solid's surface with its UVs, normals, material
    double volumeError = 0;     // of the sum, relative
    double areaError = 0;       // of the triangles on the solid's surface, relative
    std::string firstProblem;   // for a person

    bool good(double tolerance = 1e-9) const {
        return openPieces == 0 && inwardPieces == 0 && crackNotInside == 0 && strayTriangles == 0 &&
               volumeError <= tolerance && areaError <= tolerance;
    }
};

/// Looks at pieces without knowing how they were made. A triangle whose three corners, bit for bit and turned over, are
/// also in another piece is a crack; all others must lie on a triangle of the solid and have its `inside`, material,
/// and UVs and normals as interpolated there.
PieceReport checkPieces(const TriMesh& solid, std::span<const TriMesh> pieces);

std::string describe(const PieceReport& report);

}  // namespace sunder
