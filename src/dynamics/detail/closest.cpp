#include "dynamics/detail/closest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.h"

namespace sunder::dynamics::detail {

namespace {

/// Whether the point, seen along the face's normal, lies within the face.
bool coversFromAbove(const ConvexCore& hull, const ConvexCore::Face& face, const Vec3& point) {
    const Vec3 normal = face.normal.cast<double>();
    const uint32_t* loop = hull.corners.data() + face.firstCorner;
    Vec3 from = hull.vertex(static_cast<int>(loop[face.cornerCount - 1])).cast<double>();
    for (uint32_t i = 0; i < face.cornerCount; ++i) {
        const Vec3 to = hull.vertex(static_cast<int>(loop[i])).cast<double>();
        if (normal.dot((to - from).cross(point - from)) < 0) return false;
        from = to;
    }
    return true;
}

/// Squared distances of a segment from all edges, or what `squared` holds if less. Starts at a place of the segment,
/// then takes the nearest place on the edge, and the nearest to that on the segment: the nearest of all when the start
/// is where the lines come nearest, or, for parallel ones, at an end.
enum class Start { First, Last, NearestOfLines };
SUNDER_SIMD void lowerToDistances(const ConvexCore::Edges& edges, int padded, const float* start, const float* along,
                                  Start from, float* __restrict squared) {
    const float *x = edges.x.data(), *y = edges.y.data(), *z = edges.z.data();
    const float *dx = edges.dx.data(), *dy = edges.dy.data(), *dz = edges.dz.data();
    const float sx = start[0], sy = start[1], sz = start[2], ax = along[0], ay = along[1], az = along[2];
    const float a = ax * ax + ay * ay + az * az, inverseA = a > 0 ? 1 / a : 0;
    const float end = from == Start::Last ? 1.0f : 0.0f, middle = from == Start::NearestOfLines ? 1.0f : 0.0f;
    for (int e = 0; e < padded; ++e) {
        const float rx = x[e] - sx, ry = y[e] - sy, rz = z[e] - sz;
        const float b = ax * dx[e] + ay * dy[e] + az * dz[e];
        const float c = dx[e] * dx[e] + dy[e] * dy[e] + dz[e] * dz[e];
        const float d = ax * rx + ay * ry + az * rz, f = dx[e] * rx + dy[e] * ry + dz[e] * rz;
        float determinant = a * c - b * b;
        determinant = determinant > 1e-30f ? determinant : 1e-30f;
        float s = end + middle * ((c * d - b * f) / determinant);
        s = s > 0 ? s : 0;
        s = s < 1 ? s : 1;
        float t = (b * s - f) / c;
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        s = (b * t + d) * inverseA;
        s = s > 0 ? s : 0;
        s = s < 1 ? s : 1;
        const float px = rx + t * dx[e] - s * ax, py = ry + t * dy[e] - s * ay, pz = rz + t * dz[e] - s * az;
        const float value = px * px + py * py + pz * pz;
        squared[e] = value < squared[e] ? value : squared[e];
    }
}

Vec3 nearestOnEdges(const ConvexCore& hull, const Vec3& point) {
    Vec3 best = Vec3::Zero();
    double bestSquared = std::numeric_limits<double>::infinity();
    for (const size_t e : edgesNear(hull, {point, Vec3::Zero()})) {
        const Segment edge = edgeOf(hull, e);
        const Vec3 onEdge = edge.at(nearestParameter(edge, point));
        const double squared = (point - onEdge).squaredNorm();
        if (squared < bestSquared) bestSquared = squared, best = onEdge;
    }
    return best;
}

}  // namespace

std::span<const size_t> edgesNear(const ConvexCore& hull, const Segment& segment) {
    thread_local std::vector<float> squared;
    thread_local std::vector<size_t> near;
    const size_t padded = hull.edges.x.size();
    squared.assign(padded, std::numeric_limits<float>::max());
    const Vec3f start = segment.start.cast<float>(), along = segment.along.cast<float>();
    const auto lower = [&](Start from) {
        lowerToDistances(hull.edges, static_cast<int>(padded), start.data(), along.data(), from, squared.data());
    };
    lower(Start::First);
    if (!along.isZero(0)) {
        lower(Start::Last);
        lower(Start::NearestOfLines);
    }
    const float least = *std::min_element(squared.begin(), squared.begin() + hull.edges.count);

    // squares of distances that differ by round-off
    const float blur = 2e-6f * (hull.coreRadius + along.norm());
    const float limit = least + 4e-6f * least + blur * blur + 2 * blur * std::sqrt(least);
    near.clear();
    for (size_t e = 0; e < static_cast<size_t>(hull.edges.count); ++e)
        if (squared[e] <= limit) near.push_back(e);
    return near;
}

double nearestParameter(const Segment& segment, const Vec3& point) {
    const double squaredLength = segment.along.squaredNorm();
    if (squaredLength == 0) return 0;
    return std::clamp(segment.along.dot(point - segment.start) / squaredLength, 0.0, 1.0);
}

SegmentPair nearestParameters(const Segment& first, const Segment& second) {
    SegmentPair best{0, 0, std::numeric_limits<double>::infinity()};
    const auto consider = [&](double s, double t) {
        const double squared = (first.at(s) - second.at(t)).squaredNorm();
        if (squared < best.squaredDistance) best = {s, t, squared};
    };
    // inside both, where the lines come nearest; nearly parallel ones have their ends among the nearest places
    const Vec3 between = second.start - first.start;
    const double a = first.along.squaredNorm(), b = first.along.dot(second.along), c = second.along.squaredNorm();
    const double determinant = a * c - b * b;
    if (determinant > 1e-14 * a * c) {
        const double d = first.along.dot(between), e = second.along.dot(between);
        const double s = (c * d - b * e) / determinant, t = (b * d - a * e) / determinant;
        if (s > 0 && s < 1 && t > 0 && t < 1) consider(s, t);
    }
    for (const double s : {0.0, 1.0}) consider(s, nearestParameter(second, first.at(s)));
    for (const double t : {0.0, 1.0}) consider(nearestParameter(first, second.at(t)), t);
    return best;
}

HullPoint nearestOnHull(const ConvexCore& hull, const Vec3& point) {
    HullPoint result;
    result.distance = -std::numeric_limits<double>::infinity();
    for (size_t f = 0; f < hull.faces.size(); ++f) {
        const double h = height(hull.faces[f], point);
        if (h > result.distance) {
            result.distance = h;
            result.face = static_cast<int>(f);
        }
    }
    const ConvexCore::Face& face = hull.faces[static_cast<size_t>(result.face)];
    // if any face covers the point from above, it is this one
    const bool onFace = result.distance <= blurOf(hull) || coversFromAbove(hull, face, point);
    if (!onFace) {
        const Vec3 onEdge = nearestOnEdges(hull, point);
        const double distance = (point - onEdge).norm();
        if (distance > blurOf(hull)) return {onEdge, (point - onEdge) / distance, distance, kNoFace};
    }
    result.normal = face.normal.cast<double>();
    result.point = point - result.distance * result.normal;
    return result;
}

}  // namespace sunder::dynamics::detail
