#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/detail/narrow/collide_rounded.h"
#include "dynamics/detail/narrow/gjk.h"
#include "dynamics/detail/narrow/test_pairs.h"

namespace sunder::dynamics::detail {

namespace {

using namespace test;

TriMesh placed(const TriMesh& mesh, const Mat3& rotation, const Vec3& offset) {
    return transformed(mesh, {Quat(rotation), offset});
}
/// All corners and triangles against each other; half the sum of depths is not known, so 0 when they overlap.
double slowDistance(const Shape& a, const Shape& b, const PairPose& pose) {
    return surfaceDistance(placed(a.mesh(), pose.rotationA, Vec3::Zero()),
                           placed(b.mesh(), pose.rotationB, pose.offset));
}

/// Few corners, many of them coplanar or parallel to those of others.
std::vector<ShapePtr> plainSolids() {
    std::vector<ShapePtr> shapes{makeBox({0.2, 0.2, 0.2}), makeBox({1, 0.05, 0.3}), makeBox({0.2, 0.1, 0.4})};
    shapes.push_back(makeHull(std::vector<Vec3>{{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}}));
    // a prism on a pentagon with corners on its edges and faces
    std::vector<Vec3> prism;
    for (const double y : {0.0, 0.05, 0.1})
        for (const auto& [x, z] : {std::pair(0.0, 0.0), {0.1, 0.0}, {0.2, 0.0}, {0.25, 0.1}, {0.1, 0.2}, {0.0, 0.1}})
            prism.emplace_back(x, y, z);
    shapes.push_back(makeHull(prism));
    return shapes;
}

}  // namespace

TEST(Distance, KnownValues) {
    const PairPose apart = poseOf(Quat::Identity(), Quat::Identity(), {3, 0, 0});
    EXPECT_NEAR(distanceBetween(*makeSphere(1), *makeSphere(0.5), apart), 1.5, 1e-7);
    EXPECT_NEAR(distanceBetween(*makeBox({2, 2, 2}), *makeBox({1, 1, 1}), apart), 1.5, 1e-12);
    EXPECT_NEAR(distanceBetween(*makeCapsule(0.5, 1), *makeBox({1, 1, 1}), apart), 2, 1e-7);
    const PairPose corner = poseOf(Quat::Identity(), Quat::Identity(), {2, 2, 2});
    EXPECT_NEAR(distanceBetween(*makeBox({1, 1, 1}), *makeBox({1, 1, 1}), corner), std::sqrt(3.0), 1e-12);
    const PairPose deep = poseOf(Quat::Identity(), Quat::Identity(), {0.1, 0, 0});
    EXPECT_LE(distanceBetween(*makeBox({1, 1, 1}), *makeBox({1, 1, 1}), deep), 0);
    EXPECT_LE(distanceBetween(*makeSphere(1), *makeSphere(1), deep), 0);
    EXPECT_TRUE(overlaps(*makeSphere(1), *makeBox({1, 1, 1}), deep));
    EXPECT_FALSE(overlaps(*makeSphere(1), *makeBox({1, 1, 1}), apart));
}

TEST(Distance, HullsAgreeWithAllPairsOfTriangles) {
    Random random(1);
    std::vector<ShapePtr> shapes = plainSolids();
    for (uint64_t i = 0; i < 10; ++i) shapes.push_back(makeHull(convexFragment(1, i)));
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const Shape &a = *shapes[random.below(shapes.size())], &b = *shapes[random.below(shapes.size())];
        const double size = trial % 2 ? 0.3 : 0.15;
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, size));
        const double fast = distanceBetween(a, b, pose), slow = slowDistance(a, b, pose);
        if (slow > 0 && fast > 0) {
            ++apart;
            EXPECT_NEAR(fast, slow, 5e-8) << trial;  // faces of float corners are not quite flat
        } else if (fast > 0) {
            EXPECT_LT(fast, 1e-9);
        } else {
            ++overlapping;  // crossing, or one inside the other
            EXPECT_EQ(fast, 0);
        }
        EXPECT_NEAR(distanceBetween(b, a, swapped(pose)), fast, 1e-12);
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(overlapping, 500);
}

