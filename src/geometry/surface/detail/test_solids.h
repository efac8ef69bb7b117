#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

// Exact signed distances of simple solids, and measures of a surface against them. For tests.
namespace sunder::test {

using Solid = std::function<double(const Vec3&)>;

inline Solid sphere(double radius) {
    return [=](const Vec3& p) { return p.norm() - radius; };
}
inline Solid torus(double radius, double tube) {
    return [=](const Vec3& p) { return Vec2(Vec2(p.x(), p.y()).norm() - radius, p.z()).norm() - tube; };
}
inline Solid box(const Vec3& half) {
    return [=](const Vec3& p) {
        const Vec3 q = p.cwiseAbs() - half;
        return q.cwiseMax(Vec3(Vec3::Zero())).norm() + std::min(q.maxCoeff(), 0.0);
    };
}
/// Two distances on perpendicular axes, each negative inside: the distance to what they bound together.
inline double extruded(double across, double along) {
    return Vec2(std::max(across, 0.0), std::max(along, 0.0)).norm() + std::min(std::max(across, along), 0.0);
}
inline Solid cylinder(double radius, double halfHeight) {
    return [=](const Vec3& p) { return extruded(Vec2(p.x(), p.y()).norm() - radius, std::abs(p.z()) - halfHeight); };
}
/// A simple polygon in the xy plane, extruded along z.
inline Solid prism(const std::vector<Vec2>& polygon, double halfHeight) {
    return [=](const Vec3& p) {
        const Vec2 q(p.x(), p.y());
        double squared = 1e300;
        bool inside = false;
        for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
            const Vec2 a = polygon[j], b = polygon[i];
            const double t = std::clamp((q - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
            squared = std::min(squared, (q - a - t * (b - a)).squaredNorm());
            if ((a.y() > q.y()) != (b.y() > q.y()) &&
                q.x() < a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) {
                inside = !inside;
            }
        }
        return extruded((inside ? -1 : 1) * std::sqrt(squared), std::abs(p.z()) - halfHeight);
    };
}
inline std::vector<Vec2> lShape() { return {{-1, -1}, {1, -1}, {1, -0.2}, {-0.2, -0.2}, {-0.2, 1}, {-1, 1}}; }

inline Solid moved(Solid solid, const RigidTransform& worldFromSolid) {
    return [solid = std::move(solid), back = worldFromSolid.inverse()](const Vec3& p) { return solid(back * p); };
}
/// An orientation with no special angles.
inline RigidTransform oddPose() { return {Quat(0.8, 0.3, -0.4, 0.33).normalized(), Vec3(0.0123, -0.0271, 0.0317)}; }

inline DistanceGrid gridOf(const Solid& solid, double halfSide, int cells) {
    const double h = 2 * halfSide / cells;
    DistanceGrid grid({Vec3::Constant(-halfSide), h, {cells + 1, cells + 1, cells + 1}});
    for (int k = 0; k <= cells; ++k) {
        for (int j = 0; j <= cells; ++j) {
            for (int i = 0; i <= cells; ++i) {
                grid.at(i, j, k) = static_cast<float>(solid(grid.frame().position(i, j, k)));
            }
        }
    }
    return grid;
}

inline Vec3 closestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 n = (b - a).cross(c - a);
    const double area = n.squaredNorm();
    if (area > 0) {
        const double u = n.dot((c - b).cross(p - b)) / area, v = n.dot((a - c).cross(p - c)) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) return u * a + v * b + (1 - u - v) * c;
    }
    Vec3 best = a;
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
        const double length = (to - from).squaredNorm();
        const double t = length > 0 ? std::clamp((p - from).dot(to - from) / length, 0.0, 1.0) : 0.0;
        const Vec3 q = from + t * (to - from);
        if ((p - q).squaredNorm() < (p - best).squaredNorm()) best = q;
    }
    return best;
}

inline double distanceTo(const TriMesh& mesh, const Vec3& p) {
    double squared = 1e300;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
        const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        if (Box3{low, high}.squaredDistance(p) >= squared) continue;
        squared = std::min(squared, (closestOnTriangle(p, a, b, c) - p).squaredNorm());
    }
    return std::sqrt(squared);
}

struct Error {
    double rms = 0, max = 0;
    size_t count = 0;
    void add(double e) {
        rms = std::sqrt((rms * rms * static_cast<double>(count) + e * e) / static_cast<double>(count + 1));
        max = std::max(max, std::abs(e));
        ++count;
    }
};

/// Distance of the mesh from the solid's surface, at points spread over every triangle.
inline Error surfaceError(const TriMesh& mesh, const Solid& solid) {
    Error error;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        for (int i = 0; i <= 4; ++i) {
            for (int j = 0; i + j <= 4; ++j) error.add(solid(0.25 * (i * a + j * b + (4 - i - j) * c)));
        }
    }
    return error;
}

/// Distance of the mesh from points on a line of the solid (a crease).
inline Error lineError(const TriMesh& mesh, const Vec3& from, const Vec3& to, int samples) {
    Error error;
    for (int i = 0; i <= samples; ++i) error.add(distanceTo(mesh, from + (to - from) * i / samples));
    return error;
}

}  // namespace sunder::test
