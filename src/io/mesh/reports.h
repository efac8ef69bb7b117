#pragma once

#include "geometry/grid/distance_grid.h"
#include "geometry/repair/diagnose.h"
#include "geometry/repair/repair.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
#include "math/box.h"
#include "schema/json.h"

namespace sunder {

/// What programs are told of meshes, by `--json` and by Studio. Extended, never renamed.

schema::Json toJson(const Box3& box);
schema::Json toJson(const Diagnosis& diagnosis);
schema::Json toJson(const ShapeInfo& shape);

/// The lattice that a distance grid of this mesh would have, with so many cells along the longest side.
GridFrame gridFrameFor(const TriMesh& mesh, int cells);

/// `cells`: of the distance grid that is stated.
schema::Json meshReport(const MeshFile& file, const Diagnosis& diagnosis, int cells = 128);
/// Without the names of files.
schema::Json repairReport(const RepairResult& result);

}  // namespace sunder
