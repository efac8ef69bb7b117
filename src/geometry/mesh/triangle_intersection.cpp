#include "geometry/mesh/triangle_intersection.h"

#include <algorithm>
#include <optional>

#include "math/predicates.h"

namespace sunder {

namespace {

using Signs = std::array<int, 3>;
using Corners2 = std::array<Vec2, 3>;
struct Segment {
    Vec3 from, to;
};

/// Drops one coordinate; the order keeps turning directions: 0 -> yz, 1 -> zx, 2 -> xy.
Vec2 project(const Vec3& p, int dropped) { return {p[(dropped + 1) % 3], p[(dropped + 2) % 3]}; }

Corners2 project(const TriangleCorners& t, int dropped) {
    return {project(t[0], dropped), project(t[1], dropped), project(t[2], dropped)};
}

/// A coordinate whose loss keeps the triangle's area from vanishing; the steepest first, for clear signs. None for
/// collinear corners.
std::optional<int> projectionOf(const TriangleCorners& t) {
    const Vec3 steepness = (t[1] - t[0]).cross(t[2] - t[0]).cwiseAbs();
    int best = 0;
    if (steepness[1] > steepness[best]) best = 1;
    if (steepness[2] > steepness[best]) best = 2;
    for (int i = 0; i < 3; ++i) {
        const int dropped = (best + i) % 3;
        const Corners2 flat = project(t, dropped);
        if (orient2d(flat[0], flat[1], flat[2]) != 0) return dropped;
    }
    return std::nullopt;
}

Signs sidesOf(const TriangleCorners& plane, const TriangleCorners& points) {
    Signs signs;
    for (size_t i = 0; i < 3; ++i) signs[i] = orient3d(plane[0], plane[1], plane[2], points[i]);
    return signs;
}

bool allOnOneSide(const Signs& s) { return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0); }
bool allZero(const Signs& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; }
bool straddles(const Signs& s) { return std::min({s[0], s[1], s[2]}) < 0 && std::max({s[0], s[1], s[2]}) > 0; }

/// Which corner is alone on its side of the other plane, and whether that side is the negative one.
struct Lone {
    size_t corner;
    bool below;
};
Lone loneCorner(const Signs& s) {
    const auto count = [&](int sign) { return std::count(s.begin(), s.end(), sign); };
    const auto find = [&](int sign) { return static_cast<size_t>(std::find(s.begin(), s.end(), sign) - s.begin()); };
    if (count(1) == 1) return {find(1), false};
    if (count(-1) == 1) return {find(-1), true};
    return {find(0), count(1) == 2};  // one corner on the plane, two on one side of it
}

TriangleCorners rotated(const TriangleCorners& t, size_t first) {
    return {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
}

/// What two triangles in different planes share on the line where the planes meet.
enum class LineContact { Apart, Point, Piece };

/// [guigue2003] section 3: with the lone corners p1, p2 on the positive sides, the triangles cut the common line in
/// intervals [i, j] and [k, l], and two determinants tell k <= j and i <= l.
LineContact contactOnCommonLine(const TriangleCorners& a, const Signs& aSides, const TriangleCorners& b,
                                const Signs& bSides) {
    const Lone loneA = loneCorner(aSides), loneB = loneCorner(bSides);
    TriangleCorners p = rotated(a, loneA.corner), q = rotated(b, loneB.corner);
    if (loneA.below) std::swap(q[1], q[2]);
    if (loneB.below) std::swap(p[1], p[2]);
    const int first = orient3d(p[0], p[1], q[0], q[1]);
    if (first > 0) return LineContact::Apart;
    const int second = orient3d(p[0], p[2], q[2], q[0]);
    if (second > 0) return LineContact::Apart;
    return first < 0 && second < 0 ? LineContact::Piece : LineContact::Point;
}

// In a plane: everything below is turned counter-clockwise first.

Corners2 counterClockwise(Corners2 t) {
    if (orient2d(t[0], t[1], t[2]) < 0) std::swap(t[1], t[2]);
    return t;
}

/// -1 when a side of `a` has all of `b` strictly outside, 0 when it has all of b outside or on it, +1 when no side
/// separates.
int separationBySidesOf(const Corners2& a, const Corners2& b) {
    int result = 1;
    for (size_t i = 0; i < 3; ++i) {
        int highest = -1;
        for (const Vec2& p : b) highest = std::max(highest, orient2d(a[i], a[(i + 1) % 3], p));
        result = std::min(result, highest);
    }
    return result;
}

/// Two convex polygons in a plane are apart, or share no area, when a side of one says so.
TriangleRelation relateInPlane(const TriangleCorners& a, const TriangleCorners& b, int dropped) {
    const Corners2 flatA = counterClockwise(project(a, dropped)), flatB = counterClockwise(project(b, dropped));
    const int separation = std::min(separationBySidesOf(flatA, flatB), separationBySidesOf(flatB, flatA));
    if (separation < 0) return TriangleRelation::Disjoint;
    return separation > 0 ? TriangleRelation::CoplanarOverlap : TriangleRelation::Touching;
}

// Triangles without area: segments and points.

bool lexicographicallyLess(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// The two ends of collinear corners.
Segment segmentOf(TriangleCorners t) {
    std::sort(t.begin(), t.end(), lexicographicallyLess);
    return {t[0], t[2]};
}

bool segmentMeetsPoint(const Segment& s, const Vec3& p) {
    if (isDegenerate({s.from, s.to, p})) {
        const Segment whole = segmentOf({s.from, s.to, p});
        const Segment own = segmentOf({s.from, s.to, s.to});
        return whole.from == own.from && whole.to == own.to;
    }
    return false;
}

bool segmentsMeet(const Segment& s, const Segment& t) {
    if (segmentMeetsPoint(s, t.from) || segmentMeetsPoint(s, t.to) || segmentMeetsPoint(t, s.from) ||
        segmentMeetsPoint(t, s.to)) {
        return true;
    }
    // what is left is a proper crossing inside both
    if (orient3d(s.from, s.to, t.from, t.to) != 0) return false;
    const std::optional<int> dropped = projectionOf({s.from, s.to, t.from});
    if (!dropped) return false;
    const Vec2 a = project(s.from, *dropped), b = project(s.to, *dropped);
    const Vec2 c = project(t.from, *dropped), d = project(t.to, *dropped);
    return orient2d(a, b, c) * orient2d(a, b, d) < 0 && orient2d(c, d, a) * orient2d(c, d, b) < 0;
}

bool pointInTriangle(const TriangleCorners& t, const Vec3& p, int dropped) {
    const Corners2 flat = counterClockwise(project(t, dropped));
    const Vec2 q = project(p, dropped);
    return orient2d(flat[0], flat[1], q) >= 0 && orient2d(flat[1], flat[2], q) >= 0 &&
           orient2d(flat[2], flat[0], q) >= 0;
}

bool segmentMeetsTriangle(const Segment& s, const TriangleCorners& t, int dropped) {
    const int from = orient3d(t[0], t[1], t[2], s.from), to = orient3d(t[0], t[1], t[2], s.to);
    if (from * to > 0) return false;
    if (from == 0 && pointInTriangle(t, s.from, dropped)) return true;
    if (to == 0 && pointInTriangle(t, s.to, dropped)) return true;
    if (from == 0 && to == 0) {
        return segmentsMeet(s, {t[0], t[1]}) || segmentsMeet(s, {t[1], t[2]}) || segmentsMeet(s, {t[2], t[0]});
    }
    if (from == 0 || to == 0) return false;
    // the line passes all sides in the same sense
    const int turns[3] = {orient3d(s.from, s.to, t[0], t[1]), orient3d(s.from, s.to, t[1], t[2]),
                          orient3d(s.from, s.to, t[2], t[0])};
    return *std::min_element(turns, turns + 3) >= 0 || *std::max_element(turns, turns + 3) <= 0;
}

TriangleRelation relateDegenerate(const TriangleCorners& a, std::optional<int> droppedA, const TriangleCorners& b,
                                  std::optional<int> droppedB) {
    const bool meet = !droppedA && !droppedB ? segmentsMeet(segmentOf(a), segmentOf(b))
                      : !droppedA            ? segmentMeetsTriangle(segmentOf(a), b, *droppedB)
                                             : segmentMeetsTriangle(segmentOf(b), a, *droppedA);
    return meet ? TriangleRelation::Touching : TriangleRelation::Disjoint;
}

/// The answer for triangles in different planes, by what counts: any contact, or only one of positive length.
TriangleRelation relateAcrossPlanes(const TriangleCorners& a, const Signs& aSides, const TriangleCorners& b,
                                    const Signs& bSides, LineContact least) {
    const LineContact contact = contactOnCommonLine(a, aSides, b, bSides);
    // An interval shrinks to a point only at a corner that touches the other plane from one side.
    const auto isPoint = [](const Signs& s) { return std::count(s.begin(), s.end(), 0) == 1 && !straddles(s); };
    const bool piece = contact == LineContact::Piece && !isPoint(aSides) && !isPoint(bSides);
    if (contact == LineContact::Apart || (least == LineContact::Piece && !piece)) return TriangleRelation::Disjoint;
    return piece && straddles(aSides) && straddles(bSides) ? TriangleRelation::Crossing : TriangleRelation::Touching;
}

/// Matching corners, as (corner of a, corner of b).
struct SharedCorners {
    std::array<std::array<size_t, 2>, 3> pairs;
    size_t count = 0;
};
SharedCorners sharedCorners(const TriangleCorners& a, const TriangleCorners& b) {
    SharedCorners shared;
    for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j) {
            if (a[i] != b[j]) continue;
            shared.pairs[shared.count++] = {i, j};
            break;
        }
    }
    return shared;
}

/// Two triangles on one side: an overlap only when folded flat onto each other.
TriangleRelation relateAcrossSharedSide(const TriangleCorners& a, const TriangleCorners& b,
                                        const SharedCorners& shared) {
    const Vec3& apexA = a[3 - shared.pairs[0][0] - shared.pairs[1][0]];
    const Vec3& apexB = b[3 - shared.pairs[0][1] - shared.pairs[1][1]];
    const Vec3 &from = a[shared.pairs[0][0]], &to = a[shared.pairs[1][0]];
    if (orient3d(from, to, apexA, apexB) != 0) return TriangleRelation::Disjoint;
    const std::optional<int> dropped = projectionOf(a);
    if (!dropped) return TriangleRelation::Disjoint;
    const auto side = [&](const Vec3& p) {
        return orient2d(project(from, *dropped), project(to, *dropped), project(p, *dropped));
    };
    return side(apexA) * side(apexB) > 0 ? TriangleRelation::CoplanarOverlap : TriangleRelation::Disjoint;
}

/// In one plane with one common corner: any contact besides it involves the side opposite to it of one of the two.
TriangleRelation relateInPlaneAroundCorner(const TriangleCorners& a, const TriangleCorners& b, int dropped,
                                           const SharedCorners& shared) {
    const TriangleRelation whole = relateInPlane(a, b, dropped);
    if (whole == TriangleRelation::CoplanarOverlap) return whole;
    const auto opposite = [](const TriangleCorners& t, size_t corner) {
        return Segment{t[(corner + 1) % 3], t[(corner + 2) % 3]};
    };
    const bool meet = segmentMeetsTriangle(opposite(a, shared.pairs[0][0]), b, dropped) ||
                      segmentMeetsTriangle(opposite(b, shared.pairs[0][1]), a, dropped);
    return meet ? TriangleRelation::Touching : TriangleRelation::Disjoint;
}

}  // namespace

