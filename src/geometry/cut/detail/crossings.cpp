#include "geometry/cut/detail/crossings.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/tree/bvh.h"

namespace sunder::detail {

namespace {

constexpr size_t kPairsPerBlock = 4096;

enum class EndKind : uint8_t { OnEdge, OnWallEdge, OnDiagonal };

/// One end of what a triangle and a fan triangle have in common.
struct SegmentEnd {
    EndKind kind = EndKind::OnEdge;
    uint32_t index = 0;  // corner of the triangle whose edge it is on, side of the wall, or diagonal of the fan
    Node node = 0;       // found later; nothing on diagonals, which are left out in the end
};

struct Segment {
    uint32_t triangle = 0, fan = 0;
    SegmentEnd start, end;
};

/// Name of the side `k` of a fan triangle: diagonal f lies between fan triangles f - 1 and f of a wall.
SegmentEnd sideOfFan(const WallComplex::Wall& wall, uint32_t fan, uint32_t k) {
    const uint32_t f = fan - wall.firstFan, last = wall.cornerCount - 3;
    if (k == 1) return {EndKind::OnWallEdge, f + 1, 0};
    if (k == 0) return f == 0 ? SegmentEnd{EndKind::OnWallEdge, 0, 0} : SegmentEnd{EndKind::OnDiagonal, f, 0};
    return f == last ? SegmentEnd{EndKind::OnWallEdge, wall.cornerCount - 1, 0}
                     : SegmentEnd{EndKind::OnDiagonal, f + 1, 0};
}

/// Signs of one triangle and one fan triangle, each computed at most once.
class TrianglePair {
public:
    TrianglePair(const ShrunkSigns& signs, const Triangle& triangle, const WallTriangle& fan)
        : signs_(signs), triangle_(triangle), fan_(fan) {}

    bool apart() {
        for (size_t k = 0; k < 3; ++k) ofCorner_[k] = signs_.side(triangle_[k], fan_);
        if (allEqual(ofCorner_)) return true;
        for (size_t k = 0; k < 3; ++k) ofFanCorner_[k] = signs_.side(fan_[k], triangle_);
        return allEqual(ofFanCorner_);
    }
    /// -1 or +1: edge k of the triangle crosses the fan triangle with or against its normal; 0: it does not.
    int edgeCrossing(size_t k) {
        const int from = ofCorner_[k], to = ofCorner_[(k + 1) % 3];
        if (from * to >= 0) return 0;
        const bool through = turn(k, 0) == turn(k, 1) && turn(k, 1) == turn(k, 2);
        return through ? to : 0;
    }
    int fanEdgeCrossing(size_t k) {
        const int from = ofFanCorner_[k], to = ofFanCorner_[(k + 1) % 3];
        if (from * to >= 0) return 0;
        const bool through = turn(0, k) == turn(1, k) && turn(1, k) == turn(2, k);
        return through ? to : 0;
    }

private:
    static constexpr int8_t kUnknown = 2;
    /// Zeros are signs of a triangle without extent, of which nothing is known but where its edges cross.
    static bool allEqual(const std::array<int, 3>& s) { return s[0] == s[1] && s[1] == s[2] && s[0] != 0; }

    int turn(size_t edge, size_t fanEdge) {
        int8_t& known = turns_[edge][fanEdge];
        if (known == kUnknown) {
            known = static_cast<int8_t>(
                signs_.turn(triangle_[edge], triangle_[(edge + 1) % 3], fan_[fanEdge], fan_[(fanEdge + 1) % 3]));
        }
        return known;
    }

