#pragma once

#include "geometry/mesh/topology.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What making triangles agree changes.
struct OrientResult {
    size_t flipped = 0;                    // triangles turned over
    size_t clashing = 0;                   // edges whose two triangles disagreed before
    size_t notOrientable = 0;              // components with no consistent orientation (left as they were)
    EdgeIndex example = kNone<EdgeIndex>;  // a clashing edge
};

/// Makes the triangles across every two-sided edge agree, one component at a time, turning over the smaller part of its
/// area. Components that cannot agree (a Moebius band) stay unchanged and are counted.
OrientResult orientConsistently(TriMesh& mesh, const MeshTopology& topology);
/// The same without changing anything.
OrientResult checkOrientation(const TriMesh& mesh, const MeshTopology& topology);

}  // namespace sunder
