#pragma once

#include <span>

#include "dynamics/shape.h"

namespace sunder::dynamics::detail {

/// start + t * along, 0 <= t <= 1.
struct Segment {
    Vec3 start = Vec3::Zero();  // m
    Vec3 along = Vec3::Zero();  // m
    Vec3 at(double t) const { return start + t * along; }
};

/// Where the segment comes nearest to a point.
double nearestParameter(const Segment& segment, const Vec3& point);

struct SegmentPair {
    double s = 0, t = 0;  // on the first, on the second
    double squaredDistance = 0;
};
/// Where two segments come nearest to each other; any such place when there are several.
SegmentPair nearestParameters(const Segment& first, const Segment& second);

inline constexpr int kNoFace = -1;

/// The place of a hull's surface nearest to a point.
struct HullPoint {
    Vec3 point = Vec3::Zero();   // m, on the surface
    Vec3 normal = Vec3::Zero();  // unit, outward: from there to the given point, or of the face
    double distance = 0;         // m, negative inside
    int face = kNoFace;          // the face when it lies inside one
};

/// Exact but for the hull's float corners. Within about 1e-5 of the hull's size above the surface the normal is that of
/// the nearest face, since a direction between two points so close means nothing.
HullPoint nearestOnHull(const ConvexCore& hull, const Vec3& point);

/// The edges of a hull among which the one nearest to a segment is: all that float arithmetic cannot tell apart,
/// ascending. The list lives until the next call in this thread.
std::span<const size_t> edgesNear(const ConvexCore& hull, const Segment& segment);

/// How far the point is above the face's plane.
inline double height(const ConvexCore::Face& face, const Vec3& point) {
    return face.normal.cast<double>().dot(point) - static_cast<double>(face.offset);
}
/// The distance below which directions between points of a hull mean nothing.
inline double blurOf(const ConvexCore& hull) { return 1e-5 * static_cast<double>(hull.coreRadius); }

/// Edge `e` of the hull.
inline Segment edgeOf(const ConvexCore& hull, size_t e) {
    const ConvexCore::Edges& edges = hull.edges;
    return {{edges.x[e], edges.y[e], edges.z[e]}, {edges.dx[e], edges.dy[e], edges.dz[e]}};
}

}  // namespace sunder::dynamics::detail
