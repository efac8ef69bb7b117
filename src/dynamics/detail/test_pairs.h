#pragma once

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "dynamics/detail/collide.h"
#include "dynamics/shape.h"
#include "geometry/convex/fragment_generator.h"
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

}  // namespace sunder::dynamics::test
