#include "dynamics/detail/narrow/ray.h"

#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/detail/narrow/test_pairs.h"

namespace sunder::dynamics::detail {

namespace {

using namespace test;

constexpr double kFar = 100;  // m

/// Fires at the shape from all around, at it and past it, and compares with the triangles of its mesh.
void expectLikeMesh(const Shape& shape, double tolerance, uint64_t seed) {
    const TriMesh mesh = shape.mesh();
    const TriangleTree tree(mesh);
    Random random(seed);
    int hits = 0, different = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 origin = 2 * shape.radius() * randomDirection(random);
        const Vec3 target = randomPoint(random, 0.7 * shape.radius());
        const double scale = random.uniform(0.1, 10);
        const auto hit = castRay(shape, origin, scale * (target - origin), kFar);
        const auto expected = tree.raycast(origin, (target - origin).normalized(), kFar);
        if (hit.has_value() != expected.has_value()) {
            ++different;  // grazing
            continue;
        }
        if (!hit) continue;
        ++hits;
        const Vec3 normal = mesh.areaVector(expected->triangle).normalized();
        const Vec3 direction = (target - origin).normalized();
        EXPECT_LT(hit->normal.dot(direction), 1e-9);
        EXPECT_NEAR(hit->normal.norm(), 1, 1e-6);
        // near the silhouette a little height is a long way
        const double steepness = -normal.dot(direction);
        if (steepness > 0.2) {
            EXPECT_NEAR(hit->distance, expected->distance, tolerance / steepness) << i;
        }
        // a hit short of the surface is none
        EXPECT_FALSE(castRay(shape, origin, direction, 0.999 * hit->distance));
        EXPECT_TRUE(castRay(shape, origin, direction, 1.001 * hit->distance));
    }
    EXPECT_GT(hits, 200);
    EXPECT_LE(different, tolerance > 1e-4 ? 60 : 3);
}

}  // namespace

TEST(Ray, PolyhedraLikeTheirTriangles) {
    expectLikeMesh(*makeBox({0.1, 0.2, 0.3}), 1e-6, 1);
    for (uint64_t i = 0; i < 10; ++i) expectLikeMesh(*makeHull(convexFragment(1, i)), 1e-6, i);
    expectLikeMesh(*meshSolid(concaveFragment(ConcaveKind::Crescent, 1, 1)), 1e-9, 3);
    expectLikeMesh(*meshSolid(concaveFragment(ConcaveKind::Corner, 1, 2)), 1e-9, 4);
}

TEST(Ray, RoundShapesLikeFineMeshes) {
    // a 48-gon lies up to 0.2 % of the radius inside its circle
    expectLikeMesh(*makeSphere(0.5), 0.0025, 1);
    expectLikeMesh(*makeCapsule(0.2, 0.6), 0.0015, 2);
    expectLikeMesh(*makeCylinder(0.3, 0.5), 0.0015, 3);
}

