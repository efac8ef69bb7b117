#include "geometry/convex/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/convex/convex_hull.h"
#include "geometry/convex/fragment_generator.h"

namespace sunder {
namespace {

const ConvexPolytope kCube = polytopeOf(Box3{Vec3::Constant(-0.5), Vec3::Constant(0.5)});

RigidTransform turned(double angle, const Vec3& axis, const Vec3& translation) {
    return {Quat(Eigen::AngleAxisd(angle, axis.normalized())), translation};
}

Quat randomOrientation(Random& random) {
    return Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}

/// The second road: the depth is the distance from the origin to the surface of the Minkowski difference.
double depthByMinkowski(const ConvexPolytope& a, const RigidTransform& poseA, const ConvexPolytope& b,
                        const RigidTransform& poseB) {
    std::vector<Vec3> differences;
    for (const Vec3& p : a.vertices) {
        for (const Vec3& q : b.vertices) differences.push_back(poseA * p - poseB * q);
    }
    const ConvexHull hull = convexHull(differences);
    double depth = std::numeric_limits<double>::infinity();
    for (const ConvexPolytope::Face& face : hull.polytope.faces) {
        // corners that should be coplanar are not quite after rounding: slivers have no sound normal, their big
        // neighbours do
        const auto loop = hull.polytope.loop(face);
        Vec3 area = Vec3::Zero();
        const Vec3& first = hull.polytope.vertices[loop[0]];
        for (size_t i = 1; i + 1 < loop.size(); ++i) {
            area += (hull.polytope.vertices[loop[i]] - first).cross(hull.polytope.vertices[loop[i + 1]] - first);
        }
        if (area.norm() < 1e-9) continue;
        depth = std::min(depth, area.normalized().dot(first));
    }
    return depth;
}

TEST(Penetration, StackedCubes) {
    const Penetration overlap = penetration(kCube, {}, kCube, {Quat::Identity(), Vec3(0.2, 0.95, -0.1)});
    EXPECT_NEAR(overlap.depth, 0.05, 1e-15);
    EXPECT_LT((overlap.axis - Vec3(0, 1, 0)).norm(), 1e-15);
}

TEST(Penetration, AxisPointsFromAToB) {
    const Penetration below = penetration(kCube, {}, kCube, {Quat::Identity(), Vec3(0.2, -0.95, -0.1)});
    EXPECT_LT((below.axis - Vec3(0, -1, 0)).norm(), 1e-15);
    const Penetration apart = penetration(kCube, {}, kCube, {Quat::Identity(), Vec3(-3, 0, 0)});
    EXPECT_NEAR(apart.depth, -2, 1e-15);
    EXPECT_LT((apart.axis - Vec3(-1, 0, 0)).norm(), 1e-15);
}

TEST(Penetration, TouchingIsZeroAndSameIsTheWholeCube) {
    EXPECT_NEAR(penetration(kCube, {}, kCube, {Quat::Identity(), Vec3(1, 0.3, 0)}).depth, 0, 1e-15);
    EXPECT_NEAR(penetration(kCube, {}, kCube, {}).depth, 1, 1e-15);
}

TEST(Penetration, CrossedEdgesNeedAnEdgePair) {
    // both stand on an edge: A's upper edge runs along z, B's lower edge along x
    const double quarter = std::numbers::pi / 4, reach = std::sqrt(0.5);
    const RigidTransform a = turned(quarter, Vec3::UnitZ(), Vec3::Zero());
    const RigidTransform b = turned(quarter, Vec3::UnitX(), Vec3(0, 2 * reach - 0.01, 0));
    const Penetration overlap = penetration(kCube, a, kCube, b);
    EXPECT_NEAR(overlap.depth, 0.01, 1e-14);
    EXPECT_LT((overlap.axis - Vec3::UnitY()).norm(), 1e-14);
}

TEST(Penetration, NearlyParallelEdgesDoNotDisturb) {
    for (const double angle : {0.0, 1e-16, 1e-13, 1e-9, 1e-6, 1e-3}) {
        const Penetration overlap = penetration(kCube, {}, kCube, turned(angle, Vec3(1, 2, 3), Vec3(0.1, 0.9, 0.05)));
        EXPECT_NEAR(overlap.depth, 0.1, 2 * angle + 1e-14) << angle;
    }
}

TEST(Penetration, FarFromTheOriginLosesOnlyThePosesRounding) {
    const Vec3 far(1e6, -2e6, 3e6);
    const Penetration overlap =
        penetration(kCube, {Quat::Identity(), far}, kCube, {Quat::Identity(), far + Vec3(0, 0.9375, 0)});
    EXPECT_EQ(overlap.depth, 0.0625);
}

TEST(Penetration, MatchesTheHullOfTheMinkowskiDifference) {
    int overlapping = 0;
    for (int i = 0; i < 300; ++i) {
        Random random(1, i);
        const ConvexPolytope a = convexFragment(1, random.below(1000)), b = convexFragment(2, random.below(1000));
        const RigidTransform poseA{randomOrientation(random), Vec3::Zero()};
        const Vec3 direction = Vec3(random.normal(), random.normal(), random.normal()).normalized();
        const RigidTransform poseB{randomOrientation(random), random.uniform(0, 0.1) * direction};
        const double expected = depthByMinkowski(a, poseA, b, poseB);
        EXPECT_NEAR(penetration(a, poseA, b, poseB).depth, expected, 1e-9) << i;
        overlapping += expected > 0;
    }
    EXPECT_GT(overlapping, 200);
}

TEST(Penetration, MovingByItParts) {
    for (int i = 0; i < 300; ++i) {
        Random random(2, i);
        const ConvexPolytope a = convexFragment(3, i), b = convexFragment(4, i);
        const RigidTransform poseA{randomOrientation(random), Vec3::Zero()};
        RigidTransform poseB{randomOrientation(random), Vec3(random.uniform(0, 0.1), random.uniform(0, 0.1), 0)};
        const Penetration overlap = penetration(a, poseA, b, poseB);
        if (overlap.depth < 0) continue;
        const Penetration seenFromB = penetration(b, poseB, a, poseA);
        EXPECT_NEAR(overlap.depth, seenFromB.depth, 1e-13);
        poseB.translation += overlap.depth * overlap.axis;
        EXPECT_NEAR(penetration(a, poseA, b, poseB).depth, 0, 1e-13);
    }
}

}  // namespace
}  // namespace sunder
