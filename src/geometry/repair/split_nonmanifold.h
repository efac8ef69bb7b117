#pragma once

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What splitNonManifold() took apart.
struct SplitCounts {
    size_t edges = 0;     // edges with three or more triangles, taken apart into pairs
    size_t vertices = 0;  // vertices copied so that each has one fan
};

/// Takes the surface apart where more than two triangles meet at an edge, or more than one fan at a vertex. Around an
/// edge, triangles are paired in order of angle so that each pair bounds one wedge of solid (known from which way they
/// run); where the orientation gives no answer, the pairs with the smaller wedges are taken. A triangle left over at an
/// edge becomes open there. Positions do not change; copies of a vertex lie at the same place.
SplitCounts splitNonManifold(TriMesh& mesh);

/// Vertices with more than one fan, where two triangles at a two-sided edge are in one fan. Vertices of edges with
/// three or more triangles are left out: their defect is that of the edge.
struct FanCount {
    size_t vertices = 0;                       // how many
    VertexIndex example = kNone<VertexIndex>;  // the lowest; none: there is none
};
/// Changes nothing.
FanCount nonManifoldVertices(const TriMesh& mesh);

}  // namespace sunder
