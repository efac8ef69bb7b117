#include "geometry/mesh/topology.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "base/disjoint_sets.h"

namespace sunder {

namespace {

/// Edge-connected runs of the triangles around v; a clean vertex has one.
size_t fanCount(const MeshTopology& topology, VertexIndex v) {
    const auto around = topology.triangles(v);
    const auto position = [&](TriangleIndex t) {
        return static_cast<uint32_t>(std::lower_bound(around.begin(), around.end(), t) - around.begin());
    };
    DisjointSets joined(around.size());
    size_t fans = around.size();
    for (uint32_t i = 0; i < around.size(); ++i) {
        for (int corner = 0; corner < 3; ++corner) {
            const EdgeIndex e = topology.edge(around[i], corner);
            const auto ends = topology.vertices(e);
            if (ends[0] != v && ends[1] != v) continue;
            for (const HalfEdge& side : topology.sides(e)) {
                fans -= joined.join(i, position(side.triangle)) ? 1 : 0;
            }
        }
    }
    return fans;
}

}  // namespace

MeshTopology::MeshTopology(const TriMesh& mesh) {
    const size_t triangleCount = mesh.triangleCount();
    ASSERT(mesh.vertexCount() < kInvalidIndex && 3 * triangleCount < kInvalidIndex);

    // fans: triangles around each vertex, a repeated vertex counted once
    fanStart_.assign(mesh.vertexCount() + 1, 0);
    const auto forEachDistinctVertex = [](const Triangle& v, auto&& act) {
        act(v[0]);
        if (v[1] != v[0]) act(v[1]);
        if (v[2] != v[0] && v[2] != v[1]) act(v[2]);
    };
    for (const Triangle& triangle : mesh.triangles) {
        forEachDistinctVertex(triangle, [&](VertexIndex v) { ++fanStart_[raw(v) + 1]; });
    }
    std::partial_sum(fanStart_.begin(), fanStart_.end(), fanStart_.begin());
    fans_.resize(fanStart_.back());
    std::vector<uint32_t> next(fanStart_.begin(), fanStart_.end() - 1);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        forEachDistinctVertex(mesh.triangles[t], [&](VertexIndex v) { fans_[next[raw(v)]++] = t; });
    }

    // sides sorted by (smaller vertex, larger vertex), then triangle: bucket by smaller vertex, sort the small buckets
    struct Side {
        uint32_t larger;
        HalfEdge half;
    };
    std::vector<uint32_t> start(mesh.vertexCount() + 1, 0);
    const auto ends = [&](TriangleIndex t, size_t corner) {
        const uint32_t a = raw(mesh.triangles[t][corner]), b = raw(mesh.triangles[t][(corner + 1) % 3]);
        return std::pair(std::min(a, b), std::max(a, b));
    };
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t corner = 0; corner < 3; ++corner) ++start[ends(t, corner).first + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Side> sorted(3 * triangleCount);
    next.assign(start.begin(), start.end() - 1);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t corner = 0; corner < 3; ++corner) {
            const auto [smaller, larger] = ends(t, corner);
            sorted[next[smaller]++] = {larger, {t, static_cast<uint8_t>(corner)}};
        }
    }

    // equal pairs of ends are one edge, and its sides one run
    edgeOfSide_.resize(triangleCount);
    sides_.resize(sorted.size());
    edges_.reserve(sorted.size() / 2);
    for (uint32_t v = 0; v < mesh.vertexCount(); ++v) {
        std::stable_sort(sorted.begin() + start[v], sorted.begin() + start[v + 1],
                         [](const Side& a, const Side& b) { return a.larger < b.larger; });
        for (uint32_t i = start[v]; i < start[v + 1]; ++i) {
            const Side& side = sorted[i];
            if (i == start[v] || sorted[i - 1].larger != side.larger) {
                edges_.push_back({{static_cast<VertexIndex>(v), static_cast<VertexIndex>(side.larger)}, i, 0});
            }
            const EdgeIndex e = static_cast<EdgeIndex>(static_cast<uint32_t>(edges_.size() - 1));
            ++edges_[e].sideCount;
            sides_[i] = side.half;
            edgeOfSide_[side.half.triangle][side.half.corner] = e;
        }
    }
}

std::vector<std::vector<TriangleIndex>> Components::lists() const {
    std::vector<std::vector<TriangleIndex>> result(count);
    for (const TriangleIndex t : ofTriangle.indices()) result[raw(ofTriangle[t])].push_back(t);
    return result;
}

Components connectedComponents(const TriMesh& mesh, const MeshTopology& topology) {
    // flood over the sides, from each triangle that no component has yet: numbered by their first triangle
    Components result;
    result.ofTriangle.assign(mesh.triangleCount(), kNone<ComponentIndex>);
    std::vector<TriangleIndex> open;
    for (const TriangleIndex seed : mesh.triangles.indices()) {
        if (result.ofTriangle[seed] != kNone<ComponentIndex>) continue;
        const auto component = static_cast<ComponentIndex>(static_cast<uint32_t>(result.count++));
        result.ofTriangle[seed] = component;
        open.push_back(seed);
        while (!open.empty()) {
            const TriangleIndex t = open.back();
            open.pop_back();
            for (int corner = 0; corner < 3; ++corner) {
                for (const HalfEdge& side : topology.sides(topology.edge(t, corner))) {
                    if (result.ofTriangle[side.triangle] != kNone<ComponentIndex>) continue;
                    result.ofTriangle[side.triangle] = component;
                    open.push_back(side.triangle);
                }
            }
        }
    }
    return result;
}

bool isClosedManifold(const TriMesh& mesh) { return !mesh.empty() && isClosedManifold(mesh, MeshTopology(mesh)); }

bool isClosedManifold(const TriMesh& mesh, const MeshTopology& topology) {
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() != 2) return false;
        const auto from = [&](const HalfEdge& side) { return mesh.triangles[side.triangle][side.corner]; };
        if (from(sides[0]) == from(sides[1])) return false;
    }
    for (const VertexIndex v : mesh.positions.indices()) {
        if (fanCount(topology, v) > 1) return false;
    }
    return !mesh.empty();
}

int genus(const TriMesh& mesh, const MeshTopology& topology) {
    size_t used = 0;
    for (const VertexIndex v : mesh.positions.indices()) used += topology.triangles(v).empty() ? 0 : 1;
    const auto euler =
        static_cast<long>(used) - static_cast<long>(topology.edgeCount()) + static_cast<long>(mesh.triangleCount());
    const auto components = static_cast<long>(connectedComponents(mesh, topology).count);
    return static_cast<int>((2 * components - euler) / 2);
}

}  // namespace sunder
