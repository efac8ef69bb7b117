#include "dynamics/detail/narrow/collide_rounded.h"

#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/detail/narrow/closest.h"
#include "dynamics/detail/narrow/manifold_reduction.h"
#include "dynamics/detail/narrow/test_pairs.h"

namespace sunder::dynamics::detail {

namespace {

using namespace test;

std::vector<Manifold> contactsOf(const Shape& a, const Shape& b, const PairPose& pose, float reach) {
    std::vector<Manifold> manifolds;
    PairMemory memory;
    collideRounded(a, b, pose, reach, memory, manifolds);
    return manifolds;
}

double deepest(const Manifold& manifold) {
    double least = manifold.points[0].separation;
    for (int i = 1; i < manifold.count; ++i)
        least = std::min<double>(least, manifold.points[static_cast<size_t>(i)].separation);
    return least;
}

/// Both surface points of the deepest contact lie on their bodies, and nothing lies between them: then the normal and
/// the separation are right.
void expectExact(const Shape& a, const Shape& b, const PairPose& pose, const Manifold& manifold, double tolerance) {
    const Vec3 n = manifold.normal.cast<double>();
    EXPECT_NEAR(n.norm(), 1, 1e-6);
    const double separation = deepest(manifold);
    EXPECT_NEAR(gapAlong(*a.convex(), *b.convex(), pose, n.normalized()), separation, tolerance);
    for (int i = 0; i < manifold.count; ++i) {
        const Manifold::Point& point = manifold.points[static_cast<size_t>(i)];
        const Vec3 middle = point.fromA.cast<double>();
        const Vec3 onA = middle - 0.5 * point.separation * n, onB = middle + 0.5 * point.separation * n;
        // the surface points of the other contacts of the manifold may float a little where the bodies curve away
        const double gap = a.convex()->radius + b.convex()->radius + point.separation;
        const double slack = point.separation <= separation + tolerance ? tolerance : 0.11 * gap;
        EXPECT_LT(distanceOutside(*a.convex(), pose.rotationA.transpose() * onA), slack);
        EXPECT_LT(distanceOutside(*b.convex(), pose.rotationB.transpose() * (onB - pose.offset)), slack);
    }
}

std::vector<ShapePtr> roundShapes() { return {makeSphere(0.1), makeCapsule(0.05, 0.2), makeCapsule(0.02, 0.5)}; }
std::vector<ShapePtr> allConvex() {
    std::vector<ShapePtr> shapes = roundShapes();
    shapes.push_back(makeBox({0.2, 0.3, 0.1}));
    shapes.push_back(makeCylinder(0.1, 0.2));
    for (uint64_t i = 0; i < 8; ++i) shapes.push_back(makeHull(convexFragment(1, i)));
    return shapes;
}

}  // namespace

TEST(CollideRounded, Spheres) {
    const ShapePtr a = makeSphere(1), b = makeSphere(0.5);
    const auto contacts = contactsOf(*a, *b, poseOf(Quat::Identity(), Quat::Identity(), {0, 1.4, 0}), 0.1f);
    ASSERT_EQ(contacts.size(), 1u);
    ASSERT_EQ(contacts[0].count, 1);
    EXPECT_LT((contacts[0].normal - Vec3f(0, 1, 0)).norm(), 1e-6f);
    EXPECT_NEAR(contacts[0].points[0].separation, -0.1, 1e-6);
    EXPECT_LT((contacts[0].points[0].fromA - Vec3f(0, 0.95f, 0)).norm(), 1e-6f);
    EXPECT_TRUE(contactsOf(*a, *b, poseOf(Quat::Identity(), Quat::Identity(), {0, 1.7, 0}), 0.1f).empty());
    // the same centre: some normal, no NaN
    const auto same = contactsOf(*a, *b, poseOf(Quat::Identity(), Quat::Identity(), Vec3::Zero()), 0.1f);
    ASSERT_EQ(same.size(), 1u);
    EXPECT_NEAR(same[0].normal.norm(), 1, 1e-6);
    EXPECT_NEAR(same[0].points[0].separation, -1.5, 1e-6);
}

TEST(CollideRounded, CapsuleLyingOnABoxTouchesAtBothEnds) {
    const ShapePtr box = makeBox({2, 1, 2}), capsule = makeCapsule(0.1, 0.6);
    const Quat lying(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitZ()));
    for (const double tilt : {0.0, 1e-5, -1e-5, 0.02, -0.02}) {
        const Quat turn = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ())) * lying;
        const auto contacts = contactsOf(*box, *capsule, poseOf(Quat::Identity(), turn, {0, 0.59, 0}), 0.05f);
        ASSERT_EQ(contacts.size(), 1u);
        ASSERT_EQ(contacts[0].count, 2) << tilt;
        EXPECT_LT((contacts[0].normal - Vec3f(0, 1, 0)).norm(), 1e-5f);
        EXPECT_NEAR(std::abs(contacts[0].points[0].fromA.x() - contacts[0].points[1].fromA.x()), 0.6, 1e-3);
        EXPECT_NEAR(deepest(contacts[0]), -0.01 - 0.3 * std::sin(std::abs(tilt)), 1e-5);
        EXPECT_NE(contacts[0].points[0].key, contacts[0].points[1].key);
    }
    // over the rim: one point on the rim, one at the end
    for (const double tilt : {-0.03, -1e-4, 0.0, 1e-4, 0.03}) {
        const Quat turn = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ())) * lying;
        const auto contacts = contactsOf(*box, *capsule, poseOf(Quat::Identity(), turn, {1.1, 0.605, 0}), 0.05f);
        ASSERT_EQ(contacts.size(), 1u);
        ASSERT_EQ(contacts[0].count, 2) << tilt;
        expectExact(*box, *capsule, poseOf(Quat::Identity(), turn, {1.1, 0.605, 0}), contacts[0], 1e-5);
    }
    // along a rim, rolled half over it
    for (const double tilt : {-0.01, 0.0, 0.01}) {
        const Quat turn = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitY())) * lying;
        const PairPose pose = poseOf(Quat::Identity(), turn, {0.2, 0.57, 1.07});
        const auto contacts = contactsOf(*box, *capsule, pose, 0.05f);
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_GE(contacts[0].count, 2) << tilt;
        expectExact(*box, *capsule, pose, contacts[0], 1e-5);
    }
    // standing: one
    const auto contacts = contactsOf(*box, *capsule, poseOf(Quat::Identity(), Quat::Identity(), {0, 0.9, 0}), 0.05f);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].count, 1);
    EXPECT_NEAR(contacts[0].points[0].separation, 0, 1e-6);
}