TEST(Ray, KnownHits) {
    const auto sphere = castRay(*makeSphere(1), {-5, 0, 0}, {2, 0, 0}, kFar);
    ASSERT_TRUE(sphere);
    EXPECT_NEAR(sphere->distance, 4, 1e-12);
    EXPECT_LT((sphere->normal - Vec3(-1, 0, 0)).norm(), 1e-12);

    const auto side = castRay(*makeCapsule(0.5, 2), {3, 0.9, 0}, {-1, 0, 0}, kFar);
    ASSERT_TRUE(side);
    EXPECT_NEAR(side->distance, 2.5, 1e-12);
    const auto cap = castRay(*makeCapsule(0.5, 2), {0, 5, 0}, {0, -1, 0}, kFar);
    ASSERT_TRUE(cap);
    EXPECT_NEAR(cap->distance, 3.5, 1e-12);
    EXPECT_LT((cap->normal - Vec3::UnitY()).norm(), 1e-12);

    const auto top = castRay(*makeCylinder(0.5, 2), {0.2, 5, 0.1}, {0, -1, 0}, kFar);
    ASSERT_TRUE(top);
    EXPECT_NEAR(top->distance, 4, 1e-12);
    EXPECT_FALSE(castRay(*makeCylinder(0.5, 2), {0.6, 5, 0}, {0, -1, 0}, kFar));

    const auto ground = castRay(*makeHalfSpace(), {0, 1, 0}, {3, -4, 0}, kFar);
    ASSERT_TRUE(ground);
    EXPECT_NEAR(ground->distance, 1.25, 1e-12);
    EXPECT_LT((ground->normal - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_FALSE(castRay(*makeHalfSpace(), {0, 1, 0}, {1, 0, 0}, kFar));
    EXPECT_FALSE(castRay(*makeHalfSpace(), {0, 1, 0}, {0, 1, 0}, kFar));

    // along a face, away, and nowhere
    EXPECT_FALSE(castRay(*makeBox({1, 1, 1}), {-2, 0.6, 0}, {1, 0, 0}, kFar));
    EXPECT_FALSE(castRay(*makeBox({1, 1, 1}), {-2, 0, 0}, {-1, 0, 0}, kFar));
    EXPECT_FALSE(castRay(*makeBox({1, 1, 1}), {-2, 0, 0}, {0, 0, 0}, kFar));
    EXPECT_FALSE(castRay(*makeBox({1, 1, 1}), {-2, 0, 0}, {1, 0, 0}, 1.4));
}

TEST(Ray, StartingInsideHitsAtOnce) {
    const std::vector<PlacedShape> parts{{makeBox({1, 1, 1}), {}}};
    for (const ShapePtr& shape :
         {makeSphere(0.5), makeBox({1, 1, 1}), makeCapsule(0.3, 1), makeCylinder(0.3, 1), makeHalfSpace(),
          makeHull(convexFragment(1, 1)), meshSolid(makeSphere(1)->mesh()), makeCompound(parts)}) {
        const auto hit = castRay(*shape, {0.01, -0.01, 0.005}, {0, 0.6, 0.8}, kFar);
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit->distance, 0);
        EXPECT_LT((hit->normal - Vec3(0, -0.6, -0.8)).norm(), 1e-12);
        EXPECT_TRUE(castRay(*shape, {0.01, -0.01, 0.005}, {0, 0.6, 0.8}, 0.0));
    }
}

TEST(Ray, FarOriginsLoseNothing) {
    Random random(5);
    for (const ShapePtr& shape : {makeSphere(0.1), makeBox({0.1, 0.1, 0.1}), makeCapsule(0.05, 0.1)}) {
        for (int i = 0; i < 300; ++i) {
            const Vec3 direction = randomDirection(random), start = randomPoint(random, 0.03) - 0.5 * direction;
            const auto near = castRay(*shape, start, direction, kFar);
            const auto far = castRay(*shape, start - 1e4 * direction, direction, 2e4);
            ASSERT_EQ(near.has_value(), far.has_value());
            if (near) {
                EXPECT_NEAR(far->distance - 1e4, near->distance, 1e-9);
            }
        }
    }
}

TEST(Ray, CompoundIsHitWhereItsNearestPartIs) {
    const std::vector<PlacedShape> parts{{makeBox({1, 1, 1}), {Quat::Identity(), {2, 0, 0}}},
                                         {makeSphere(0.5), {Quat::Identity(), {-2, 0, 0}}}};
    const ShapePtr compound = makeCompound(parts);
    const Vec3 origin = compound->bodyFromGiven() * Vec3(-10, 0, 0);
    const Vec3 direction = compound->bodyFromGiven().rotation * Vec3::UnitX();
    const auto hit = castRay(*compound, origin, direction, kFar);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 7.5, 1e-9);
    EXPECT_LT((hit->normal + direction).norm(), 1e-9);
    const auto between = castRay(*compound, compound->bodyFromGiven() * Vec3(0, 0, 0), direction, kFar);
    ASSERT_TRUE(between);
    EXPECT_NEAR(between->distance, 1.5, 1e-6);
    expectLikeMesh(*compound, 0.0025, 9);
}

}  // namespace sunder::dynamics::detail
