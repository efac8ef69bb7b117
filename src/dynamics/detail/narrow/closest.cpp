#include "dynamics/detail/narrow/closest.h"

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

typedef float Eight __attribute__((vector_size(32)));

/// Squared distances of a segment (or a point) from all edges, in float. Starting from a place on the segment, the
/// nearest place on the edge, and then the nearest to that on the segment, are the nearest of all when the start is
/// where the lines come nearest or, for parallel ones, at an end; so three starts suffice.
SUNDER_SIMD void squaredDistances(const ConvexCore::Edges& edges, int padded, const float* start, const float* along,
                                  float* squared) {
    const Eight zero{}, one = zero + 1.0f;
    const float ax = along[0], ay = along[1], az = along[2], a = ax * ax + ay * ay + az * az;
    const float inverseA = a > 0 ? 1 / a : 0;
    const int starts = a > 0 ? 3 : 1;
    for (int e = 0; e < padded; e += 8) {
        Eight rx, ry, rz, dx, dy, dz;
        __builtin_memcpy(&rx, &edges.x[static_cast<size_t>(e)], sizeof rx);
        __builtin_memcpy(&ry, &edges.y[static_cast<size_t>(e)], sizeof ry);
        __builtin_memcpy(&rz, &edges.z[static_cast<size_t>(e)], sizeof rz);
        __builtin_memcpy(&dx, &edges.dx[static_cast<size_t>(e)], sizeof dx);
        __builtin_memcpy(&dy, &edges.dy[static_cast<size_t>(e)], sizeof dy);
        __builtin_memcpy(&dz, &edges.dz[static_cast<size_t>(e)], sizeof dz);
        rx -= start[0], ry -= start[1], rz -= start[2];
        const Eight b = ax * dx + ay * dy + az * dz, c = dx * dx + dy * dy + dz * dz;
        const Eight d = ax * rx + ay * ry + az * rz, f = dx * rx + dy * ry + dz * rz;
        const Eight determinant = a * c - b * b, inverseC = one / c;
        const Eight ofLines = determinant > zero ? (c * d - b * f) / determinant : zero;
        Eight least = zero + 3e38f;
        for (int k = 0; k < starts; ++k) {
            Eight s = k == 0 ? zero : (k == 1 ? one : ofLines);
            s = s > zero ? s : zero;
            s = s < one ? s : one;
            Eight t = (b * s - f) * inverseC;
            t = t > zero ? t : zero;
            t = t < one ? t : one;
            s = (b * t + d) * inverseA;
            s = s > zero ? s : zero;
            s = s < one ? s : one;
            const Eight px = rx + t * dx - s * ax, py = ry + t * dy - s * ay, pz = rz + t * dz - s * az;
            const Eight value = px * px + py * py + pz * pz;
            least = value < least ? value : least;
        }
        __builtin_memcpy(squared + e, &least, sizeof least);
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
    if (squared.size() < padded) squared.resize(padded);
    const Vec3f start = segment.start.cast<float>(), along = segment.along.cast<float>();
    squaredDistances(hull.edges, static_cast<int>(padded), start.data(), along.data(), squared.data());
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
