#pragma once

#include <nlohmann/json.hpp>

#include "geometry/grid/distance_grid.h"
#include "geometry/repair/diagnose.h"
#include "geometry/repair/repair.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"
#include "math/box.h"

namespace sunder {

/// What programs are told of meshes, by `--json` and by Studio. Extended, never renamed.

nlohmann::ordered_json toJson(const Box3& box);
nlohmann::ordered_json toJson(const Diagnosis& diagnosis);
nlohmann::ordered_json toJson(const ShapeInfo& shape);

/// The lattice that a distance grid of this mesh would have, with so many cells along the longest side.
GridFrame gridFrameFor(const TriMesh& mesh, int cells);

/// `cells`: of the distance grid that is stated.
nlohmann::ordered_json meshReport(const MeshFile& file, const Diagnosis& diagnosis, int cells = 128);
/// Without the names of files.
nlohmann::ordered_json repairReport(const RepairResult& result);

}  // namespace sunder