bool isDegenerate(const TriangleCorners& triangle) { return !projectionOf(triangle).has_value(); }

TriangleRelation relate(const TriangleCorners& a, const TriangleCorners& b) {
    const std::optional<int> droppedA = projectionOf(a), droppedB = projectionOf(b);
    if (!droppedA || !droppedB) return relateDegenerate(a, droppedA, b, droppedB);

    const Signs aSides = sidesOf(b, a);
    if (allOnOneSide(aSides)) return TriangleRelation::Disjoint;
    if (allZero(aSides)) return relateInPlane(a, b, *droppedA);
    const Signs bSides = sidesOf(a, b);
    if (allOnOneSide(bSides)) return TriangleRelation::Disjoint;
    return relateAcrossPlanes(a, aSides, b, bSides, LineContact::Point);
}

TriangleRelation relateBeyondSharedCorners(const TriangleCorners& a, const TriangleCorners& b) {
    const SharedCorners shared = sharedCorners(a, b);
    if (shared.count == 0) return relate(a, b);
    if (shared.count == 3) return isDegenerate(a) ? TriangleRelation::Touching : TriangleRelation::CoplanarOverlap;
    if (shared.count == 2) return relateAcrossSharedSide(a, b, shared);

    // one common corner lies on the planes' common line already: only a piece of that line is news
    const Signs aSides = sidesOf(b, a);
    if (allZero(aSides)) {
        const std::optional<int> dropped = projectionOf(a);
        return dropped && !isDegenerate(b) ? relateInPlaneAroundCorner(a, b, *dropped, shared) : relate(a, b);
    }
    if (!straddles(aSides) && std::count(aSides.begin(), aSides.end(), 0) == 1) return TriangleRelation::Disjoint;
    const Signs bSides = sidesOf(a, b);
    if (allZero(bSides)) return relate(a, b);  // a has no area
    return relateAcrossPlanes(a, aSides, b, bSides, LineContact::Piece);
}

}  // namespace sunder
