#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "geometry/mesh/tri_mesh.h"
#include "geometry/repair/wall_thickness.h"

namespace sunder {

/// How clearly a surface with holes tells inside from outside.
struct Decisiveness {
    double insideShare = 0;     // of the box
    double ambiguousShare = 0;  // of the inside: where the winding number is far from every whole number
    double turnedShare = 0;     // of the inside: where it is negative, so that the surface around is inside out
};
/// Samples the generalised winding number away from the surface. A soup of a closed shape is clear almost everywhere; a
/// box without lid is not.
Decisiveness windingDecisiveness(const TriMesh& source);

/// The outer faces of a closed source also tell the volume and the walls to expect.
enum class SourceKind { Closed, Open };

/// How fine the surface becomes, and what is known of the source.
struct RebuildOptions {
    int cells = 128;                         // along the longest side
    int maxCells = 192;                      // when walls or volume ask for more
    SourceKind source = SourceKind::Closed;  // Open: walls and volume are not looked at
};

/// The new surface, and how it compares with the source.
struct RebuildResult {
    TriMesh mesh;                       // empty: the cells hold no inside
    double cellSize = 0;                // m
    int cells = 0;                      // along the longest side
    double volume = 0;                  // m^3
    double expectedVolume = 0;          // m^3, of the source's outer faces
    WallThickness wall;                 // of the source's outer faces
    size_t crumbs = 0;                  // shells of less than a few cells that were dropped
    size_t innerPieces = 0;             // source triangles (or parts of them) that lay inside and were left out
    bool tangledFan = false;            // not made: needles at one vertex cut each other finer than any cell allowed
    std::vector<std::string> warnings;  // sentences for the user
};

/// A closed manifold surface around everything whose generalised winding number [jacobson2013] is at least one half,
/// through a distance grid. Overlapping shells unite, inner walls vanish. Only those parts of the source that separate
/// inside from outside give distances and normals, so creases stay sharp, also where two shells meet.
/// Materials and UVs come from the nearest source triangle.
RebuildResult rebuildThroughGrid(const TriMesh& source, const RebuildOptions& options = {},
                                 Progress* progress = nullptr);

}  // namespace sunder