TEST(Distance, ParallelFacesEdgesAndCorners) {
    // axis-aligned and right-angled poses, at distances from far to touching
    Random random(2);
    const auto shapes = plainSolids();
    const Quat quarter(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitY()));
    const Quat eighth(Eigen::AngleAxisd(0.5 * std::acos(0.0), Vec3::UnitX()));
    const std::vector<Quat> turns{Quat::Identity(), quarter, eighth, quarter * eighth, eighth * quarter};
    for (int trial = 0; trial < 3000; ++trial) {
        const Shape &a = *shapes[random.below(shapes.size())], &b = *shapes[random.below(shapes.size())];
        // hulls come turned to their principal axes: turn them back so that faces are parallel
        const Quat given = a.bodyFromGiven().rotation.conjugate(), givenB = b.bodyFromGiven().rotation.conjugate();
        PairPose pose = poseOf(turns[random.below(5)] * given, turns[random.below(5)] * givenB, Vec3::Zero());
        const Vec3 along = random.below(2) ? Vec3::Unit(static_cast<int>(random.below(3))) : randomDirection(random);
        const double touch = -gapAlong(*a.convex(), *b.convex(), pose, along);
        const double gaps[] = {0.1, 1e-3, 1e-6, 1e-9, 1e-12, 0, -1e-6};
        const double gap = gaps[random.below(7)];
        pose.offset = (touch + gap) * along;
        const double fast = distanceBetween(a, b, pose), slow = slowDistance(a, b, pose);
        if (fast > 0 && slow > 0) {
            EXPECT_NEAR(fast, slow, 5e-8) << trial;  // faces of float corners are not quite flat
        } else {
            EXPECT_LT(std::max(fast, slow), 1e-7) << trial;
        }
        EXPECT_GE(fast, gap - 1e-8);
    }
}

TEST(Distance, RoundShapesAgreeWithTheirContacts) {
    Random random(3);
    std::vector<ShapePtr> rounds{makeSphere(0.1), makeCapsule(0.05, 0.2), makeCapsule(0.01, 0.5)},
        others = plainSolids();
    others.insert(others.end(), rounds.begin(), rounds.end());
    for (int trial = 0; trial < 5000; ++trial) {
        const Shape &a = *others[random.below(others.size())], &b = *rounds[random.below(rounds.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.4));
        const double distance = distanceBetween(a, b, pose);
        std::vector<Manifold> contacts;
        PairMemory memory;
        collideRounded(a, b, pose, 10, memory, contacts);
        if (distance > 0) {
            EXPECT_NEAR(memory.separation, distance, 1e-5 * (a.radius() + b.radius())) << trial;
        } else {
            EXPECT_LE(memory.separation, 1e-6);
        }
    }
}

TEST(Distance, HalfSpace) {
    Random random(4);
    const ShapePtr ground = makeHalfSpace();
    const std::vector<ShapePtr> shapes{makeSphere(0.1), makeCapsule(0.05, 0.2), makeBox({0.2, 0.3, 0.1}),
                                       makeHull(convexFragment(1, 1)),
                                       meshSolid(concaveFragment(ConcaveKind::Notched, 1, 1))};
    for (int trial = 0; trial < 1000; ++trial) {
        const Shape& shape = *shapes[random.below(shapes.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 1));
        const TriMesh mesh = placed(shape.mesh(), pose.rotationA, Vec3::Zero());
        double lowest = 10;
        for (const Vec3& p : mesh.positions) lowest = std::min(lowest, pose.rotationB.col(1).dot(p - pose.offset));
        const double slack = shape.convex() && shape.convex()->radius > 0 ? 0.001 : 1e-7;
        EXPECT_NEAR(distanceBetween(shape, *ground, pose), lowest, slack);
        EXPECT_EQ(distanceBetween(*ground, shape, swapped(pose)), distanceBetween(shape, *ground, pose));
    }
    // a cylinder is round here
    const Quat lying(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX()));
    EXPECT_NEAR(distanceBetween(*makeCylinder(0.2, 1), *ground, poseOf(lying, Quat::Identity(), {0, -0.3, 0})), 0.1,
                1e-12);
}

