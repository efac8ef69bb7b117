#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "geometry/mesh/tri_mesh.h"
#include "geometry/repair/diagnose.h"

namespace sunder {

/// What counts as a defect, and how far mending may go.
struct RepairOptions {
    double weldTolerance = 1e-6;   // of the bounding box diagonal; only open edges are welded beyond exact equality
    double maxHoleFraction = 0.5;  // a hole is filled when its boundary is shorter than this part of its component's
                                   // box diagonal and its patch no more than 2 % of the component's area
    int rebuildCells = 128;        // along the longest side, when the surface must be rebuilt through the grid
    int maxRebuildCells = 192;     // it goes up to here by itself when a wall or the volume asks for it
    bool allowRebuild = true;      // false: refused, where nothing else helps
    bool closeOpenings = false;    // fill holes of any size: whoever asks says that they are none of the shape
    bool wrapOpen = false;         // rebuild an open surface too, when its inside is clear; a soup always is
};

/// What came of a mesh that was to be a solid.
enum class RepairVerdict {
    Clean,     // nothing to do (beyond exact welding and dropping unused vertices)
    Repaired,  // changed; `actions` say how; the result is a clean solid
    Shell,     // open or without volume: not a solid, and not made one silently
    Refused    // cannot be made a solid; `reason` names the defect
};

/// "repaired": the name used in JSON and messages.
const char* nameOf(RepairVerdict verdict);

/// The result is one.
inline bool isSolid(RepairVerdict verdict) {
    return verdict == RepairVerdict::Clean || verdict == RepairVerdict::Repaired;
}

/// One thing that was done: "filled 3 holes (largest 12 edges)".
struct RepairAction {
    std::string what;  // for the user
    size_t count = 0;  // of the holes, triangles, vertices that it speaks of
};

/// The mended mesh, and how it came about.
struct RepairResult {
    RepairVerdict verdict = RepairVerdict::Refused;  // to be looked at before the mesh is used
    TriMesh mesh;                                    // the solid (or the shell, cleaned)
    std::vector<RepairAction> actions;               // in order
    std::vector<std::string> warnings;               // a thin wall against the resolution, a choice made
    std::string reason;                              // for Shell and Refused: one sentence
    bool rebuilt = false;                            // through the distance grid
    double cellSize = 0;                             // of the rebuild, m
    size_t bodies = 0;                               // solids: a shell with its cavities counts once
    double volume = 0;                               // m^3
};

/// Makes a clean solid of a mesh, or says why not. Local remedies first, in this order: exact welding, degenerate and
/// copied faces, seams at open edges, fins, non-manifold edges and vertices, orientation, small holes, which way is
/// out, small self-intersections. They keep the surface and its attributes. Only what is left then (overlapping shells,
/// inner walls, soups) is rebuilt through the distance grid.
///
/// Choices where the input is ambiguous, each reported as a warning or action: a shell fully inside another is a cavity
/// (and one inside that a solid again), whichever way it turns; overlapping shells unite; solids that share an edge or
/// vertex come apart into bodies; a wall inside a solid goes; an open sheet beside closed solids goes when it is a
/// small part of the surface.
RepairResult repair(const TriMesh& mesh, const RepairOptions& options = {}, Progress* progress = nullptr);

}  // namespace sunder
