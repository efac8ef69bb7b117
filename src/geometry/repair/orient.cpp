#include "geometry/repair/orient.h"

#include <vector>

namespace sunder {

namespace {

/// For two-sided edges: do both triangles run along it in the same direction, that is, disagree?
bool clashes(const TriMesh& mesh, const MeshTopology& topology, EdgeIndex e) {
    const auto sides = topology.sides(e);
    return mesh.triangles[sides[0].triangle][sides[0].corner] == mesh.triangles[sides[1].triangle][sides[1].corner];
}

struct Plan {
    OrientResult result;
    IndexedVector<TriangleIndex, uint8_t> flip;
};

Plan planOrientation(const TriMesh& mesh, const MeshTopology& topology) {
    // most meshes have no edge that clashes
    Plan plan;
    plan.flip.assign(mesh.triangleCount(), 0);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (topology.sides(e).size() != 2 || !clashes(mesh, topology, e)) continue;
        if (plan.result.clashing++ == 0) plan.result.example = e;
    }
    if (plan.result.clashing == 0) return plan;

    // each component takes the direction of its first triangle, from neighbour to neighbour
    IndexedVector<TriangleIndex, uint8_t> visited(mesh.triangleCount(), 0);
    for (const TriangleIndex seed : mesh.triangles.indices()) {
        if (visited[seed]) continue;
        std::vector<TriangleIndex> component{seed};
        visited[seed] = 1;
        bool orientable = true;
        double flippedArea = 0, area = 0;
        for (size_t next = 0; next < component.size(); ++next) {
            const TriangleIndex t = component[next];
            const double own = mesh.areaVector(t).norm();
            area += own;
            if (plan.flip[t]) flippedArea += own;
            for (int corner = 0; corner < 3; ++corner) {
                const EdgeIndex e = topology.edge(t, corner);
                const auto sides = topology.sides(e);
                if (sides.size() != 2) continue;
                const TriangleIndex other = sides[0].triangle == t ? sides[1].triangle : sides[0].triangle;
                const auto wanted =
                    static_cast<uint8_t>(plan.flip[t] ^ static_cast<uint8_t>(clashes(mesh, topology, e)));
                if (!visited[other]) {
                    visited[other] = 1;
                    plan.flip[other] = wanted;
                    component.push_back(other);
                } else if (plan.flip[other] != wanted) {
                    orientable = false;
                }
            }
        }
        // one that contradicts itself stays as it is; else the smaller part by area is turned
        if (!orientable) {
            ++plan.result.notOrientable;
            for (const TriangleIndex t : component) plan.flip[t] = 0;
        } else if (2 * flippedArea > area) {
            for (const TriangleIndex t : component) plan.flip[t] ^= 1;
        }
    }
    for (const uint8_t flip : plan.flip) plan.result.flipped += flip;
    return plan;
}

}  // namespace

OrientResult orientConsistently(TriMesh& mesh, const MeshTopology& topology) {
    const Plan plan = planOrientation(mesh, topology);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (plan.flip[t]) flipTriangle(mesh, t);
    }
    return plan.result;
}

OrientResult checkOrientation(const TriMesh& mesh, const MeshTopology& topology) {
    return planOrientation(mesh, topology).result;
}

}  // namespace sunder
