#include <algorithm>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/validate.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder {

namespace {

using Neighbours = IndexedVector<TetIndex, std::array<TetIndex, 4>>;

/// A side of a tet: the one opposite to `corner`.
struct TetFace {
    TetIndex tet = kNone<TetIndex>;
    size_t corner = 0;
};

size_t cornerWith(const Tet& tet, NodeIndex node) {
    return static_cast<size_t>(std::find(tet.begin(), tet.end(), node) - tet.begin());
}

/// From a boundary face, round the edge that it shares with the face opposite to `across`, through the tets, to the
/// boundary face at the other end of the wedge.
TetFace roundEdge(const TetMesh& mesh, const Neighbours& neighbours, TetFace from, size_t across) {
    for (;;) {
        const TetIndex behind = neighbours[from.tet][across];
        if (behind == kNone<TetIndex>) return {from.tet, across};
        // the shared face is opposite to the other tet's own node; the next one is opposite to the node we turn from
        const Tet& here = mesh.tets[from.tet];
        const Tet& there = mesh.tets[behind];
        const NodeIndex turned = here[from.corner];
        const auto shared = [&](NodeIndex n) { return n != here[across] && cornerWith(here, n) < 4; };
        const size_t fresh = static_cast<size_t>(std::find_if_not(there.begin(), there.end(), shared) - there.begin());
        ASSERT(fresh < 4);
        from = {behind, fresh};
        across = cornerWith(there, turned);
    }
}

}  // namespace

TetBoundary boundaryOf(const TetMesh& mesh) { return boundaryOf(mesh, faceNeighbours(mesh)); }

TetBoundary boundaryOf(const TetMesh& mesh, const Neighbours& neighbours) {
    ASSERT(neighbours.size() == mesh.tetCount());
    // the faces, and for each tet the number of its first one
    std::vector<TetFace> faces;
    std::vector<uint32_t> firstFace(mesh.tetCount() + 1);
    for (const TetIndex t : mesh.tets.indices()) {
        firstFace[raw(t)] = static_cast<uint32_t>(faces.size());
        for (size_t corner = 0; corner < 4; ++corner) {
            if (neighbours[t][corner] == kNone<TetIndex>) faces.push_back({t, corner});
        }
    }
    firstFace[mesh.tetCount()] = static_cast<uint32_t>(faces.size());
    const auto numberOf = [&](const TetFace& face) {
        uint32_t number = firstFace[raw(face.tet)];
        while (faces[number].corner != face.corner) ++number;
        return number;
    };
    const auto nodeAt = [&](uint32_t faceCorner) {
        const TetFace& face = faces[faceCorner / 3];
        return mesh.tets[face.tet][kTetFaces[face.corner][faceCorner % 3]];
    };

    // corners of faces that meet along an edge of the same wedge of tets belong to one sheet
    DisjointSets sheets(3 * faces.size());
    for (uint32_t f = 0; f < faces.size(); ++f) {
        const auto& local = kTetFaces[faces[f].corner];
        for (uint32_t side = 0; side < 3; ++side) {
            const uint32_t other = numberOf(roundEdge(mesh, neighbours, faces[f], local[(side + 2) % 3]));
            if (other < f) continue;  // done from the other end
            for (const uint32_t mine : {3 * f + side, 3 * f + (side + 1) % 3}) {
                for (uint32_t theirs = 3 * other; theirs < 3 * other + 3; ++theirs) {
                    if (nodeAt(mine) == nodeAt(theirs)) sheets.join(mine, theirs);
                }
            }
        }
    }

    // one vertex per node and sheet, in order of node, then of first corner
    std::vector<uint32_t> start(mesh.nodeCount() + 1, 0);
    for (uint32_t c = 0; c < 3 * faces.size(); ++c) {
        if (sheets.root(c) == c) ++start[raw(nodeAt(c)) + 1];
    }
    for (size_t n = 1; n < start.size(); ++n) start[n] += start[n - 1];

    // the vertices, and which one each face corner has
    TetBoundary result;
    result.surface.positions.resize(start.back());
    result.nodeOfVertex.resize(start.back());
    std::vector<VertexIndex> vertexOf(3 * faces.size());
    for (uint32_t c = 0; c < 3 * faces.size(); ++c) {
        const uint32_t root = sheets.root(c);
        if (root == c) {
            const NodeIndex node = nodeAt(c);
            const auto v = static_cast<VertexIndex>(start[raw(node)]++);
            result.surface.positions[v] = mesh.nodes[node];
            result.nodeOfVertex[v] = node;
            vertexOf[c] = v;
        } else {
            vertexOf[c] = vertexOf[root];
        }
    }

    ASSERT(result.surface.positions.size() == result.nodeOfVertex.size());
    // the faces on them
    result.surface.triangles.reserve(faces.size());
    result.tetOfTriangle.reserve(faces.size());
    for (size_t f = 0; f < faces.size(); ++f) {
        result.surface.triangles.push_back({vertexOf[3 * f], vertexOf[3 * f + 1], vertexOf[3 * f + 2]});
        result.tetOfTriangle.push_back(faces[f].tet);
    }
    ASSERT(problemWith(result.surface).empty());
    return result;
}

TriMesh cutaway(const TetMesh& mesh, const Vec3& normal, double offset) {
    ASSERT(normal.squaredNorm() > 0);
    // whole tets by their middles
    std::vector<TetIndex> kept;
    for (const TetIndex t : mesh.tets.indices()) {
        const auto x = mesh.corners(t);
        if (normal.dot(0.25 * (x[0] + x[1] + x[2] + x[3])) < offset) kept.push_back(t);
    }
    const TetMesh rest = subset(mesh, kept);
    const Neighbours before = faceNeighbours(mesh);
    const Neighbours after = faceNeighbours(rest);
    TriMesh surface = boundaryOf(rest, after).surface;

    // boundary triangles come in order of tet and face, so the same walk tells which were bare before
    surface.inside.reserve(surface.triangleCount());
    for (const TetIndex t : rest.tets.indices()) {
        for (size_t corner = 0; corner < 4; ++corner) {
            if (after[t][corner] != kNone<TetIndex>) continue;
            surface.inside.push_back(before[kept[raw(t)]][corner] == kNone<TetIndex> ? 0 : 1);
        }
    }
    // two materials, so that both are told apart when drawn
    surface.materials.resize(surface.triangleCount());
    surface.materialNames = {"outside", "inside"};
    for (const TriangleIndex t : surface.triangles.indices()) surface.materials[t] = surface.inside[t];
    return surface;
}

}  // namespace sunder
