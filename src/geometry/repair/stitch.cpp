#include "geometry/repair/stitch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

constexpr int kMaxStitchPasses = 8;
constexpr size_t kMaxPerCell = 64;  // ends of one cell that another is compared with

// a tolerance far above rounding must explain the gaps
constexpr double kClosedByWide = 0.05;    // of the open edges, may be left
constexpr double kWideAgainstEdge = 0.3;  // of the middle length of open edges

std::vector<EdgeIndex> openEdges(const MeshTopology& topology) {
    std::vector<EdgeIndex> open;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (topology.isBoundary(e)) open.push_back(e);
    }
    return open;
}

std::vector<VertexIndex> endsOf(const MeshTopology& topology, const std::vector<EdgeIndex>& edges) {
    std::vector<VertexIndex> ends;
    for (const EdgeIndex e : edges) {
        for (const VertexIndex v : topology.vertices(e)) ends.push_back(v);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

struct BadEdges {
    size_t open = 0, crowded = 0;
};

BadEdges badEdges(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    BadEdges bad;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        bad.open += topology.isBoundary(e);
        bad.crowded += topology.isNonManifold(e);
    }
    return bad;
}

/// The median length of open edges, m.
double middleOpenEdge(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    std::vector<double> lengths;
    for (const EdgeIndex e : openEdges(topology)) {
        const auto [a, b] = topology.vertices(e);
        lengths.push_back((mesh.positions[a] - mesh.positions[b]).norm());
    }
    if (lengths.empty()) return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

size_t stitchPass(TriMesh& mesh, double tolerance) {
    const MeshTopology topology(mesh);
    const std::vector<EdgeIndex> open = openEdges(topology);
    if (open.size() < 3) return 0;
    // open edges by their boxes
    std::vector<Box3> boxes(open.size());
    for (size_t i = 0; i < open.size(); ++i) {
        for (const VertexIndex v : topology.vertices(open[i])) boxes[i].add(mesh.positions[v]);
        boxes[i] = boxes[i].expanded(tolerance);
    }
    const Bvh tree(boxes);

    struct Split {
        HalfEdge side;
        double at;  // along the side, 0..1
        VertexIndex vertex;
    };
    // ends of open edges that lie within another open edge
    std::vector<Split> splits;
    for (const VertexIndex v : endsOf(topology, open)) {
        const Vec3& p = mesh.positions[v];
        Box3 point;
        point.add(p);
        for (const uint32_t i : tree.overlapping(point)) {
            const HalfEdge side = topology.sides(open[i])[0];
            const Triangle& triangle = mesh.triangles[side.triangle];
            if (std::find(triangle.begin(), triangle.end(), v) != triangle.end()) continue;
            const Vec3 a = mesh.positions[triangle[side.corner]];
            const Vec3 along = mesh.positions[triangle[(side.corner + 1) % 3]] - a;
            const double squaredLength = along.squaredNorm();
            if (!(squaredLength > 0)) continue;
            const double s = (p - a).dot(along) / squaredLength;
            const double length = std::sqrt(squaredLength);
            if (s * length <= tolerance || (1 - s) * length <= tolerance) continue;  // an end: welding's business
            if ((p - a - s * along).norm() > tolerance) continue;
            splits.push_back({side, s, v});
        }
    }
    // per triangle one side at a time; its other sides wait for the next pass
    std::sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) {
        return std::tuple(a.side.triangle, a.side.corner, a.at, a.vertex) <
               std::tuple(b.side.triangle, b.side.corner, b.at, b.vertex);
    });
    // each such side is split at all the ends on it
    size_t stitched = 0;
    for (size_t i = 0; i < splits.size();) {
        const HalfEdge side = splits[i].side;
        std::vector<VertexIndex> on;
        size_t end = i;
        for (; end < splits.size() && splits[end].side.triangle == side.triangle; ++end) {
            if (splits[end].side.corner == side.corner) on.push_back(splits[end].vertex);
        }
        detail::splitSide(mesh, side.triangle, side.corner, on);
        stitched += on.size();
        i = end;
    }
    return stitched;
}

}  // namespace

