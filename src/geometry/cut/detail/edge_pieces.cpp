#include "geometry/cut/detail/edge_pieces.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/disjoint_sets.h"
#include "geometry/tree/winding_number.h"

namespace sunder::detail {

namespace {

/// What an edge of the solid passes through: cells as seen along it.
struct Passage {
    uint32_t from = 0, to = 0;  // cells
    Node node = 0;
    double at = 0;
};

/// In order of place, ties in order of number.
std::vector<Passage> passagesAlong(EdgeIndex e, const WallComplex& walls, const Crossings& crossings) {
    std::vector<Passage> result;
    const auto points = crossings.on(e);
    for (size_t i = 0; i < points.size(); ++i) {
        const WallComplex::Wall& wall = walls.walls[walls.wallOfFan[points[i].fan]];
        const Node node = crossings.firstEdgePoint + crossings.firstOfEdge[raw(e)] + static_cast<uint32_t>(i);
        const uint32_t from = points[i].forward ? wall.cell : wall.neighbour;
        const uint32_t to = points[i].forward ? wall.neighbour : wall.cell;
        result.push_back({from, to, node, points[i].at});
    }
    std::stable_sort(result.begin(), result.end(), [](const Passage& a, const Passage& b) { return a.at < b.at; });
    return result;
}

/// The cells in which an edge begins and ends. Where rounding has swapped passages that almost coincide: the one that
/// is left and the one that is entered once more than the opposite; none when that is the same.
struct EndCells {
    uint32_t first = kInvalidIndex, last = kInvalidIndex;
};
EndCells endCells(std::span<const Passage> passages) {
    bool inOrder = true;
    for (size_t i = 0; i + 1 < passages.size(); ++i) inOrder = inOrder && passages[i].to == passages[i + 1].from;
    if (inOrder) return {passages.front().from, passages.back().to};
    EndCells result;
    const auto balance = [&](uint32_t cell) {
        int sum = 0;
        for (const Passage& p : passages) sum += (p.from == cell) - (p.to == cell);
        return sum;
    };
    for (const Passage& p : passages) {
        if (balance(p.from) == 1) result.first = p.from;
        if (balance(p.to) == -1) result.last = p.to;
    }
    return result;
}

/// Vertices that are joined by uncrossed edges are in one cell; crossed edges tell which. A part that nothing crosses
/// is asked for.
std::vector<uint32_t> cellsOfVertices(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                                      const Crossings& crossings) {
    DisjointSets together(solid.vertexCount());
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto [p, q] = topology.vertices(e);
        if (crossings.on(e).empty()) together.join(raw(p), raw(q));
    }
    std::vector<uint32_t> cellOf(solid.vertexCount(), kInvalidIndex);
    const auto tell = [&](VertexIndex v, uint32_t cell) {
        uint32_t& known = cellOf[together.root(raw(v))];
        if (cell == kInvalidIndex) return;
        if (known != kInvalidIndex && known != cell) throw Contradiction("a vertex in two cells");
        known = cell;
    };
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (crossings.on(e).empty()) continue;
        const EndCells ends = endCells(passagesAlong(e, walls, crossings));
        tell(topology.vertices(e)[0], ends.first);
        tell(topology.vertices(e)[1], ends.last);
    }

    std::map<uint32_t, std::vector<Vec3>> untold;  // by root
    for (const Triangle& triangle : solid.triangles) {
        for (const VertexIndex v : triangle) {
            const uint32_t root = together.root(raw(v));
            if (cellOf[root] == kInvalidIndex) untold[root].push_back(solid.positions[v]);
        }
    }
    for (const auto& [root, part] : untold) cellOf[root] = walls.cellOfPart(part);
    for (uint32_t v = 0; v < cellOf.size(); ++v) cellOf[v] = cellOf[together.root(v)];
    return cellOf;
}

/// Joins beginnings with ends, the first with the first: also right where rounding has swapped an end with the next
/// beginning.
void join(std::span<const Node> begins, std::span<const Node> ends, uint32_t cell, std::vector<EdgePiece>& pieces) {
    if (begins.size() != ends.size()) throw Contradiction("a part of an edge does not end");
    for (size_t i = 0; i < begins.size(); ++i) pieces.push_back({cell, begins[i], ends[i]});
}

void cutEdge(EdgeIndex e, const MeshTopology& topology, const WallComplex& walls, const Crossings& crossings,
             EdgePieces& result) {
    const std::vector<Passage> passages = passagesAlong(e, walls, crossings);
    const auto [p, q] = topology.vertices(e);
    const uint32_t firstCell = result.cellOfVertex[raw(p)], lastCell = result.cellOfVertex[raw(q)];
    std::vector<uint32_t> touched{firstCell, lastCell};
    for (const Passage& passage : passages) touched.insert(touched.end(), {passage.from, passage.to});
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<Node> begins, ends;
    for (const uint32_t cell : touched) {
        begins.clear();
        ends.clear();
        if (firstCell == cell) begins.push_back(raw(p));
        for (const Passage& passage : passages) {
            if (passage.to == cell) begins.push_back(passage.node);
            if (passage.from == cell) ends.push_back(passage.node);
        }
        if (lastCell == cell) ends.push_back(raw(q));
        join(begins, ends, cell, result.pieces);
    }
}

