#pragma once

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "dynamics/detail/narrow/closest.h"
#include "dynamics/detail/narrow/collide.h"
#include "dynamics/detail/shapes/shape_maker.h"
#include "dynamics/shape.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/mesh/triangle_intersection.h"
#include "geometry/tree/triangle_tree.h"

/// Random pairs of shapes, and slow answers about them, for tests of contact code.
namespace sunder::dynamics::test {

using detail::PairPose;

inline Quat randomRotation(Random& random) {
    const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
    return Quat(w, x, y, z).normalized();
}
inline Vec3 randomDirection(Random& random) { return randomRotation(random) * Vec3::UnitX(); }
inline Vec3 randomPoint(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size), z = random.uniform(-size, size);
    return {x, y, z};
}

inline PairPose poseOf(const Quat& a, const Quat& b, const Vec3& offset) {
    return {a.toRotationMatrix(), b.toRotationMatrix(), offset};
}
inline PairPose swapped(const PairPose& pose) { return {pose.rotationB, pose.rotationA, -pose.offset}; }

/// Largest n . x over the shape, turned by `rotation` about its centre.
inline double supportOf(const ConvexCore& core, const Mat3& rotation, const Vec3& direction) {
    const Vec3 local = rotation.transpose() * direction;
    double most = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < core.vertexCount; ++i) most = std::max(most, local.dot(core.vertex(i).cast<double>()));
    return most + core.radius;
}

/// How far B lies beyond A along a unit direction; negative: they overlap by that much.
inline double gapAlong(const ConvexCore& a, const ConvexCore& b, const PairPose& pose, const Vec3& direction) {
    return direction.dot(pose.offset) - supportOf(b, pose.rotationB, -direction) -
           supportOf(a, pose.rotationA, direction);
}

/// Outside distance of a point of the body frame from the solid, by its triangles and planes; 0 inside.
inline double distanceOutside(const ConvexCore& core, const Vec3& point) {
    if (core.faces.empty()) {
        const Vec3 a = core.vertex(0).cast<double>(), b = core.vertex(core.vertexCount - 1).cast<double>();
        const SurfacePoint nearest = closestPointOnTriangle(point, a, b, b);
        return std::max(0.0, std::sqrt(nearest.squaredDistance) - core.radius);
    }
    double most = -std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::infinity();
    for (const ConvexCore::Face& face : core.faces) {
        most = std::max(most, face.normal.cast<double>().dot(point) - static_cast<double>(face.offset));
        const uint32_t* loop = &core.corners[face.firstCorner];
        for (uint32_t i = 1; i + 1 < face.cornerCount; ++i) {
            const auto corner = [&](uint32_t k) { return Vec3(core.vertex(static_cast<int>(loop[k])).cast<double>()); };
            least = std::min(least, closestPointOnTriangle(point, corner(0), corner(i), corner(i + 1)).squaredDistance);
        }
    }
    return most <= 0 ? 0 : std::sqrt(least);
}

/// Between two surfaces, by all pairs of triangles: corners against triangles, edges against edges. Zero when they
/// cross.
inline double surfaceDistance(const TriMesh& a, const TriMesh& b) {
    double least = std::numeric_limits<double>::infinity();
    for (const TriangleIndex i : a.triangles.indices()) {
        const auto p = a.corners(i);
        for (const TriangleIndex j : b.triangles.indices()) {
            const auto q = b.corners(j);
            const TriangleRelation relation = relate(p, q);
            if (relation != TriangleRelation::Disjoint) return 0;
            for (size_t k = 0; k < 3; ++k) {
                least = std::min(least, closestPointOnTriangle(p[k], q[0], q[1], q[2]).squaredDistance);
                least = std::min(least, closestPointOnTriangle(q[k], p[0], p[1], p[2]).squaredDistance);
                for (size_t l = 0; l < 3; ++l) {
                    const detail::Segment side{p[k], p[(k + 1) % 3] - p[k]}, other{q[l], q[(l + 1) % 3] - q[l]};
                    least = std::min(least, detail::nearestParameters(side, other).squaredDistance);
                }
            }
        }
    }
    return std::sqrt(least);
}

/// A field solid without a grid, of a mesh centred well enough: surface, particles at its corners, and the tree.
inline ShapePtr meshSolid(const TriMesh& mesh) {
    ShapeParts parts;
    parts.kind = ShapeKind::Field;
    FieldSolid solid;
    solid.surface = mesh;
    const std::vector<Vec3>& points = mesh.positions.items();
    solid.particleCount = static_cast<uint32_t>(points.size());
    for (size_t i = 0; i < points.size(); i += 8) {
        FieldSolid::Cluster& cluster = solid.clusters.emplace_back();
        if (i % 64 == 0) solid.balls.push_back({});
        FieldSolid::BallGroup& balls = solid.balls.back();
        const size_t lane = i / 8 % 8;
        const Vec3f centre = points[i].cast<float>();
        balls.x[lane] = centre.x();
        balls.y[lane] = centre.y();
        balls.z[lane] = centre.z();
        for (size_t k = 0; k < 8; ++k) {
            const Vec3f p = points[std::min(i + k, points.size() - 1)].cast<float>();
            parts.radius = std::max(parts.radius, 1.00001 * static_cast<double>(p.norm()));
            cluster.x[k] = p.x();
            cluster.y[k] = p.y();
            cluster.z[k] = p.z();
            balls.radius[lane] = std::max(balls.radius[lane], 1.00001f * (p - centre).norm());
        }
    }
    parts.volume = sunder::volume(mesh);
    parts.geometry = std::move(solid);
    return ShapeMaker::make(std::move(parts));
}

}  // namespace sunder::dynamics::test