TEST(Distance, FieldSolidsAreNearlyExactAndNeverTooFar) {
    Random random(5);
    std::vector<TriMesh> meshes;
    std::vector<ShapePtr> fields,
        convex{makeSphere(0.05), makeCapsule(0.02, 0.2), makeHull(convexFragment(1, 3)), makeBox({0.1, 0.1, 0.1})};
    for (uint64_t i = 0; i < 4; ++i) {
        const ConcaveKind kinds[] = {ConcaveKind::Corner, ConcaveKind::Crescent, ConcaveKind::Notched,
                                     ConcaveKind::Corner};
        fields.push_back(meshSolid(concaveFragment(kinds[i], 2, i)));
    }
    int apart = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Shape& a = *fields[random.below(fields.size())];
        const Shape& b = trial % 2 ? *fields[random.below(fields.size())] : *convex[random.below(convex.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.3));
        // the core of a round shape as a sliver of a mesh
        TriMesh core = b.mesh();
        double radius = 0;
        if (b.convex() && b.convex()->radius > 0) {
            core = {};
            radius = b.convex()->radius;
            for (const int i : {0, b.convex()->vertexCount - 1, b.convex()->vertexCount - 1})
                core.positions.push_back(b.convex()->vertex(i).cast<double>());
            core.triangles.push_back({VertexIndex{0}, VertexIndex{1}, VertexIndex{2}});
        }
        const double slow =
            surfaceDistance(placed(a.mesh(), pose.rotationA, Vec3::Zero()), placed(core, pose.rotationB, pose.offset)) -
            radius;
        const double fast = distanceBetween(a, b, pose);
        EXPECT_LE(fast, slow + 5e-8);
        EXPECT_NEAR(distanceBetween(b, a, swapped(pose)), fast, 0.011 * std::abs(fast) + 1e-9);
        if (fast > 0) {
            ++apart;
            EXPECT_GE(fast, 0.99 * slow - 5e-8);
        }
    }
    EXPECT_GT(apart, 200);
    // wholly inside
    EXPECT_LE(distanceBetween(*meshSolid(makeSphere(1)->mesh()), *makeBox({0.1, 0.1, 0.1}), {}), 0);
    EXPECT_LE(distanceBetween(*makeBox({0.1, 0.1, 0.1}), *meshSolid(makeSphere(1)->mesh()), {}), 0);
    EXPECT_LE(distanceBetween(*meshSolid(makeSphere(1)->mesh()), *meshSolid(makeSphere(0.2)->mesh()), {}), 0);
    EXPECT_LE(distanceBetween(*meshSolid(makeSphere(0.2)->mesh()), *makeSphere(1), {}), 0);
}

TEST(Distance, CompoundsAreAsNearAsTheirNearestPart) {
    Random random(6);
    const ShapePtr box = makeBox({0.2, 0.1, 0.1}), hull = makeHull(convexFragment(1, 2));
    const std::vector<PlacedShape> parts{{box, {randomRotation(random), {0.3, 0, 0}}},
                                         {hull, {randomRotation(random), {-0.2, 0.1, 0}}},
                                         {makeSphere(0.1), {Quat::Identity(), {0, 0, 0.4}}}};
    const ShapePtr compound = makeCompound(parts);
    for (int trial = 0; trial < 500; ++trial) {
        const RigidTransform pose{randomRotation(random), randomPoint(random, 0.8)};
        const Shape& other = trial % 2 ? *box : *compound;
        double least = 10;
        for (const PlacedShape& part : parts) {
            const RigidTransform body = part.pose * part.shape->bodyFromGiven().inverse();
            const RigidTransform from = compound->bodyFromGiven() * body;
            const PairPose ofPart{from.rotation.toRotationMatrix(), pose.rotation.toRotationMatrix(),
                                  pose.translation - from.translation};
            least = std::min(least, distanceBetween(*part.shape, other, ofPart));
        }
        const PairPose whole = poseOf(Quat::Identity(), pose.rotation, pose.translation);
        EXPECT_NEAR(distanceBetween(*compound, other, whole), least, 1e-9);
        EXPECT_NEAR(distanceBetween(other, *compound, swapped(whole)), least, 1e-9);
    }
}

TEST(Distance, ScalesWithSize) {
    Random random(7);
    const ConvexPolytope fragment = convexFragment(1, 5), second = convexFragment(1, 6);
    for (const double scale : {1e-4, 1.0, 1e4}) {
        std::vector<Vec3> a, b;
        for (const Vec3& p : fragment.vertices) a.push_back(scale * p);
        for (const Vec3& p : second.vertices) b.push_back(scale * p);
        Random poses(8);
        const ShapePtr small = makeHull(a), other = makeHull(b);
        const ShapePtr unitA = makeHull(fragment), unitB = makeHull(second);
        for (int trial = 0; trial < 200; ++trial) {
            PairPose pose = poseOf(randomRotation(poses), randomRotation(poses), randomPoint(poses, 0.3));
            const double unit = distanceBetween(*unitA, *unitB, pose);
            pose.offset *= scale;
            EXPECT_NEAR(distanceBetween(*small, *other, pose) / scale, unit, 1e-6);
        }
    }
}

}  // namespace sunder::dynamics::detail
