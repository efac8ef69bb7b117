#pragma once

#include "dynamics/shape.h"
#include "geometry/mesh/body_geometry.h"
#include "geometry/mesh/topology.h"

namespace sunder::sim {

/// The shape of a fragment, which depends on its geometry alone: a convex hull where the mesh is convex and has few
/// corners, a field solid otherwise. Sooner done when it is known what it broke out of. Throws std::invalid_argument
/// for a geometry without volume. `topology`: of its mesh.
dynamics::ShapePtr makeFragmentShape(const BodyGeometry& geometry, const MeshTopology& topology,
                                     const dynamics::BrokenOutOf& whole = {});

/// The hull of a solid that is convex and has few corners: exact, and thin things stay thin. Null for others.
dynamics::ShapePtr convexShape(const BodyGeometry& geometry, const MeshTopology& topology);

/// No edge is bent inwards by more than a millionth of the mesh's size; triangles too thin to have a direction are not
/// asked. For a closed connected mesh.
bool isConvex(const TriMesh& mesh, const MeshTopology& topology);

}  // namespace sunder::sim
