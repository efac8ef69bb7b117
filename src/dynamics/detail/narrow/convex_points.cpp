#include "dynamics/detail/narrow/convex_points.h"

#include <algorithm>
#include <cmath>

namespace sunder::dynamics::detail {

namespace {

constexpr uint32_t kOnEdge = 0x20000000u;
constexpr uint32_t kStepBits = 16;  // of the number along an edge; the edge's own number has 13

void add(const Vec3f& p, uint32_t key, ConvexPoints& points) {
    const size_t lane = points.keys.size() % 8;
    if (lane == 0) points.clusters.emplace_back();
    ConvexPoints::Cluster& cluster = points.clusters.back();
    cluster.x[lane] = p.x(), cluster.y[lane] = p.y(), cluster.z[lane] = p.z();
    points.keys.push_back(key);
}

void fillLast(ConvexPoints& points) {
    const size_t used = points.keys.size() % 8;
    if (used == 0) return;
    ConvexPoints::Cluster& cluster = points.clusters.back();
    for (size_t lane = used; lane < 8; ++lane) {
        cluster.x[lane] = cluster.x[used - 1];
        cluster.y[lane] = cluster.y[used - 1];
        cluster.z[lane] = cluster.z[used - 1];
    }
}

/// The part [from, to] of a segment start + t * along, 0 <= t <= 1, inside a box; empty when from > to.
struct Part {
    float from = 0, to = 1;
};
Part partInside(const Vec3f& start, const Vec3f& along, const FloatBox& box) {
    Part part;
    for (int axis = 0; axis < 3; ++axis) {
        if (along[axis] == 0) {
            if (start[axis] < box.min[axis] || start[axis] > box.max[axis]) return {1, 0};
            continue;
        }
        const float inverse = 1 / along[axis];
        const float enter = ((along[axis] > 0 ? box.min : box.max)[axis] - start[axis]) * inverse;
        const float leave = ((along[axis] > 0 ? box.max : box.min)[axis] - start[axis]) * inverse;
        part.from = std::max(part.from, enter);
        part.to = std::min(part.to, leave);
    }
    return part;
}

}  // namespace

void placePoints(const ConvexCore& core, const Eigen::Matrix3f& rotation, const Vec3f& translation, const FloatBox& box,
                 float spacing, ConvexPoints& points) {
    points.clusters.clear();
    points.keys.clear();
    for (int v = 0; v < core.vertexCount; ++v) {
        const Vec3f p = rotation * core.vertex(v) + translation;
        if ((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all())
            add(p, static_cast<uint32_t>(v), points);
    }
    for (int e = 0; e < core.edges.count; ++e) {
        const Vec3f start = rotation * Vec3f(core.edges.x[e], core.edges.y[e], core.edges.z[e]) + translation;
        const Vec3f along = rotation * Vec3f(core.edges.dx[e], core.edges.dy[e], core.edges.dz[e]);
        const Part part = partInside(start, along, box);
        if (!(part.from <= part.to)) continue;
        const float step = spacing / along.norm();
        const float first = std::max(1.0f, std::ceil(part.from / step));
        const float last = std::min(std::floor(part.to / step), std::ceil(1 / step) - 1);
        for (float i = first; i <= last; ++i) {
            const uint32_t number = static_cast<uint32_t>(i) & ((1u << kStepBits) - 1);
            add(start + (i * step) * along, kOnEdge | (static_cast<uint32_t>(e) << kStepBits) | number, points);
        }
    }
    fillLast(points);
}

}  // namespace sunder::dynamics::detail
