#pragma once

#include <vector>

#include "geometry/mesh/topology.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A closed chain of open edges. vertices[i] -> vertices[i + 1] runs as in the triangle at that edge, so a patch runs
/// the other way.
struct BoundaryLoop {
    std::vector<VertexIndex> vertices;     // as many as edges
    std::vector<TriangleIndex> triangles;  // the one at each edge
    double length = 0;                     // m
};

/// Loops of a mesh whose vertices have one fan each and whose triangles agree in orientation. Open edges that make no
/// loop (the orientation clashes) are left out.
std::vector<BoundaryLoop> boundaryLoops(const TriMesh& mesh, const MeshTopology& topology);

/// Which holes are small enough to be a defect. What is larger belongs to the shape.
struct HoleOptions {
    double maxLength = 0.5;        // of the component's box diagonal
    double maxArea = 0.02;         // of the component's surface
    double maxTriangleArea = 0.1;  // of the component's surface, for a hole of three edges
    double maxSlitArea = 1e-3;     // of the component's surface, for a hole of any length: a slit along a seam
    double maxRaggedArea = 0;      // of the component's surface, for a ragged hole of any length
};

/// What fillHoles() closed, and what it left.
struct HoleReport {
    size_t filled = 0;          // holes
    size_t largest = 0;         // edges of the largest filled hole
    size_t left = 0;            // holes too large to be a slip
    double largestLength = 0;   // m, boundary of the largest hole left
    Vec3 place = Vec3::Zero();  // on the largest hole left, or else on the largest filled
};

/// Closes holes small enough to be a defect rather than a shape (a box without lid keeps its opening). The patch is the
/// triangulation with the smallest largest dihedral angle, then the smallest area ([barequet1995], weights of
/// [liepa2003]). The patch has no vertices of its own.
/// New triangles take material and UVs from the border.
HoleReport fillHoles(TriMesh& mesh, const HoleOptions& options = {});

/// Does the border turn to and fro, as it does where a scanner saw no more? One that somebody made goes round once.
bool isRagged(const TriMesh& mesh, const BoundaryLoop& loop);

/// Triangulation of one loop, as triples of places in it, oriented to close it. Empty when no triangulation avoids
/// edges the mesh has already.
std::vector<std::array<uint32_t, 3>> triangulateLoop(const TriMesh& mesh, const MeshTopology& topology,
                                                     const BoundaryLoop& loop);

}  // namespace sunder
