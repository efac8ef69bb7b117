#include "dynamics/detail/narrow/collide_half_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.h"
#include "dynamics/detail/narrow/manifold_reduction.h"

namespace sunder::dynamics::detail {

namespace {

/// The half-space seen from A: height(x) = up . x + level, for x from A's centre in world axes.
struct Ground {
    Vec3 up;       // unit, world
    double level;  // m, height of A's centre

    Manifold manifold() const {
        Manifold result;
        result.normal = -up.cast<float>();
        return result;
    }
    Manifold::Point point(const Vec3& surfacePoint, double height, uint32_t key) const {
        return {(surfacePoint - 0.5 * height * up).cast<float>(), static_cast<float>(height), key};
    }
};

Ground groundOf(const PairPose& pose) {
    const Vec3 up = pose.rotationB.col(1);
    return {up, -up.dot(pose.offset)};
}

SUNDER_SIMD void heights(const float* x, const float* y, const float* z, int count, float nx, float ny, float nz,
                         float level, float* out) {
    for (int i = 0; i < count; ++i) out[i] = nx * x[i] + ny * y[i] + nz * z[i] + level;
}

void collideRound(const ConvexCore& core, const PairPose& pose, const Ground& ground, double reach,
                  std::vector<Manifold>& manifolds) {
    Manifold manifold = ground.manifold();
    const double radius = core.radius;
    for (int i = 0; i < core.vertexCount; ++i) {
        const Vec3 lowest = pose.rotationA * core.vertex(i).cast<double>() - radius * ground.up;
        const double height = ground.up.dot(lowest) + ground.level;
        if (height > reach) continue;
        manifold.points[static_cast<size_t>(manifold.count++)] = ground.point(lowest, height, static_cast<uint32_t>(i));
    }
    if (manifold.count > 0) manifolds.push_back(manifold);
}

/// Corners or particles, in float: eight heights at a time, then those within reach.
class PointSieve {
public:
    PointSieve(const PairPose& pose, const Ground& ground, float reach) : pose_(pose), ground_(ground), reach_(reach) {
        down_ = (pose.rotationA.transpose() * ground.up).cast<float>();
        candidates_.clear();
    }
    /// Arrays of eight; those from `count` on are padding.
    void add8(const float* x, const float* y, const float* z, int count, uint32_t firstKey) {
        float h[8];
        heightsOf(x, y, z, h);
        for (int i = 0; i < count; ++i) {
            if (h[i] > reach_) continue;
            const Vec3 at = pose_.rotationA * Vec3(x[i], y[i], z[i]);
            const Manifold::Point point = ground_.point(at, h[i], firstKey + static_cast<uint32_t>(i));
            candidates_.push_back({point.fromA, point.separation, point.key, -ground_.up.cast<float>()});
        }
    }
    void heightsOf(const float* x, const float* y, const float* z, float* h) const {
        heights(x, y, z, 8, down_.x(), down_.y(), down_.z(), static_cast<float>(ground_.level), h);
    }
    void reduceTo(std::vector<Manifold>& manifolds) { reduceToManifolds(candidates_, manifolds); }

private:
    const PairPose& pose_;
    const Ground& ground_;
    float reach_;
    Vec3f down_;  // the half-space's up in A's frame
    static thread_local std::vector<Candidate> candidates_;
};
thread_local std::vector<Candidate> PointSieve::candidates_;

void collideHull(const ConvexCore& core, const PairPose& pose, const Ground& ground, float reach,
                 std::vector<Manifold>& manifolds) {
    PointSieve sieve(pose, ground, reach);
    for (int i = 0; i < core.vertexCount; i += 8)
        sieve.add8(&core.x[static_cast<size_t>(i)], &core.y[static_cast<size_t>(i)], &core.z[static_cast<size_t>(i)],
                   std::min(8, core.vertexCount - i), static_cast<uint32_t>(i));
    sieve.reduceTo(manifolds);
}

void collideField(const FieldSolid& solid, const PairPose& pose, const Ground& ground, float reach,
                  std::vector<Manifold>& manifolds) {
    PointSieve sieve(pose, ground, reach);
    for (size_t g = 0; g < solid.balls.size(); ++g) {
        const FieldSolid::BallGroup& balls = solid.balls[g];
        float lowest[8];
        sieve.heightsOf(balls.x.data(), balls.y.data(), balls.z.data(), lowest);
        for (size_t k = 0; k < 8 && 8 * g + k < solid.clusters.size(); ++k) {
            if (lowest[k] - balls.radius[k] > reach) continue;
            const FieldSolid::Cluster& cluster = solid.clusters[8 * g + k];
            const uint32_t first = static_cast<uint32_t>(8 * (8 * g + k));
            sieve.add8(cluster.x.data(), cluster.y.data(), cluster.z.data(),
                       static_cast<int>(std::min(8u, solid.particleCount - first)), first);
        }
    }
    sieve.reduceTo(manifolds);
}

/// As round as it is: the lowest point of each rim; on a flat end also three or four points that stay on the body.
void collideCylinder(const Shape& shape, const PairPose& pose, const Ground& ground, double reach,
                     std::vector<Manifold>& manifolds) {
    const double radius = shape.roundRadius(), half = shape.halfLength();
    const Vec3 axis = pose.rotationA.col(1);
    const double along = axis.dot(ground.up);
    const Vec3 across = ground.up - along * axis;
    const double sine = across.norm();  // of the tilt from standing

    Manifold manifold = ground.manifold();
    const auto add = [&](const Vec3& at, uint32_t key) {
        const double height = ground.up.dot(at) + ground.level;
        if (height > reach || manifold.count == Manifold::kMaxPoints) return false;
        manifold.points[static_cast<size_t>(manifold.count++)] = ground.point(at, height, key);
        return true;
    };
    constexpr double kStanding = 2e-4;
    constexpr uint32_t kRim = 8, kOtherRim = 9;
    const double end = along > 0 ? -half : half;  // the lower one
    const bool standing = sine < kStanding;
    const Vec3 outward = standing ? Vec3(Vec3::Zero()) : Vec3(-across / sine);
    if (!standing) {
        add(end * axis + radius * outward, end < 0 ? kRim : kOtherRim);
        // lying: the other rim; nearly standing, it is out of reach or this is a coin
        if (sine > 0.7) add(-end * axis + radius * outward, end < 0 ? kOtherRim : kRim);
    }
    if (sine <= 0.7 && (standing || manifold.count > 0)) {
        // points of the rim fixed to the body, but for the one that the lowest replaces
        double nearest = -2;
        uint32_t replaced = 4;
        const Vec3 x = pose.rotationA.col(0), z = pose.rotationA.col(2);
        const Vec3 rim[4] = {x, z, -x, -z};
        for (uint32_t k = 0; k < 4 && !standing; ++k)
            if (rim[k].dot(outward) > nearest) nearest = rim[k].dot(outward), replaced = k;
        for (uint32_t k = 0; k < 4; ++k)
            if (k != replaced) add(end * axis + radius * rim[k], k + (end < 0 ? 0 : 4));
    }
    if (manifold.count > 0) manifolds.push_back(manifold);
}

bool mayReach(const Shape& a, const Ground& ground, float reach) { return !(ground.level - a.radius() > reach); }

}  // namespace

void collideRoundWithHalfSpace(const Shape& a, const Shape&, const PairPose& pose, float reach, PairMemory&,
                               std::vector<Manifold>& manifolds) {
    if (const Ground ground = groundOf(pose); mayReach(a, ground, reach))
        collideRound(*a.convex(), pose, ground, reach, manifolds);
}
void collideCylinderWithHalfSpace(const Shape& a, const Shape&, const PairPose& pose, float reach, PairMemory&,
                                  std::vector<Manifold>& manifolds) {
    if (const Ground ground = groundOf(pose); mayReach(a, ground, reach))
        collideCylinder(a, pose, ground, reach, manifolds);
}
void collideHullWithHalfSpace(const Shape& a, const Shape&, const PairPose& pose, float reach, PairMemory&,
                              std::vector<Manifold>& manifolds) {
    if (const Ground ground = groundOf(pose); mayReach(a, ground, reach))
        collideHull(*a.convex(), pose, ground, reach, manifolds);
}
void collideFieldWithHalfSpace(const Shape& a, const Shape&, const PairPose& pose, float reach, PairMemory&,
                               std::vector<Manifold>& manifolds) {
    if (const Ground ground = groundOf(pose); mayReach(a, ground, reach))
        collideField(*a.field(), pose, ground, reach, manifolds);
}

}  // namespace sunder::dynamics::detail
