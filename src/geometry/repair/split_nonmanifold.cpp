#include "geometry/repair/split_nonmanifold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"

namespace sunder {

namespace {

/// The triangle on the other side of each side, after pairing; kNone where the surface is open.
using Partners = IndexedVector<TriangleIndex, std::array<TriangleIndex, 3>>;

/// A triangle at an edge, seen along the edge.
struct Leaf {
    HalfEdge side;
    double angle = 0;      // pseudo-angle about the edge, 0..4, counter-clockwise seen against its direction
    bool forward = false;  // runs from the smaller to the larger vertex
};

/// Monotone in the true angle, without libm: 0..4 for a full turn.
double pseudoAngle(double x, double y) {
    const double length = std::abs(x) + std::abs(y);
    if (!(length > 0)) return 0;
    const double s = y / length;
    return x >= 0 ? (y >= 0 ? s : 4 + s) : 2 - s;
}

std::vector<Leaf> leavesAround(const TriMesh& mesh, const MeshTopology& topology, EdgeIndex e) {
    const auto ends = topology.vertices(e);
    const Vec3 a = mesh.positions[ends[0]];
    const Vec3 axis = (mesh.positions[ends[1]] - a).normalized();
    std::vector<Leaf> leaves;
    Vec3 x = Vec3::Zero();
    for (const HalfEdge& side : topology.sides(e)) {
        const Triangle& triangle = mesh.triangles[side.triangle];
        Vec3 out = mesh.positions[triangle[(side.corner + 2) % 3]] - a;
        out -= axis.dot(out) * axis;
        if (leaves.empty()) x = out.normalized();
        const Vec3 y = axis.cross(x);
        leaves.push_back({side, pseudoAngle(out.dot(x), out.dot(y)), triangle[side.corner] == ends[0]});
    }
    std::stable_sort(leaves.begin(), leaves.end(), [](const Leaf& l, const Leaf& r) { return l.angle < r.angle; });
    return leaves;
}

double wedge(const Leaf& from, const Leaf& to) {
    const double turn = to.angle - from.angle;
    return turn < 0 ? turn + 4 : turn;
}

/// Pairs of leaves (places in `leaves`), neighbours in angle.
std::vector<std::pair<size_t, size_t>> pairLeaves(std::vector<Leaf> leaves) {
    std::vector<std::pair<size_t, size_t>> pairs;
    std::vector<size_t> left(leaves.size());
    std::iota(left.begin(), left.end(), size_t{0});
    // The outward normal of a forward leaf points to larger angles: solid lies between a backward leaf and the next
    // forward one, counter-clockwise. Such neighbours bound one wedge; they leave the ring, the narrowest first.
    const auto takeNarrowest = [&](auto&& allowed) {
        size_t best = left.size();
        double bestWedge = 5;
        for (size_t i = 0; i < left.size(); ++i) {
            const Leaf &from = leaves[left[i]], &to = leaves[left[(i + 1) % left.size()]];
            const double w = wedge(from, to);
            if (allowed(from, to) && w < bestWedge) {
                best = i;
                bestWedge = w;
            }
        }
        if (best == left.size()) return false;
        const size_t second = (best + 1) % left.size();
        pairs.emplace_back(left[best], left[second]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::max(best, second)));
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::min(best, second)));
        return true;
    };
    while (left.size() >= 2 && takeNarrowest([](const Leaf& f, const Leaf& t) { return !f.forward && t.forward; })) {
    }
    // opposite directions in the other sense, then whatever is nearest
    while (left.size() >= 2 && takeNarrowest([](const Leaf& f, const Leaf& t) { return f.forward != t.forward; })) {
    }
    while (left.size() >= 2 && takeNarrowest([](const Leaf&, const Leaf&) { return true; })) {
    }
    return pairs;
}

