#include "geometry/repair/fill_holes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/assert.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/detail/patch.h"

namespace sunder {

namespace {

constexpr size_t kMaxOptimalLoop = 256;  // the optimal triangulation takes cubic time
constexpr double kSliver = 1e-6;         // height over longest side
// a ragged border: of many edges, that turns by much from each to the next, and far more than once round in all
constexpr size_t kLeastRaggedEdges = 12;
constexpr double kRaggedTurn = 0.3;  // rad, in the mean
constexpr double kRaggedTurns = 2;   // times round
constexpr double kNever = std::numeric_limits<double>::infinity();

/// How bad a triangulation is: first its sharpest fold, then its area.
struct Badness {
    double fold = kNever;  // 1 - cosine of the largest angle between neighbours' normals, 0..2
    double area = kNever;  // m^2
    friend bool operator<(const Badness& a, const Badness& b) {
        return a.fold < b.fold || (a.fold == b.fold && a.area < b.area);
    }
};

class LoopTriangulator {
public:
    LoopTriangulator(const TriMesh& mesh, const MeshTopology& topology, const BoundaryLoop& loop)
        : mesh_(mesh), topology_(topology), loop_(loop), n_(loop.vertices.size()) {}

    std::vector<std::array<uint32_t, 3>> run() {
        if (n_ < 3) return {};
        return n_ <= kMaxOptimalLoop ? optimal() : greedy();
    }

private:
    Vec3 at(size_t i) const { return mesh_.positions[loop_.vertices[i % n_]]; }
    Vec3 normal(size_t i, size_t k, size_t j) const { return (at(k) - at(i)).cross(at(j) - at(i)); }

    /// Is there an edge between the two already? A second one would have too many triangles.
    bool connected(size_t i, size_t j) const {
        const VertexIndex a = loop_.vertices[i % n_], b = loop_.vertices[j % n_];
        for (const TriangleIndex t : topology_.triangles(a)) {
            for (const VertexIndex v : mesh_.triangles[t]) {
                if (v == b) return true;
            }
        }
        return false;
    }

    static double fold(const Vec3& a, const Vec3& b) {
        const double lengths = std::sqrt(a.squaredNorm() * b.squaredNorm());
        return lengths > 0 ? 1 - a.dot(b) / lengths : 1;
    }

    /// Corners in a line, or nearly: a triangle without a side. Along the straight border of a box only these would
    /// fold no more than others.
    bool isSliver(const Vec3& areaVector, size_t i, size_t k, size_t j) const {
        const double longest =
            std::max({(at(k) - at(i)).squaredNorm(), (at(j) - at(k)).squaredNorm(), (at(j) - at(i)).squaredNorm()});
        return areaVector.norm() <= kSliver * longest;
    }

    /// Dynamic programme over sub-chains i..j of the loop, closed by the edge i-j. Patch triangles run (i, j, k)
    /// with i < k < j, against the loop.
    std::vector<std::array<uint32_t, 3>> optimal() const {
        struct Cell {
            Badness badness;
            uint32_t apex = kInvalidIndex;
        };
        // the least badness of each sub-chain, and the apex that gives it
        std::vector<Cell> table(n_ * n_);
        const auto cell = [&](size_t i, size_t j) -> Cell& { return table[i * n_ + j]; };
        for (size_t i = 0; i + 1 < n_; ++i) cell(i, i + 1).badness = {0, 0};
        // normal of whatever lies below edge i-j: the mesh's triangle for a side of the loop, else the patch's
        const auto below = [&](size_t i, size_t j) {
            if (j == i + 1) return mesh_.areaVector(loop_.triangles[i]);
            return normal(i, j, cell(i, j).apex);
        };
        // short chains first: longer ones are made of them
        for (size_t span = 2; span < n_; ++span) {
            for (size_t i = 0; i + span < n_; ++i) {
                const size_t j = i + span;
                const bool closing = span == n_ - 1;  // the edge from last to first is a side of the loop
                // an edge that the mesh has already must not be made again
                if (!closing && connected(i, j)) continue;
                Cell best;
                for (size_t k = i + 1; k < j; ++k) {
                    const Cell &left = cell(i, k), &right = cell(k, j);
                    if (left.badness.fold == kNever || right.badness.fold == kNever) continue;
                    // the patch is as bad as its worst fold, and then as large as it is
                    const Vec3 own = normal(i, j, k);
                    Badness badness;
                    badness.fold = std::max(
                        {left.badness.fold, right.badness.fold, fold(own, below(i, k)), fold(own, below(k, j))});
                    if (isSliver(own, i, k, j)) badness.fold = 2;
                    if (closing) badness.fold = std::max(badness.fold, fold(own, mesh_.areaVector(loop_.triangles[j])));
                    badness.area = left.badness.area + right.badness.area + 0.5 * own.norm();
                    if (badness < best.badness) best = {badness, static_cast<uint32_t>(k)};
                }
                cell(i, j) = best;
            }
        }
        // from the whole chain down: each apex leaves two shorter ones
        std::vector<std::array<uint32_t, 3>> triangles;
        if (cell(0, n_ - 1).apex == kInvalidIndex) return {};
        std::vector<std::pair<size_t, size_t>> open{{0, n_ - 1}};
        while (!open.empty()) {
            const auto [i, j] = open.back();
            open.pop_back();
            if (j == i + 1) continue;
            const size_t k = cell(i, j).apex;
            triangles.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(j), static_cast<uint32_t>(k)});
            open.emplace_back(i, k);
            open.emplace_back(k, j);
        }
        return triangles;
    }

