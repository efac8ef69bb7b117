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

/// Squared distances from a point to eight edges side by side.
SUNDER_SIMD void squaredDistances(const ConvexCore::Edges& edges, int padded, float px, float py, float pz,
                                  float* squared) {
    const float *x = edges.x.data(), *y = edges.y.data(), *z = edges.z.data();
    const float *dx = edges.dx.data(), *dy = edges.dy.data(), *dz = edges.dz.data();
    for (int e = 0; e < padded; ++e) {
        const float vx = px - x[e], vy = py - y[e], vz = pz - z[e];
        const float length = dx[e] * dx[e] + dy[e] * dy[e] + dz[e] * dz[e];
        float t = (vx * dx[e] + vy * dy[e] + vz * dz[e]) / length;
        t = t < 0 ? 0 : t;
        t = t > 1 ? 1 : t;
        const float rx = vx - t * dx[e], ry = vy - t * dy[e], rz = vz - t * dz[e];
        squared[e] = rx * rx + ry * ry + rz * rz;
    }
}

Vec3 nearestOnEdges(const ConvexCore& hull, const Vec3& point) {
    thread_local std::vector<float> squared;
    const size_t padded = hull.edges.x.size();
    if (squared.size() < padded) squared.resize(padded);
    squaredDistances(hull.edges, static_cast<int>(padded), static_cast<float>(point.x()), static_cast<float>(point.y()),
                     static_cast<float>(point.z()), squared.data());
    const float least = *std::min_element(squared.begin(), squared.begin() + hull.edges.count);

    // among those that float cannot tell apart, as distances so near may still differ in direction
    const float blur = 1e-6f * hull.coreRadius;
    const float limit = least + 2e-6f * least + blur * blur + 4 * blur * std::sqrt(least);
    Vec3 best = Vec3::Zero();
    double bestSquared = std::numeric_limits<double>::infinity();
    for (size_t e = 0; e < static_cast<size_t>(hull.edges.count); ++e) {
        if (squared[e] > limit) continue;
        const Segment edge = edgeOf(hull, e);
        const Vec3 onEdge = edge.at(nearestParameter(edge, point));
        const double s = (point - onEdge).squaredNorm();
        if (s < bestSquared) bestSquared = s, best = onEdge;
    }
    return best;
}

}  // namespace

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
