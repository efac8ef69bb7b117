#pragma once

#include "dynamics/shape.h"
#include "geometry/mesh/topology.h"

namespace sunder::sim {

/// The shape of a fragment, which depends on its mesh alone: a convex hull where the mesh is convex and has few
/// corners, a field solid otherwise. Sooner done when it is known what it broke out of. Throws std::invalid_argument
/// for a mesh without volume.
dynamics::ShapePtr makeFragmentShape(const TriMesh& mesh, const MeshTopology& topology,
                                     const dynamics::BrokenOutOf& whole = {});

/// The hull of a mesh that is convex and has few corners: exact, and thin things stay thin. Null for other meshes.
dynamics::ShapePtr convexShape(const TriMesh& mesh, const MeshTopology& topology);

/// No edge is bent inwards by more than a millionth of the mesh's size; triangles too thin to have a direction are not
/// asked. For a closed connected mesh.
bool isConvex(const TriMesh& mesh, const MeshTopology& topology);

}  // namespace sunder::sim