    /// Cuts the ear with the shortest new edge that folds least, again and again. For long loops.
    std::vector<std::array<uint32_t, 3>> greedy() const {
        // the loop's own mean normal, seen from the patch's side
        Vec3 average = Vec3::Zero();
        for (size_t i = 0; i < n_; ++i) average -= (at(i) - at(0)).cross(at(i + 1) - at(0));
        // the ring that is left, and its ears by cost; an ear whose neighbours changed is out of date
        std::vector<uint32_t> next(n_), previous(n_), version(n_, 0);
        for (uint32_t i = 0; i < n_; ++i) {
            next[i] = i + 1 == n_ ? 0 : i + 1;
            previous[next[i]] = i;
        }
        struct Ear {
            double score;
            uint32_t before, version;  // of the corner before the tip
            bool operator>(const Ear& other) const {
                return std::tie(score, before) > std::tie(other.score, other.before);
            }
        };
        std::priority_queue<Ear, std::vector<Ear>, std::greater<>> ears;
        const auto offer = [&](uint32_t a) {
            const uint32_t b = next[a], c = next[b];
            ++version[a];
            if (!connected(a, c))
                ears.push({(at(c) - at(a)).squaredNorm() * (1 + 10 * fold(normal(a, c, b), average)), a, version[a]});
        };
        for (uint32_t i = 0; i < n_; ++i) offer(i);

        // the cheapest ear that makes no edge which is there already
        std::vector<std::array<uint32_t, 3>> triangles;
        uint32_t left = static_cast<uint32_t>(n_), last = 0;
        while (left > 3) {
            // every ear is in the way of the mesh
            if (ears.empty()) return {};
            const Ear ear = ears.top();
            ears.pop();
            const uint32_t a = ear.before;
            if (ear.version != version[a]) continue;
            const uint32_t tip = next[a], c = next[tip];
            triangles.push_back({a, c, tip});
            ++version[tip];
            next[a] = c;
            previous[c] = a;
            offer(a);
            offer(previous[a]);
            last = a;
            --left;
        }
        triangles.push_back({last, next[next[last]], next[last]});
        return triangles;
    }

    const TriMesh& mesh_;
    const MeshTopology& topology_;
    const BoundaryLoop& loop_;
    size_t n_;
};

double areaOf(const TriMesh& mesh, const BoundaryLoop& loop, const std::vector<std::array<uint32_t, 3>>& patch) {
    double area = 0;
    for (const auto& [i, j, k] : patch) {
        const Vec3 a = mesh.positions[loop.vertices[i]];
        area += 0.5 * (mesh.positions[loop.vertices[j]] - a).cross(mesh.positions[loop.vertices[k]] - a).norm();
    }
    return area;
}

}  // namespace