TEST(CollideRounded, ParallelCapsulesTouchAtBothEnds) {
    const ShapePtr a = makeCapsule(0.1, 1), b = makeCapsule(0.2, 0.6);
    for (const double tilt : {0.0, 1e-7, 1e-3, 0.05}) {
        const Quat turn(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
        const PairPose pose = poseOf(Quat::Identity(), turn, {0.3, 0.4, 0});
        const auto contacts = contactsOf(*a, *b, pose, 0.1f);
        ASSERT_EQ(contacts.size(), 1u);
        ASSERT_EQ(contacts[0].count, 2) << tilt;
        EXPECT_NEAR(std::abs(contacts[0].points[0].fromA.y() - contacts[0].points[1].fromA.y()), 0.4, 0.03);
        expectExact(*a, *b, pose, contacts[0], 1e-5);
    }
    // collinear and inside each other: still finite
    const auto deep = contactsOf(*a, *b, poseOf(Quat::Identity(), Quat::Identity(), {0, 0.1, 0}), 0.1f);
    ASSERT_EQ(deep.size(), 1u);
    EXPECT_TRUE(deep[0].normal.allFinite());
    EXPECT_NEAR(deep[0].normal.norm(), 1, 1e-6);
    // crossing in one place
    const Quat quarter(Eigen::AngleAxisd(1.3, Vec3::UnitX()));
    const auto crossed = contactsOf(*a, *b, poseOf(Quat::Identity(), quarter, {0.29, 0, 0}), 0.1f);
    ASSERT_EQ(crossed.size(), 1u);
    ASSERT_EQ(crossed[0].count, 1);
    EXPECT_NEAR(crossed[0].points[0].separation, -0.01, 1e-6);
}

TEST(CollideRounded, SeparatedPairsAreExact) {
    Random random(1);
    const auto rounds = roundShapes(), others = allConvex();
    int touching = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const Shape &a = *others[random.below(others.size())], &b = *rounds[random.below(rounds.size())];
        const Quat turnA = randomRotation(random), turnB = randomRotation(random);
        const Vec3 direction = randomDirection(random);
        PairPose pose = poseOf(turnA, turnB, direction);
        // put them at a small distance along the direction
        const double touch = -gapAlong(*a.convex(), *b.convex(), pose, direction) + 1;
        pose.offset = (touch + random.uniform(0, 0.02)) * direction;
        const auto contacts = contactsOf(a, b, pose, 0.05f);
        if (contacts.empty()) continue;
        ++touching;
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_GT(deepest(contacts[0]), -1e-5);
        expectExact(a, b, pose, contacts[0], 3e-6);
        if (HasFailure()) FAIL() << "trial " << trial;
    }
    EXPECT_GT(touching, 10000);
}