size_t weldOpenEdges(TriMesh& mesh, double tolerance) {
    const MeshTopology topology(mesh);
    const std::vector<VertexIndex> ends = endsOf(topology, openEdges(topology));
    if (ends.empty() || !(tolerance > 0)) return 0;

    // cells of twice the tolerance, sorted by key: near pairs lie in the same or a neighbouring cell
    Box3 bounds;
    for (const VertexIndex v : ends) bounds.add(mesh.positions[v]);
    constexpr double kMaxCells = 1 << 20;
    const double cell = std::max(2 * tolerance, bounds.size().maxCoeff() / kMaxCells);
    const auto keyOf = [](int64_t x, int64_t y, int64_t z) { return (x + 1) + ((y + 1) << 21) + ((z + 1) << 42); };
    struct Item {
        int64_t key;
        uint32_t end;
    };
    std::vector<Item> items(ends.size());
    const auto cellOf = [&](uint32_t end) {
        const Vec3 at = (mesh.positions[ends[end]] - bounds.min) / cell;
        return std::array<int64_t, 3>{static_cast<int64_t>(at.x()), static_cast<int64_t>(at.y()),
                                      static_cast<int64_t>(at.z())};
    };
    for (uint32_t i = 0; i < ends.size(); ++i) {
        const auto [x, y, z] = cellOf(i);
        items[i] = {keyOf(x, y, z), i};
    }
    const auto byKey = [](const Item& a, const Item& b) { return std::pair(a.key, a.end) < std::pair(b.key, b.end); };
    std::sort(items.begin(), items.end(), byKey);

    struct Pair {
        double squaredDistance;
        uint32_t a, b;  // places in `ends`
    };
    // near pairs, each once, from the end with the lower number. Where thousands lie in one cell each is paired with
    // the next few: those with others in turn, so that all come together.
    std::vector<Pair> pairs;
    for (uint32_t i = 0; i < ends.size(); ++i) {
        const auto [x, y, z] = cellOf(i);
        for (int64_t dz = -1; dz <= 1; ++dz) {
            for (int64_t dy = -1; dy <= 1; ++dy) {
                for (int64_t dx = -1; dx <= 1; ++dx) {
                    const int64_t key = keyOf(x + dx, y + dy, z + dz);
                    auto it = std::lower_bound(items.begin(), items.end(), Item{key, i + 1}, byKey);
                    for (size_t seen = 0; seen < kMaxPerCell && it != items.end() && it->key == key; ++it, ++seen) {
                        const double squared = (mesh.positions[ends[i]] - mesh.positions[ends[it->end]]).squaredNorm();
                        if (squared <= tolerance * tolerance) pairs.push_back({squared, i, it->end});
                    }
                }
            }
        }
    }
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return std::tie(a.squaredDistance, a.a, a.b) < std::tie(b.squaredDistance, b.a, b.b);
    });

    // merge, nearest first; a cluster must not hold two corners of one triangle
    DisjointSets clusters(ends.size());
    std::vector<std::vector<uint32_t>> members(ends.size());
    for (uint32_t i = 0; i < ends.size(); ++i) members[i] = {i};
    IndexedVector<VertexIndex, uint32_t> endAt(mesh.vertexCount(), kInvalidIndex);
    std::vector<size_t> weight(ends.size());  // triangles around a cluster
    for (uint32_t i = 0; i < ends.size(); ++i) {
        endAt[ends[i]] = i;
        weight[i] = topology.triangles(ends[i]).size();
    }
    // asked from the cluster with fewer triangles: whether any of them has a corner in the other
    const auto shareTriangle = [&](uint32_t few, uint32_t many) {
        if (weight[few] > weight[many]) std::swap(few, many);
        for (const uint32_t m : members[few]) {
            for (const TriangleIndex t : topology.triangles(ends[m])) {
                for (const VertexIndex v : mesh.triangles[t]) {
                    if (endAt[v] != kInvalidIndex && clusters.root(endAt[v]) == many) return true;
                }
            }
        }
        return false;
    };
    size_t merged = 0;
    for (const Pair& pair : pairs) {
        const uint32_t a = clusters.root(pair.a), b = clusters.root(pair.b);
        if (a == b || shareTriangle(a, b)) continue;
        const uint32_t keep = std::min(a, b), gone = std::max(a, b);
        clusters.join(keep, gone);
        ASSERT(clusters.root(gone) == keep);
        // the shorter list moves
        if (members[keep].size() < members[gone].size()) std::swap(members[keep], members[gone]);
        members[keep].insert(members[keep].end(), members[gone].begin(), members[gone].end());
        members[gone].clear();
        weight[keep] += weight[gone];
        ++merged;
    }
    if (merged == 0) return 0;

    // each cluster becomes its lowest vertex, moved to the mean
    IndexedVector<VertexIndex, VertexIndex> becomes(mesh.vertexCount());
    for (const VertexIndex v : mesh.positions.indices()) becomes[v] = v;
    for (uint32_t i = 0; i < ends.size(); ++i) {
        becomes[ends[i]] = ends[clusters.root(i)];
        ASSERT(clusters.root(i) == i || members[i].empty());
        if (members[i].size() < 2) continue;
        Vec3 sum = Vec3::Zero();
        for (const uint32_t m : members[i]) sum += mesh.positions[ends[m]] - mesh.positions[ends[i]];
        mesh.positions[ends[i]] += sum / static_cast<double>(members[i].size());
    }
    for (Triangle& triangle : mesh.triangles) {
        for (VertexIndex& v : triangle) v = becomes[v];
    }
    removeUnusedVertices(mesh);
    return merged;
}

