#pragma once

#include "scene/issues.h"
#include "scene/scene.h"

namespace sunder::scene {

/// What no single field can show: names that nobody has, names given twice, groups that hold themselves, too many
/// members. In the order of the file.
void checkScene(const Scene& scene, Issues& issues);

/// Can the geometry be had? Shapes whose parameters do not go together, mesh files that are missing, broken or open.
class MeshSource;
void checkGeometry(const Scene& scene, MeshSource& meshes, Issues& issues);

/// How many bodies there are once arrays and instances are written out. Groups must not hold themselves.
double bodyCount(const Scene& scene);

}  // namespace sunder::scene