std::vector<BoundaryLoop> boundaryLoops(const TriMesh& mesh, const MeshTopology& topology) {
    // the open side that leaves each vertex; two at one vertex leave no clear way
    IndexedVector<VertexIndex, HalfEdge> outgoing(mesh.vertexCount());
    IndexedVector<VertexIndex, uint8_t> ambiguous(mesh.vertexCount(), 0);
    std::vector<VertexIndex> starts;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (!topology.isBoundary(e)) continue;
        const HalfEdge side = topology.sides(e)[0];
        const VertexIndex from = mesh.triangles[side.triangle][side.corner];
        if (outgoing[from].triangle != kNone<TriangleIndex>) ambiguous[from] = 1;
        outgoing[from] = side;
        starts.push_back(from);
    }
    std::sort(starts.begin(), starts.end());
    // follow them round: what comes back to where it began is a hole
    IndexedVector<VertexIndex, uint8_t> visited(mesh.vertexCount(), 0);
    std::vector<BoundaryLoop> loops;
    for (const VertexIndex start : starts) {
        BoundaryLoop loop;
        VertexIndex v = start;
        while (!visited[v] && !ambiguous[v] && outgoing[v].triangle != kNone<TriangleIndex>) {
            visited[v] = 1;
            const HalfEdge side = outgoing[v];
            const VertexIndex next = mesh.triangles[side.triangle][(side.corner + 1) % 3];
            loop.vertices.push_back(v);
            loop.triangles.push_back(side.triangle);
            loop.length += (mesh.positions[next] - mesh.positions[v]).norm();
            v = next;
        }
        if (v == start && loop.vertices.size() >= 3) loops.push_back(std::move(loop));
    }
    return loops;
}

bool isRagged(const TriMesh& mesh, const BoundaryLoop& loop) {
    const size_t count = loop.vertices.size();
    double turned = 0;  // rad
    for (size_t i = 0; i < count; ++i) {
        const Vec3& here = mesh.positions[loop.vertices[i]];
        const Vec3 in = here - mesh.positions[loop.vertices[(i + count - 1) % count]];
        const Vec3 out = mesh.positions[loop.vertices[(i + 1) % count]] - here;
        turned += std::atan2(in.cross(out).norm(), in.dot(out));
    }
    return count >= kLeastRaggedEdges && turned >= kRaggedTurns * 2 * M_PI &&
           turned >= kRaggedTurn * static_cast<double>(count);
}

std::vector<std::array<uint32_t, 3>> triangulateLoop(const TriMesh& mesh, const MeshTopology& topology,
                                                     const BoundaryLoop& loop) {
    ASSERT(loop.vertices.size() >= 3 && loop.triangles.size() == loop.vertices.size());
    return LoopTriangulator(mesh, topology, loop).run();
}

HoleReport fillHoles(TriMesh& mesh, const HoleOptions& options) {
    const MeshTopology topology(mesh);
    const std::vector<BoundaryLoop> loops = boundaryLoops(mesh, topology);
    HoleReport report;
    if (loops.empty()) return report;

    // holes are small or large against the component they are in
    const Components components = connectedComponents(mesh, topology);
    std::vector<Box3> boxes(components.count);
    std::vector<double> areas(components.count, 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const size_t c = raw(components.ofTriangle[t]);
        for (const Vec3& corner : mesh.corners(t)) boxes[c].add(corner);
        areas[c] += 0.5 * mesh.areaVector(t).norm();
    }

    double largestFilledLength = 0;
    // small ones are filled, all others are left and the longest is told
    for (const BoundaryLoop& loop : loops) {
        const size_t component = raw(components.ofTriangle[loop.triangles[0]]);
        const bool isShort = loop.length <= options.maxLength * boxes[component].diagonal();
        double limit = loop.vertices.size() == 3 ? options.maxTriangleArea
                       : isShort                 ? options.maxArea
                                                 : options.maxSlitArea;
        if (options.maxRaggedArea > limit && isRagged(mesh, loop)) limit = options.maxRaggedArea;
        std::vector<std::array<uint32_t, 3>> patch = triangulateLoop(mesh, topology, loop);
        if (areaOf(mesh, loop, patch) > limit * areas[component]) patch.clear();
        if (patch.empty()) {
            ++report.left;
            if (loop.length > report.largestLength) {
                report.largestLength = loop.length;
                report.place = mesh.positions[loop.vertices[0]];
            }
            continue;
        }
        detail::addPatch(mesh, loop, patch);
        ++report.filled;
        report.largest = std::max(report.largest, loop.vertices.size());
        if (report.left == 0 && loop.length > largestFilledLength) {
            largestFilledLength = loop.length;
            report.place = mesh.positions[loop.vertices[0]];
        }
    }
    return report;
}

}  // namespace sunder
