#pragma once

#include <limits>
#include <vector>

#include "geometry/mesh/triangle_intersection.h"

namespace sunder {

/// Two triangles of a surface that meet where they must not.
struct IntersectingPair {
    TriangleIndex first = kNone<TriangleIndex>;              // the smaller
    TriangleIndex second = kNone<TriangleIndex>;             // the larger
    TriangleRelation relation = TriangleRelation::Disjoint;  // beyond what they share; not Disjoint
    friend bool operator==(const IntersectingPair&, const IntersectingPair&) = default;
};

/// What findSelfIntersections() may look at before it gives up: near pairs, or this many times the triangles if that is
/// more.
constexpr size_t kMaxNearPairs = 20000000;
constexpr size_t kMaxNearPairsPerTriangle = 60;  // of those that are near

/// Pairs of triangles that meet, unless there were too many to look at.
struct FoundIntersections {
    std::vector<IntersectingPair> pairs;  // ascending
    bool tooNear = false;                 // no pair was looked at: more than the limit are near each other
};

/// As selfIntersections(), in bounded time and memory: a surface of needles that all cross each other has near pairs by
/// the square of their number.
FoundIntersections findSelfIntersections(const TriMesh& mesh, size_t maxPairs);

/// Pairs of triangles that meet anywhere but in their shared corners and sides, ascending: none, if and only if the
/// surface is embedded. Corners at exactly the same place are taken as shared, welded or not. Two kinds of defect have
/// names of their own and are left out: triangles without area, and pairs on the same three corners. At most
/// `maxPairs`, the first ones.
std::vector<IntersectingPair> selfIntersections(const TriMesh& mesh,
                                                size_t maxPairs = std::numeric_limits<size_t>::max());

}  // namespace sunder
