#pragma once

#include "scene/scene.h"
#include "schema/issues.h"

namespace sunder::scene {

/// What no single field can show: names that nobody has, names given twice, groups that hold themselves, too many
/// members. In the order of the file.
void checkScene(const Scene& scene, schema::Issues& issues);

class MeshSource;
/// What is wrong with geometry and fracture: shapes whose parameters do not go together, files that are missing, broken
/// or open, paint that is for another mesh. Reads every file, and takes as long as that.
void checkGeometry(const Scene& scene, MeshSource& meshes, schema::Issues& issues);

/// What shows only when a run is set up from the scene: hulls too thin to have an inside, bodies too small to move.
/// Builds all that a run begins with, and takes as long as that; does nothing when there are errors already.
void checkBuild(const Scene& scene, MeshSource& meshes, schema::Issues& issues);

/// How many bodies there are once arrays and instances are written out. Groups must not hold themselves.
double bodyCount(const Scene& scene);

}  // namespace sunder::scene
