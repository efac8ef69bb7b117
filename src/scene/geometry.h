#pragma once

#include <memory>

#include "dynamics/shape.h"
#include "geometry/mesh/body_geometry.h"
#include "scene/body.h"
#include "scene/mesh_source.h"

namespace sunder::scene {

/// The form of a body, and what it collides as, both in the body's given frame.
struct FormAndShape {
    GeometryPtr geometry;      // null for the plane
    dynamics::ShapePtr shape;  // never null
};

/// The form of a body, scaled, in metres, y up. Throws InputError (without a pointer) when a file cannot be had or is
/// no solid, std::invalid_argument when the parameters of a shape do not go together. Null for the plane.
GeometryPtr formOf(const Body& body, const Vec3& memberScale, MeshSource& meshes);

/// Form and shape at once. Throws as formOf(); `seed` is of the scene, for what is sampled on the surface.
FormAndShape geometryOf(const Body& body, const Vec3& memberScale, MeshSource& meshes, uint64_t seed);

/// m.
double metres(LengthUnit unit);
/// Turns the axis up to y, then scales: places of a file become places of a scene. Normals go along.
void place(TriMesh& mesh, UpAxis up, const Vec3& stretch);

}  // namespace sunder::scene