    const ShrunkSigns& signs_;
    const Triangle& triangle_;
    const WallTriangle& fan_;
    std::array<int, 3> ofCorner_{}, ofFanCorner_{};
    std::array<std::array<int8_t, 3>, 3> turns_{{{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}};
};

/// Two triangles in general position have nothing in common or a segment. Walking around the triangle, the wall's
/// `cell` is left where its normal is followed: there the segment starts. Walking around the wall, the solid is entered
/// there.
void addSegment(const ShrunkSigns& signs, const TriMesh& solid, const WallComplex& walls, uint32_t t, uint32_t fan,
                std::vector<Segment>& segments) {
    const WallTriangle corners = walls.fan(fan);
    TrianglePair pair(signs, solid.triangles[TriangleIndex{t}], corners);
    if (pair.apart()) return;
    // ends where an edge of the triangle passes through the wall
    Segment segment{t, fan, {}, {}};
    int starts = 0, ends = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        const int sign = pair.edgeCrossing(k);
        if (sign == 0) continue;
        (sign > 0 ? segment.start : segment.end) = {EndKind::OnEdge, k, 0};
        ++(sign > 0 ? starts : ends);
    }
    // ends where an edge of the wall passes through the triangle
    for (uint32_t k = 0; k < 3; ++k) {
        const int sign = pair.fanEdgeCrossing(k);
        if (sign == 0) continue;
        (sign < 0 ? segment.start : segment.end) = sideOfFan(walls.walls[walls.wallOfFan[fan]], fan, k);
        ++(sign < 0 ? starts : ends);
    }
    // exact signs admit nothing between no end at all and one of each
    if (starts == 0 && ends == 0) return;
    if (starts != 1 || ends != 1) throw Contradiction("signs contradict each other");
    segments.push_back(segment);
}

std::vector<Segment> findSegments(const TriMesh& solid, const WallComplex& walls, const ShrunkSigns& signs) {
    // candidates: boxes that overlap, of the shrunken solid that the signs are about
    std::vector<Box3> triangleBoxes(solid.triangleCount()), fanBoxes(walls.wallOfFan.size());
    for (const TriangleIndex t : solid.triangles.indices()) {
        for (const VertexIndex v : solid.triangles[t]) triangleBoxes[raw(t)].add(signs.shrunk(v));
    }
    for (uint32_t f = 0; f < fanBoxes.size(); ++f) {
        for (const uint32_t v : walls.fan(f)) fanBoxes[f].add(walls.positions[v]);
    }
    if (fanBoxes.empty() || triangleBoxes.empty()) return {};
    const auto pairs = Bvh(triangleBoxes).overlappingPairs(Bvh(fanBoxes));
    // lists of blocks are joined in block order: segments stay ascending by triangle and wall
    using Segments = std::vector<Segment>;
    return parallelReduce(
        pairs.size(), kPairsPerBlock, Segments(),
        [&](const BlockRange& range) {
            Segments found;
            for (size_t i = range.begin; i < range.end; ++i) {
                addSegment(signs, solid, walls, pairs[i].first, pairs[i].second, found);
            }
            return found;
        },
        [](Segments all, Segments more) {
            if (all.empty()) return more;
            all.insert(all.end(), more.begin(), more.end());
            return all;
        });
}

uint64_t nameOf(uint32_t major, uint32_t minor) { return uint64_t{major} << 32 | minor; }

/// Names of points, ascending and each once, and where each major part begins.
struct NameList {
    std::vector<uint64_t> names;
    std::vector<uint32_t> first;

    void close(size_t majorCount) {
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        first.assign(majorCount + 1, 0);
        for (const uint64_t name : names) ++first[(name >> 32) + 1];
        for (size_t i = 0; i < majorCount; ++i) first[i + 1] += first[i];
    }
    uint32_t find(uint64_t name) const {
        const auto begin = names.begin() + first[name >> 32], end = names.begin() + first[(name >> 32) + 1];
        return static_cast<uint32_t>(std::lower_bound(begin, end, name) - names.begin());
    }
};

/// Names and numbers the ends of segments.
class PointNamer {
public:
    PointNamer(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls)
        : solid_(solid), topology_(topology), walls_(walls) {}

    void number(std::vector<Segment>& segments, Crossings& result) {
        // all crossings of one edge are one after the other, and those of a triangle's neighbours get the same number
        for (Segment& s : segments) {
            for (const SegmentEnd* end : {&s.start, &s.end}) {
                if (end->kind == EndKind::OnEdge) edgeNames_.names.push_back(edgeName(s, *end));
                if (end->kind == EndKind::OnWallEdge) wallEdgeNames_.names.push_back(wallEdgeName(s, *end));
            }
        }
        edgeNames_.close(topology_.edgeCount());
        wallEdgeNames_.close(walls_.edges.size());

        // the numbers of nodes: the solid's vertices, the walls', then points on the solid's edges and on the walls'
        result.firstWallNode = static_cast<uint32_t>(solid_.vertexCount());
        result.firstEdgePoint = result.firstWallNode + static_cast<uint32_t>(walls_.positions.size());
        result.firstWallEdgePoint = result.firstEdgePoint + static_cast<uint32_t>(edgeNames_.names.size());
        result.nodeCount = result.firstWallEdgePoint + static_cast<uint32_t>(wallEdgeNames_.names.size());
        result.edgePoints.resize(edgeNames_.names.size());
        result.wallEdgePoints.resize(wallEdgeNames_.names.size());
        // the names give way to these numbers
        for (Segment& s : segments) {
            describe(s, s.start, true, result);
            describe(s, s.end, false, result);
        }
        result.firstOfEdge = std::move(edgeNames_.first);
        result.firstOfWallEdge = std::move(wallEdgeNames_.first);
    }

private:
    uint64_t edgeName(const Segment& s, const SegmentEnd& end) const {
        return nameOf(raw(topology_.edge(TriangleIndex{s.triangle}, static_cast<int>(end.index))), s.fan);
    }
    WallComplex::Side side(const Segment& s, const SegmentEnd& end) const {
        return walls_.sides[walls_.walls[walls_.wallOfFan[s.fan]].firstCorner + end.index];
    }
    uint64_t wallEdgeName(const Segment& s, const SegmentEnd& end) const {
        return nameOf(side(s, end).edge, s.triangle);
    }