WeldedSeams weldSeams(TriMesh& mesh, double tolerance) {
    WeldedSeams best;
    TriMesh bestMesh = mesh;
    best.welded = weldOpenEdges(bestMesh, tolerance);
    best.tolerance = tolerance;
    size_t bestOpen = badEdges(bestMesh).open;
    // wider tolerances are tried, but must close at least half of what is left to be believed
    for (const double factor : {4.0, 16.0}) {
        if (bestOpen == 0) break;
        TriMesh wider = mesh;
        const size_t welded = weldOpenEdges(wider, factor * tolerance);
        const size_t open = badEdges(wider).open;
        if (2 * open > bestOpen) continue;
        best = {welded, factor * tolerance};
        bestOpen = open;
        bestMesh = std::move(wider);
    }
    mesh = std::move(bestMesh);
    return best;
}

ClosedGaps closeGaps(TriMesh& mesh, double tolerance) {
    const BadEdges before = badEdges(mesh);
    const double edge = before.open > 0 ? middleOpenEdge(mesh) : 0;
    for (const double factor : {64.0, 256.0, 1024.0}) {
        const double wider = factor * tolerance;
        if (wider > kWideAgainstEdge * edge) break;
        TriMesh closed = mesh;
        ClosedGaps gaps;
        gaps.tolerance = wider;
        gaps.welded = weldOpenEdges(closed, wider);
        gaps.stitched = stitchTJunctions(closed, wider);
        const BadEdges left = badEdges(closed);
        if (static_cast<double>(left.open) > kClosedByWide * static_cast<double>(before.open)) continue;
        if (left.crowded > before.crowded) continue;
        mesh = std::move(closed);
        return gaps;
    }
    return {};
}

size_t stitchTJunctions(TriMesh& mesh, double tolerance) {
    size_t stitched = 0;
    for (int pass = 0; pass < kMaxStitchPasses; ++pass) {
        const size_t now = stitchPass(mesh, tolerance);
        if (now == 0) break;
        stitched += now;
    }
    return stitched;
}

}  // namespace sunder
