#include "geometry/mesh/body_geometry.h"

#include <utility>

namespace sunder {

BodyGeometry::BodyGeometry(TriMesh surface) : mesh_(std::move(surface)), mass_(massProperties(mesh_)) {}

BodyGeometry::BodyGeometry(TriMesh surface, const Shell& shell)
    : mesh_(std::move(surface)), mass_(shellMassProperties(mesh_, shell.thickness)), shell_(shell) {}

GeometryPtr makeSolid(TriMesh surface) { return std::make_shared<const BodyGeometry>(std::move(surface)); }

GeometryPtr makeShell(TriMesh surface, const Shell& shell) {
    return std::make_shared<const BodyGeometry>(std::move(surface), shell);
}

}  // namespace sunder