TEST(CollideRounded, WithinReachIsAlwaysFound) {
    Random random(2);
    const auto rounds = roundShapes(), others = allConvex();
    int found = 0;
    for (int trial = 0; trial < 10000; ++trial) {
        const Shape &a = *others[random.below(others.size())], &b = *rounds[random.below(rounds.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.3));
        PairMemory memory;
        std::vector<Manifold> contacts;
        collideRounded(a, b, pose, 0.02f, memory, contacts);
        double widest = -1;
        for (int i = 0; i < 200; ++i)
            widest = std::max(widest, gapAlong(*a.convex(), *b.convex(), pose, randomDirection(random)));
        if (contacts.empty()) {
            // what is remembered is a lower bound: some direction shows at least nearly that gap
            EXPECT_GT(memory.separation, 0.02f);
            const Vec3 axis = pose.rotationA * memory.axis.cast<double>();
            if (axis.norm() > 0.5) {
                EXPECT_NEAR(gapAlong(*a.convex(), *b.convex(), pose, axis), memory.separation, 3e-6);
            }
        } else {
            ++found;
            EXPECT_LT(widest, deepest(contacts[0]) + 2e-5);
        }
        for (const Manifold& m : contacts)
            for (int i = 0; i < m.count; ++i) EXPECT_LE(m.points[static_cast<size_t>(i)].separation, 0.02f);
    }
    EXPECT_GT(found, 1000);
}

TEST(CollideRounded, OverlappingCoresGiveTheShortestWayOut) {
    Random random(3);
    const ShapePtr capsule = makeCapsule(0.02, 0.3), sphere = makeSphere(0.02);
    for (int trial = 0; trial < 3000; ++trial) {
        const ShapePtr hull = makeHull(convexFragment(1, random.below(50)));
        const Shape& round = trial % 3 ? *capsule : *sphere;
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.03));
        const auto contacts = contactsOf(*hull, round, pose, 0.01f);
        ASSERT_EQ(contacts.size(), 1u);
        const Vec3 normal = contacts[0].normal.cast<double>();
        const double along = gapAlong(*hull->convex(), *round.convex(), pose, normal.normalized());
        EXPECT_LE(along, deepest(contacts[0]) + 1e-5);
        double best = -1;
        for (int i = 0; i < 500; ++i)
            best = std::max(best, gapAlong(*hull->convex(), *round.convex(), pose, randomDirection(random)));
        for (const ConvexCore::Face& face : hull->convex()->faces)
            best = std::max(best, gapAlong(*hull->convex(), *round.convex(), pose,
                                           pose.rotationA * face.normal.cast<double>().normalized()));
        EXPECT_GT(along, best - 2e-4 * hull->radius()) << trial;
    }
}

TEST(CollideRounded, SwappedBodiesSeeTheSame) {
    Random random(4);
    const auto rounds = roundShapes(), others = allConvex();
    int different = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Shape &a = *others[random.below(others.size())], &b = *rounds[random.below(rounds.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.15));
        const auto there = contactsOf(a, b, pose, 0.05f);
        auto back = contactsOf(b, a, swapped(pose), 0.05f);
        swapBodies(back, 0, -pose.offset);
        ASSERT_EQ(there.size(), back.size());
        if (there.empty()) continue;
        EXPECT_LT((there[0].normal - back[0].normal).norm(), 1e-4f);
        EXPECT_NEAR(deepest(there[0]), deepest(back[0]), 1e-6);
        different += there[0].count != back[0].count;
    }
    EXPECT_LT(different, 5);  // crossing capsules with an end just at the limit
}

TEST(CollideRounded, MemoryChangesNothing) {
    Random random(5);
    const auto rounds = roundShapes(), others = allConvex();
    PairMemory used;
    for (int trial = 0; trial < 2000; ++trial) {
        const Shape &a = *others[random.below(others.size())], &b = *rounds[random.below(rounds.size())];
        const PairPose pose = poseOf(randomRotation(random), randomRotation(random), randomPoint(random, 0.15));
        const auto fresh = contactsOf(a, b, pose, 0.05f);
        std::vector<Manifold> again;
        collideRounded(a, b, pose, 0.05f, used, again);
        ASSERT_EQ(fresh.size(), again.size());
        for (size_t m = 0; m < fresh.size(); ++m) {
            ASSERT_EQ(fresh[m].count, again[m].count);
            EXPECT_EQ(fresh[m].normal, again[m].normal);
            for (size_t i = 0; i < static_cast<size_t>(fresh[m].count); ++i) {
                EXPECT_EQ(fresh[m].points[i].fromA, again[m].points[i].fromA);
                EXPECT_EQ(fresh[m].points[i].separation, again[m].points[i].separation);
            }
        }
    }
}

TEST(NearestOnHull, AgreesWithTheTriangles) {
    Random random(6);
    for (int trial = 0; trial < 200; ++trial) {
        const ShapePtr hull = makeHull(convexFragment(2, static_cast<uint64_t>(trial)));
        for (int i = 0; i < 50; ++i) {
            const Vec3 point = randomPoint(random, 0.3);
            const HullPoint nearest = nearestOnHull(*hull->convex(), point);
            const double outside = distanceOutside(*hull->convex(), point);
            EXPECT_NEAR(std::max(0.0, nearest.distance), outside, 1e-7);
            EXPECT_NEAR((nearest.point + nearest.distance * nearest.normal - point).norm(), 0, 1e-9);
        }
    }
}

}  // namespace sunder::dynamics::detail