/// How often the solid goes around a point, by solid angles: right unless the point is on the surface.
int windingAt(const Vec3& point, const TriMesh& solid) {
    return static_cast<int>(std::lround(exactWindingNumber(solid, point)));
}

/// How often the solid goes around each vertex of the walls: known to be 0 on the container, and changed by every
/// crossing on the way from there. Of walls that do not hang together with the container one vertex each is looked at.
std::vector<int> windings(const TriMesh& solid, const WallComplex& walls, const Crossings& crossings) {
    // the edges at each vertex
    std::vector<uint32_t> firstEdge(walls.positions.size() + 1, 0), edgesAt(2 * walls.edges.size());
    for (const auto& e : walls.edges) {
        ++firstEdge[e.from + 1];
        ++firstEdge[e.to + 1];
    }
    for (size_t v = 0; v < walls.positions.size(); ++v) firstEdge[v + 1] += firstEdge[v];
    std::vector<uint32_t> fill(firstEdge.begin(), firstEdge.end() - 1);
    for (uint32_t e = 0; e < walls.edges.size(); ++e) {
        edgesAt[fill[walls.edges[e].from]++] = e;
        edgesAt[fill[walls.edges[e].to]++] = e;
    }

    // from the container inwards: an edge changes the number by what crosses it
    std::vector<int> winding(walls.positions.size(), 0);
    std::vector<uint8_t> known = walls.outside;
    std::vector<uint32_t> queue;
    for (uint32_t v = 0; v < known.size(); ++v) {
        if (known[v]) queue.push_back(v);
    }
    size_t next = 0;
    const auto follow = [&] {
        for (; next < queue.size(); ++next) {
            const uint32_t v = queue[next];
            for (uint32_t i = firstEdge[v]; i < firstEdge[v + 1]; ++i) {
                const WallComplex::Edge& e = walls.edges[edgesAt[i]];
                const uint32_t other = e.from == v ? e.to : e.from;
                if (known[other]) continue;
                int gain = 0;
                for (const auto& point : crossings.onWallEdge(edgesAt[i])) gain += point.entering ? 1 : -1;
                winding[other] = winding[v] + (e.from == v ? gain : -gain);
                known[other] = 1;
                queue.push_back(other);
            }
        }
    };
    follow();

    // walls that hang together with nothing known so far
    for (uint32_t v = 0; v < known.size(); ++v) {
        if (known[v] || firstEdge[v] == firstEdge[v + 1]) continue;
        winding[v] = windingAt(walls.positions[v], solid);
        known[v] = 1;
        queue.push_back(v);
        follow();
    }
    return winding;
}

void cutWallEdge(uint32_t e, const WallComplex& walls, const Crossings& crossings, std::span<const int> winding,
                 std::vector<EdgePiece>& pieces) {
    const auto [a, b] = walls.edges[e];
    const auto points = crossings.onWallEdge(e);
    if (points.empty() && winding[a] == 0 && winding[b] == 0) return;
    std::vector<uint32_t> order(points.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) { return points[i].at < points[j].at; });

    // a place where the solid overlaps itself by rounding counts twice, one that it turns inside out counts backwards
    std::vector<Node> begins, ends;
    const auto times = [](int count) { return static_cast<size_t>(std::max(count, 0)); };
    begins.insert(begins.end(), times(winding[a]), crossings.firstWallNode + a);
    ends.insert(ends.end(), times(-winding[a]), crossings.firstWallNode + a);
    for (const uint32_t i : order) {
        const Node node = crossings.firstWallEdgePoint + crossings.firstOfWallEdge[e] + i;
        (points[i].entering ? begins : ends).push_back(node);
    }
    ends.insert(ends.end(), times(winding[b]), crossings.firstWallNode + b);
    begins.insert(begins.end(), times(-winding[b]), crossings.firstWallNode + b);
    join(begins, ends, 0, pieces);
}

}  // namespace

EdgePieces findEdgePieces(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                          const Crossings& crossings) {
    EdgePieces result;
    result.cellOfVertex = cellsOfVertices(solid, topology, walls, crossings);
    result.firstOfEdge.push_back(0);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (!crossings.on(e).empty()) cutEdge(e, topology, walls, crossings, result);
        result.firstOfEdge.push_back(static_cast<uint32_t>(result.pieces.size()));
    }
    const std::vector<int> winding = windings(solid, walls, crossings);
    result.firstOfWallEdge.push_back(0);
    for (uint32_t e = 0; e < walls.edges.size(); ++e) {
        cutWallEdge(e, walls, crossings, winding, result.wallPieces);
        result.firstOfWallEdge.push_back(static_cast<uint32_t>(result.wallPieces.size()));
    }
    return result;
}

}  // namespace sunder::detail
