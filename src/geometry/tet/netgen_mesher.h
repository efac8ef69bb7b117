#pragma once

#include <string>

#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// Whether the NETGEN library was there when this was built.
bool netgenAvailable();

/// How large tets are, and how long they are improved.
struct NetgenOptions {
    double maxEdge = 0;     // m, upper bound for the size of tets; 0 = as the surface triangles suggest
    double grading = 0.3;   // 0 = uniform, 1 = grows fast away from small triangles
    int optimiseSteps = 3;  // rounds of improving; 0: none
};

/// Tets, or why there are none.
struct NetgenResult {
    TetMesh mesh;        // empty when it failed
    std::string reason;  // why it failed; empty when it did not

    bool ok() const { return reason.empty(); }  // the mesh may be used
};

/// Fills a closed surface with tets whose boundary is that very surface: its vertices are the first nodes, in order.
/// Angles are not bounded as with stuffIsosurface(), but nothing thin is lost. The surface must be a closed manifold,
/// outward, free of self-intersections.
///
/// NETGEN knows one mesh at a time: calls wait for each other. What it prints is dropped, and with it whatever other
/// threads write to std::cout and std::cerr meanwhile.
NetgenResult meshWithNetgen(const TriMesh& surface, const NetgenOptions& options = {});

}  // namespace sunder
