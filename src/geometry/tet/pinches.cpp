#include "geometry/tet/pinches.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/topology.h"

namespace sunder {

namespace {

using Neighbours = IndexedVector<TetIndex, std::array<TetIndex, 4>>;

/// Gives each group of tets that hangs together by faces at a node its own copy of it.
size_t doubleTouchingNodes(TetMesh& mesh, const Neighbours& neighbours) {
    ASSERT(neighbours.size() == mesh.tetCount());
    // only at nodes on the boundary can tets touch without a face
    IndexedVector<NodeIndex, uint8_t> onBoundary(mesh.nodeCount(), 0);
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t face = 0; face < 4; ++face) {
            if (neighbours[t][face] != kNone<TetIndex>) continue;
            for (const uint8_t i : kTetFaces[face]) onBoundary[mesh.tets[t][i]] = 1;
        }
    }

    // groups of tet corners
    DisjointSets groups(4 * mesh.tetCount());
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t face = 0; face < 4; ++face) {
            const TetIndex other = neighbours[t][face];
            if (other == kNone<TetIndex> || other < t) continue;
            const Tet& there = mesh.tets[other];
            for (const uint8_t i : kTetFaces[face]) {
                const NodeIndex node = mesh.tets[t][i];
                if (!onBoundary[node]) continue;
                const auto j = static_cast<uint32_t>(std::find(there.begin(), there.end(), node) - there.begin());
                groups.join(4 * raw(t) + i, 4 * raw(other) + j);
            }
        }
    }

    // the first group keeps the node
    IndexedVector<NodeIndex, uint8_t> taken(mesh.nodeCount(), 0);
    std::vector<NodeIndex> nodeOfGroup(4 * mesh.tetCount(), kNone<NodeIndex>);
    size_t doubled = 0;
    for (const TetIndex t : mesh.tets.indices()) {
        for (uint32_t i = 0; i < 4; ++i) {
            NodeIndex& node = mesh.tets[t][i];
            if (!onBoundary[node]) continue;
            NodeIndex& own = nodeOfGroup[groups.root(4 * raw(t) + i)];
            if (own == kNone<NodeIndex>) {
                if (taken[node]) {
                    own = mesh.nodes.push_back(Vec3(mesh.nodes[node]));
                    ++doubled;
                } else {
                    taken[node] = 1;
                    own = node;
                }
            }
            node = own;
        }
    }
    return doubled;
}

/// The tets of the wedge between a boundary triangle and the next along its edge from corner `side`.
std::vector<TetIndex> wedgeAt(const TetMesh& mesh, const Neighbours& neighbours, const TetBoundary& boundary,
                              const HalfEdge& edge) {
    // the edge, and the node that the wedge was entered over
    const Triangle& triangle = boundary.surface.triangles[edge.triangle];
    const NodeIndex a = boundary.nodeOfVertex[triangle[edge.corner]];
    const NodeIndex b = boundary.nodeOfVertex[triangle[(edge.corner + 1) % 3]];
    NodeIndex turned = boundary.nodeOfVertex[triangle[(edge.corner + 2) % 3]];
    std::vector<TetIndex> wedge;
    TetIndex t = boundary.tetOfTriangle[edge.triangle];
    // from tet to tet around the edge until the boundary ends it
    while (t != kNone<TetIndex>) {
        wedge.push_back(t);
        const Tet& tet = mesh.tets[t];
        // leave through the face opposite to the node behind us; the fourth node is behind us in the next tet
        size_t across = 0;
        NodeIndex ahead = kNone<NodeIndex>;
        for (size_t i = 0; i < 4; ++i) {
            if (tet[i] == turned) across = i;
            if (tet[i] != a && tet[i] != b && tet[i] != turned) ahead = tet[i];
        }
        t = neighbours[t][across];
        turned = ahead;
    }
    return wedge;
}

/// At edges of more than two boundary triangles, every wedge but the largest.
std::vector<TetIndex> smallerWedges(const TetMesh& mesh, const Neighbours& neighbours, const TetBoundary& boundary) {
    std::vector<TetIndex> doomed;
    const MeshTopology topology(boundary.surface);
    // such edges are rare: most meshes have none
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (!topology.isNonManifold(e)) continue;
        struct Wedge {
            double volume = 0;  // m^3
            std::vector<TetIndex> tets;
        };
        std::vector<Wedge> wedges;
        for (const HalfEdge& side : topology.sides(e)) {
            Wedge wedge{0, wedgeAt(mesh, neighbours, boundary, side)};
            std::sort(wedge.tets.begin(), wedge.tets.end());
            for (const TetIndex t : wedge.tets) wedge.volume += volume(mesh, t);
            wedges.push_back(std::move(wedge));
        }
        // each wedge was met from both ends
        std::sort(wedges.begin(), wedges.end(), [](const Wedge& a, const Wedge& b) {
            return a.volume != b.volume ? a.volume > b.volume : a.tets < b.tets;
        });
        for (const Wedge& wedge : wedges) {
            if (wedge.tets != wedges.front().tets) doomed.insert(doomed.end(), wedge.tets.begin(), wedge.tets.end());
        }
    }
    std::sort(doomed.begin(), doomed.end());
    doomed.erase(std::unique(doomed.begin(), doomed.end()), doomed.end());
    return doomed;
}

TetMesh without(const TetMesh& mesh, const std::vector<TetIndex>& doomed) {
    std::vector<TetIndex> kept;
    kept.reserve(mesh.tetCount() - doomed.size());
    const auto all = mesh.tets.indices();
    std::set_difference(all.begin(), all.end(), doomed.begin(), doomed.end(), std::back_inserter(kept));
    return subset(mesh, kept);
}

}  // namespace

PinchReport splitPinches(TetMesh& mesh) {
    PinchReport report;
    // every round drops tets or is the last; the neighbours stay valid while nodes are doubled
    for (;;) {
        const Neighbours neighbours = faceNeighbours(mesh);
        report.doubledNodes += doubleTouchingNodes(mesh, neighbours);
        const std::vector<TetIndex> doomed = smallerWedges(mesh, neighbours, boundaryOf(mesh, neighbours));
        if (doomed.empty()) return report;
        report.droppedTets += doomed.size();
        mesh = without(mesh, doomed);
    }
}

}  // namespace sunder