Partners pairAcrossEdges(const TriMesh& mesh, const MeshTopology& topology) {
    Partners partners(mesh.triangleCount(), {kNone<TriangleIndex>, kNone<TriangleIndex>, kNone<TriangleIndex>});
    const auto join = [&](HalfEdge a, HalfEdge b) {
        partners[a.triangle][a.corner] = b.triangle;
        partners[b.triangle][b.corner] = a.triangle;
    };
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() == 2) join(sides[0], sides[1]);
        if (sides.size() <= 2) continue;
        const std::vector<Leaf> leaves = leavesAround(mesh, topology, e);
        for (const auto& [a, b] : pairLeaves(leaves)) join(leaves[a].side, leaves[b].side);
    }
    return partners;
}

/// Runs of the triangles around v that are joined across sides at v: number of each triangle's run, by first triangle.
std::vector<size_t> fansAround(const TriMesh& mesh, const MeshTopology& topology, const Partners& partners,
                               VertexIndex v, size_t& count) {
    const auto around = topology.triangles(v);
    DisjointSets joined(around.size());
    for (uint32_t i = 0; i < around.size(); ++i) {
        const Triangle& triangle = mesh.triangles[around[i]];
        for (size_t corner = 0; corner < 3; ++corner) {
            if (triangle[corner] != v && triangle[(corner + 1) % 3] != v) continue;
            const TriangleIndex other = partners[around[i]][corner];
            if (other == kNone<TriangleIndex>) continue;
            const auto place = std::lower_bound(around.begin(), around.end(), other);
            joined.join(i, static_cast<uint32_t>(place - around.begin()));
        }
    }
    std::vector<size_t> fan(around.size());
    count = 0;
    for (uint32_t i = 0; i < around.size(); ++i) fan[i] = joined.root(i) == i ? count++ : fan[joined.root(i)];
    return fan;
}

}  // namespace

SplitCounts splitNonManifold(TriMesh& mesh) {
    // at crowded edges, which side goes on into which
    const MeshTopology topology(mesh);
    const Partners partners = pairAcrossEdges(mesh, topology);
    SplitCounts counts;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) counts.edges += topology.isNonManifold(e);

    // a vertex with several fans is as many vertices: the first fan keeps it
    IndexedVector<TriangleIndex, Triangle> triangles = mesh.triangles;
    const size_t vertexCount = mesh.vertexCount();
    for (const VertexIndex v : indexRange<VertexIndex>(vertexCount)) {
        size_t fanCount = 0;
        const std::vector<size_t> fan = fansAround(mesh, topology, partners, v, fanCount);
        if (fanCount < 2) continue;
        ++counts.vertices;
        std::vector<VertexIndex> copies{v};
        for (size_t f = 1; f < fanCount; ++f) copies.push_back(mesh.positions.push_back(Vec3(mesh.positions[v])));
        const auto around = topology.triangles(v);
        ASSERT(fan.size() == around.size());
        for (size_t i = 0; i < around.size(); ++i) {
            triangles[around[i]][detail::cornerOf(mesh, around[i], v)] = copies[fan[i]];
        }
    }
    mesh.triangles = std::move(triangles);
    return counts;
}

FanCount nonManifoldVertices(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    Partners partners(mesh.triangleCount(), {kNone<TriangleIndex>, kNone<TriangleIndex>, kNone<TriangleIndex>});
    // at an edge with more than two triangles all count as joined: that defect has a name of its own
    FanCount result;
    std::vector<uint8_t> atBadEdge(mesh.vertexCount(), 0);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() == 2) {
            partners[sides[0].triangle][sides[0].corner] = sides[1].triangle;
            partners[sides[1].triangle][sides[1].corner] = sides[0].triangle;
        } else if (sides.size() > 2) {
            for (const VertexIndex v : topology.vertices(e)) atBadEdge[raw(v)] = 1;
        }
    }
    // more than one fan at a vertex: surfaces touch there and nowhere else
    for (const VertexIndex v : mesh.positions.indices()) {
        if (atBadEdge[raw(v)] || topology.triangles(v).size() < 2) continue;
        size_t fans = 0;
        fansAround(mesh, topology, partners, v, fans);
        if (fans < 2) continue;
        if (result.vertices++ == 0) result.example = v;
    }
    return result;
}

}  // namespace sunder