    void describe(const Segment& s, SegmentEnd& end, bool isStart, Crossings& result) const {
        const TriangleIndex t{s.triangle};
        if (end.kind == EndKind::OnEdge) {
            const uint32_t point = edgeNames_.find(edgeName(s, end));
            const EdgeIndex e = topology_.edge(t, static_cast<int>(end.index));
            const bool along = solid_.triangles[t][end.index] == topology_.vertices(e)[0];
            result.edgePoints[point] = {e, s.fan, isStart == along, 0};
            end.node = result.firstEdgePoint + point;
        } else if (end.kind == EndKind::OnWallEdge) {
            const uint32_t point = wallEdgeNames_.find(wallEdgeName(s, end));
            const WallComplex::Side on = side(s, end);
            result.wallEdgePoints[point] = {on.edge, t, isStart == on.forward, 0};
            end.node = result.firstWallEdgePoint + point;
        }
    }

    const TriMesh& solid_;
    const MeshTopology& topology_;
    const WallComplex& walls_;
    NameList edgeNames_, wallEdgeNames_;
};

/// Segments of one triangle with the fan of one wall, put together across the fan's diagonals.
void addChords(std::span<const Segment> group, const WallComplex& walls, std::vector<Crossings::Chord>& chords) {
    const uint32_t wall = walls.wallOfFan[group[0].fan], firstFan = walls.walls[wall].firstFan;
    for (const Segment& first : group) {
        if (first.start.kind == EndKind::OnDiagonal) continue;
        const Segment* last = &first;
        while (last->end.kind == EndKind::OnDiagonal) {
            const uint32_t diagonal = last->end.index, here = last->fan - firstFan;
            const uint32_t next = firstFan + (diagonal == here ? here - 1 : here + 1);
            const auto found =
                std::find_if(group.begin(), group.end(), [&](const Segment& s) { return s.fan == next; });
            const bool fits =
                found != group.end() && found->start.kind == EndKind::OnDiagonal && found->start.index == diagonal;
            if (!fits) throw Contradiction("a cut ends within a wall");
            last = &*found;
        }
        chords.push_back({TriangleIndex{first.triangle}, wall, first.start.node, last->end.node});
    }
}

}  // namespace

Crossings findCrossings(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                        const ShrunkSigns& signs) {
    std::vector<Segment> segments = findSegments(solid, walls, signs);
    Crossings result;
    PointNamer(solid, topology, walls).number(segments, result);

    // segments of one triangle with the fan triangles of one wall make up chords: diagonals are no places to end at
    for (size_t begin = 0, end = 0; begin < segments.size(); begin = end) {
        const auto sameChord = [&](const Segment& s) {
            return s.triangle == segments[begin].triangle &&
                   walls.wallOfFan[s.fan] == walls.wallOfFan[segments[begin].fan];
        };
        while (end < segments.size() && sameChord(segments[end])) ++end;
        addChords(std::span(segments).subspan(begin, end - begin), walls, result.chords);
    }

    // where on its edge each point is
    parallelFor(result.edgePoints.size(), 1024, [&](const BlockRange& range) {
        for (size_t i = range.begin; i < range.end; ++i) {
            auto& point = result.edgePoints[i];
            const auto [p, q] = topology.vertices(point.edge);
            point.at = signs.crossing(p, q, walls.fan(point.fan));
        }
    });
    parallelFor(result.wallEdgePoints.size(), 1024, [&](const BlockRange& range) {
        for (size_t i = range.begin; i < range.end; ++i) {
            auto& point = result.wallEdgePoints[i];
            const auto [a, b] = walls.edges[point.edge];
            point.at = signs.crossing(a, b, solid.triangles[point.triangle]);
        }
    });
    return result;
}

std::vector<Vec3> nodePositions(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                                const Crossings& crossings) {
    std::vector<Vec3> positions;
    positions.reserve(crossings.nodeCount);
    // exact at both ends
    const auto between = [](const Vec3& a, const Vec3& b, double at) {
        return at < 0.5 ? Vec3(a + at * (b - a)) : Vec3(b + (1 - at) * (a - b));
    };
    positions.insert(positions.end(), solid.positions.begin(), solid.positions.end());
    positions.insert(positions.end(), walls.positions.begin(), walls.positions.end());
    for (const auto& point : crossings.edgePoints) {
        const auto [p, q] = topology.vertices(point.edge);
        positions.push_back(between(solid.positions[p], solid.positions[q], point.at));
    }
    for (const auto& point : crossings.wallEdgePoints) {
        const auto [a, b] = walls.edges[point.edge];
        positions.push_back(between(walls.positions[a], walls.positions[b], point.at));
    }
    ASSERT(positions.size() == crossings.nodeCount);
    return positions;
}

}  // namespace sunder::detail
