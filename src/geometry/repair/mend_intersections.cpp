#include "geometry/repair/mend_intersections.h"

#include <algorithm>
#include <cmath>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/detail/patch.h"
#include "geometry/repair/fill_holes.h"
#include "geometry/repair/split_nonmanifold.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {

namespace {

using detail::KeepMask;

constexpr int kMaxRounds = 5;
constexpr double kMaxShare = 0.04;      // of the triangles, cut out in all
constexpr size_t kAlwaysAllowed = 200;  // triangles, however small the mesh
constexpr size_t kMaxLoop = 120;        // edges
constexpr double kMaxVolumeChange = 1e-3;

/// Adds the neighbours around the corners of the marked triangles.
void growByOneRing(const TriMesh& mesh, KeepMask& keep) {
    std::vector<uint8_t> marked(mesh.vertexCount(), 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (keep[t]) continue;
        for (const VertexIndex v : mesh.triangles[t]) marked[raw(v)] = 1;
    }
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const VertexIndex v : mesh.triangles[t]) {
            if (marked[raw(v)]) keep[t] = 0;
        }
    }
}

/// The cut must leave one fan at each vertex, or the holes would touch: triangles at pinched vertices go too.
bool leavesSimpleHoles(TriMesh& mesh) {
    for (int pass = 0; pass < 8; ++pass) {
        const MeshTopology topology(mesh);
        KeepMask keep(mesh.triangleCount(), 1);
        size_t pinched = 0;
        // two open edges at a vertex are one hole's rim
        for (const VertexIndex v : mesh.positions.indices()) {
            size_t open = 0;
            for (const TriangleIndex t : topology.triangles(v)) {
                for (int c = 0; c < 3; ++c) {
                    const EdgeIndex e = topology.edge(t, c);
                    const auto ends = topology.vertices(e);
                    open += topology.isBoundary(e) && (ends[0] == v || ends[1] == v);
                }
            }
            if (open <= 2) continue;
            ++pinched;
            for (const TriangleIndex t : topology.triangles(v)) keep[t] = 0;
        }
        if (pinched == 0) return true;
        detail::keepTriangles(mesh, keep);
    }
    return false;
}

/// Leftovers of the cut: components much smaller than the hole that made them.
void dropCrumbs(TriMesh& mesh, size_t componentsBefore) {
    const MeshTopology topology(mesh);
    const Components components = connectedComponents(mesh, topology);
    if (components.count <= componentsBefore) return;
    const auto lists = components.lists();
    KeepMask keep(mesh.triangleCount(), 1);
    for (const auto& list : lists) {
        bool open = false;
        for (const TriangleIndex t : list) {
            for (int c = 0; c < 3; ++c) open |= topology.isBoundary(topology.edge(t, c));
        }
        if (!open || list.size() > 30) continue;
        for (const TriangleIndex t : list) keep[t] = 0;
    }
    detail::keepTriangles(mesh, keep);
}

}  // namespace

MendReport mendIntersections(TriMesh& mesh) {
    MendReport report;
    // on a copy: the mesh stays as it is unless all is well in the end
    TriMesh work = mesh;
    const double volumeBefore = volume(mesh);
    const size_t allowed =
        std::max(kAlwaysAllowed, static_cast<size_t>(kMaxShare * static_cast<double>(mesh.triangleCount())));
    const size_t componentsBefore = connectedComponents(mesh, MeshTopology(mesh)).count;

    for (int round = 0; round < kMaxRounds; ++round) {
        const std::vector<IntersectingPair> pairs = selfIntersections(work);
        if (pairs.empty()) {
            report.mended = isClosedManifold(work) &&
                            std::abs(volume(work) - volumeBefore) <= kMaxVolumeChange * std::abs(volumeBefore);
            break;
        }
        // cut out, a wider margin each round
        KeepMask keep(work.triangleCount(), 1);
        for (const IntersectingPair& pair : pairs) keep[pair.first] = keep[pair.second] = 0;
        for (int ring = 0; ring < round; ++ring) growByOneRing(work, keep);
        const size_t before = work.triangleCount();
        detail::keepTriangles(work, keep);
        if (work.empty() || !leavesSimpleHoles(work)) break;
        dropCrumbs(work, componentsBefore);
        report.triangles += before - work.triangleCount();
        if (report.triangles > allowed) break;

        // close again
        removeUnusedVertices(work);
        const MeshTopology cut(work);
        const std::vector<BoundaryLoop> loops = boundaryLoops(work, cut);
        bool closed = true;
        for (const BoundaryLoop& loop : loops) {
            const auto patch = loop.vertices.size() <= kMaxLoop ? triangulateLoop(work, cut, loop)
                                                                : std::vector<std::array<uint32_t, 3>>{};
            closed &= !patch.empty();
            detail::addPatch(work, loop, patch);
        }
        report.places += loops.size();
        if (!closed || !isClosedManifold(work)) break;
    }
    if (report.mended) mesh = std::move(work);
    return report;
}

}  // namespace sunder
