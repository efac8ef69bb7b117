#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "geometry/mesh/tri_mesh.h"
#include "geometry/repair/diagnose.h"

namespace sunder {

struct RepairOptions {
    double weldTolerance = 1e-6;  // of the bounding box diagonal; only open edges are welded beyond exact equality
    double maxHoleFraction =
        0.1;                 // a hole is filled when its boundary is shorter than this part of the box diagonal sum
    int rebuildCells = 192;  // along the longest side, when the surface must be rebuilt through the grid
    bool allowRebuild = true;
};

enum class RepairVerdict {
    Clean,     // nothing to do (beyond exact welding and dropping unused vertices)
    Repaired,  // changed; `actions` say how; the result is a clean solid
    Shell,     // open or without volume: not a solid, and not made one silently
    Refused    // cannot be made a solid; `reason` names the defect
};

/// One thing that was done: "filled 3 holes (largest 12 edges)".
struct RepairAction {
    std::string what;
    size_t count = 0;
};

struct RepairResult {
    RepairVerdict verdict = RepairVerdict::Refused;
    TriMesh mesh;                       // the solid (or the shell, cleaned)
    std::vector<RepairAction> actions;  // in order
    std::vector<std::string> warnings;  // a thin wall against the resolution, a choice made
    std::string reason;                 // for Shell and Refused: one sentence
    bool rebuilt = false;               // through the distance grid
    double cellSize = 0;                // of the rebuild, m
    size_t bodies = 0;
    double volume = 0;  // m^3
};

RepairResult repair(const TriMesh& mesh, const RepairOptions& options = {}, Progress* progress = nullptr);

}  // namespace sunder
