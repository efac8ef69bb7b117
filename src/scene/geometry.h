#pragma once

#include <memory>

#include "dynamics/shape.h"
#include "geometry/mesh/tri_mesh.h"
#include "scene/body.h"
#include "scene/mesh_source.h"

namespace sunder::scene {

/// What a body looks like and what it collides as, both in the body's given frame.
struct BodyGeometry {
    std::shared_ptr<const TriMesh> mesh;  // closed; null for the plane
    dynamics::ShapePtr shape;
};

/// The mesh of a body, scaled, in metres, y up. Throws InputError (without a pointer) when a file cannot be had or is
/// no solid, std::invalid_argument when the parameters of a shape do not go together. Null for the plane.
std::shared_ptr<const TriMesh> meshOf(const Body& body, const Vec3& memberScale, MeshSource& meshes);

BodyGeometry geometryOf(const Body& body, const Vec3& memberScale, MeshSource& meshes, uint64_t seed);

}  // namespace sunder::scene
