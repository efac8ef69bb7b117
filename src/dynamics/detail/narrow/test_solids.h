#pragma once

#include <array>
#include <map>
#include <set>
#include <vector>

#include "dynamics/detail/narrow/collide.h"
#include "dynamics/shape.h"
#include "geometry/convex/convex_polytope.h"

/// Solids and poses for tests of contacts.
namespace sunder::dynamics::detail {

inline TriMesh boxMesh(const Vec3& size) { return toTriMesh(polytopeOf(Box3{-0.5 * size, 0.5 * size})); }

/// The surface of a set of cubes that meet in whole faces or not at all.
inline TriMesh cubesMesh(const std::set<Int3>& cubes, const Vec3& cubeSize) {
    TriMesh mesh;
    std::map<Int3, VertexIndex> corners;
    const auto vertex = [&](const Int3& p) {
        const auto [found, isNew] = corners.try_emplace(p, VertexIndex{0});
        if (isNew) found->second = mesh.positions.push_back(cubeSize.cwiseProduct(Vec3(p[0], p[1], p[2])));
        return found->second;
    };
    for (const Int3& cube : cubes) {
        for (size_t axis = 0; axis < 3; ++axis) {
            for (const int side : {0, 1}) {
                Int3 next = cube;
                next[axis] += side == 0 ? -1 : 1;
                if (cubes.contains(next)) continue;
                const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
                std::array<VertexIndex, 4> quad;
                constexpr int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
                for (size_t i = 0; i < 4; ++i) {
                    Int3 p = cube;
                    p[axis] += side;
                    p[u] += around[side == 1 ? i : 3 - i][0];
                    p[v] += around[side == 1 ? i : 3 - i][1];
                    quad[i] = vertex(p);
                }
                mesh.triangles.push_back({quad[0], quad[1], quad[2]});
                mesh.triangles.push_back({quad[0], quad[2], quad[3]});
            }
        }
    }
    return mesh;
}

/// For two shapes whose given frames are at these poses.
inline PairPose pairPose(const Shape& a, const RigidTransform& poseA, const Shape& b, const RigidTransform& poseB) {
    const RigidTransform bodyA = poseA * a.bodyFromGiven().inverse(), bodyB = poseB * b.bodyFromGiven().inverse();
    return {bodyA.rotation.toRotationMatrix(), bodyB.rotation.toRotationMatrix(),
            bodyB.translation - bodyA.translation};
}

inline std::vector<Manifold> collided(const Shape& a, const Shape& b, const PairPose& pose, double reach) {
    PairMemory memory;
    std::vector<Manifold> manifolds;
    collide(a, b, pose, static_cast<float>(reach), memory, manifolds);
    return manifolds;
}

/// The manifold whose normal is nearest to a direction.
inline const Manifold* towards(const std::vector<Manifold>& manifolds, const Vec3& direction, double cosine = 0.9) {
    const Manifold* best = nullptr;
    for (const Manifold& m : manifolds) {
        const double c = m.normal.cast<double>().dot(direction.normalized());
        if (c > cosine) best = &m, cosine = c;
    }
    return best;
}

inline double deepestOf(const Manifold& m) {
    double deepest = m.points[0].separation;
    for (size_t i = 0; i < static_cast<size_t>(m.count); ++i)
        deepest = std::min<double>(deepest, m.points[i].separation);
    return deepest;
}
inline const Manifold* deepestOf(const std::vector<Manifold>& manifolds) {
    const Manifold* best = nullptr;
    for (const Manifold& m : manifolds) {
        if (best == nullptr || deepestOf(m) < deepestOf(*best)) best = &m;
    }
    return best;
}

}  // namespace sunder::dynamics::detail
