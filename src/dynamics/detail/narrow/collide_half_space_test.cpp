#include <cmath>

#include <gtest/gtest.h>

#include "dynamics/detail/narrow/collide.h"
#include "dynamics/detail/narrow/test_pairs.h"

namespace sunder::dynamics::detail {

namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;

/// A body at `rotation` whose centre is `height` above a half-space turned in the world.
PairPose above(const Quat& ground, const Quat& rotation, double height) {
    return poseOf(ground * rotation, ground, -(ground * Vec3(0.3, height, -0.2)));
}
std::vector<Manifold> contactsOf(const Shape& shape, const PairPose& pose, float reach) {
    std::vector<Manifold> manifolds;
    PairMemory memory;
    collide(shape, *makeHalfSpace(), pose, reach, memory, manifolds);
    return manifolds;
}
double deepest(const Manifold& manifold) {
    double least = manifold.points[0].separation;
    for (int i = 1; i < manifold.count; ++i)
        least = std::min<double>(least, manifold.points[static_cast<size_t>(i)].separation);
    return least;
}
/// Points lie halfway between the surface of the body and the ground.
void expectPointsBetween(const Manifold& m, const PairPose& pose) {
    const Vec3 up = pose.rotationB.col(1);
    EXPECT_LT((m.normal.cast<double>() + up).norm(), 1e-6);
    for (size_t i = 0; i < static_cast<size_t>(m.count); ++i) {
        const double height = up.dot(m.points[i].fromA.cast<double>() - pose.offset);
        EXPECT_NEAR(height, 0.5 * m.points[i].separation, 1e-6);
    }
}

}  // namespace

TEST(CollideHalfSpace, BoxStandsOnFourCorners) {
    Random random(1);
    const ShapePtr box = makeBox({1, 0.5, 2});
    for (int trial = 0; trial < 100; ++trial) {
        const PairPose pose = above(randomRotation(random), Quat::Identity(), 0.24);
        const auto contacts = contactsOf(*box, pose, 0.05f);
        ASSERT_EQ(contacts.size(), 1u);
        ASSERT_EQ(contacts[0].count, 4);
        expectPointsBetween(contacts[0], pose);
        for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(contacts[0].points[i].separation, -0.01, 1e-6);
        EXPECT_TRUE(contactsOf(*box, above(Quat::Identity(), Quat::Identity(), 0.31), 0.05f).empty());
    }
}

TEST(CollideHalfSpace, LowestPointIsAlwaysThere) {
    Random random(2);
    std::vector<ShapePtr> shapes{makeSphere(0.1), makeBox({0.1, 0.3, 0.2}), makeCapsule(0.05, 0.2)};
    for (uint64_t i = 0; i < 10; ++i) shapes.push_back(makeHull(convexFragment(1, i)));
    for (int trial = 0; trial < 5000; ++trial) {
        const Shape& shape = *shapes[random.below(shapes.size())];
        const Quat ground = randomRotation(random), turn = randomRotation(random);
        const double lowest = -supportOf(*shape.convex(), turn.toRotationMatrix(), -Vec3::UnitY());
        const double height = random.uniform(-0.05, 0.04);
        const PairPose pose = above(ground, turn, height - lowest);
        const auto contacts = contactsOf(shape, pose, 0.02f);
        if (height > 0.02 + 1e-6) {
            EXPECT_TRUE(contacts.empty());
        } else if (height < 0.02 - 1e-6) {
            ASSERT_EQ(contacts.size(), 1u);
            expectPointsBetween(contacts[0], pose);
            // the reduction may take another that is as low but for a thousandth of the contact's width
            EXPECT_NEAR(deepest(contacts[0]), height, 2.1e-3 * shape.radius());
            for (size_t i = 0; i < static_cast<size_t>(contacts[0].count); ++i)
                EXPECT_LE(contacts[0].points[i].separation, 0.02f);
        }
    }
}

TEST(CollideHalfSpace, LyingCapsuleAndCylinderTouchAlongALine) {
    const Quat lying(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
    for (const ShapePtr& shape : {makeCapsule(0.2, 1), makeCylinder(0.2, 1)}) {
        for (double roll = 0; roll < 7; roll += 0.37) {
            const PairPose pose = above(Quat::Identity(), lying * Quat(Eigen::AngleAxisd(roll, Vec3::UnitY())), 0.2);
            const auto contacts = contactsOf(*shape, pose, 0.01f);
            ASSERT_EQ(contacts.size(), 1u);
            ASSERT_EQ(contacts[0].count, 2);
            for (size_t i = 0; i < 2; ++i) {
                // smooth: no polygon is felt
                EXPECT_NEAR(contacts[0].points[i].separation, 0, 1e-6);
                EXPECT_NEAR(std::abs(contacts[0].points[i].fromA.z()), 0.5, 1e-6);
                EXPECT_NEAR(contacts[0].points[i].fromA.x(), 0, 1e-6);
            }
            EXPECT_NE(contacts[0].points[0].key, contacts[0].points[1].key);
        }
    }
}

TEST(CollideHalfSpace, CylinderIsRoundAtEveryTilt) {
    const double radius = 0.3, half = 0.1;
    const ShapePtr cylinder = makeCylinder(radius, 2 * half);
    Random random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Quat turn = randomRotation(random);
        const Vec3 axis = turn * Vec3::UnitY();
        const double lowest = half * std::abs(axis.y()) + radius * std::sqrt(1 - axis.y() * axis.y());
        const PairPose pose = above(randomRotation(random), turn, lowest - 0.001);
        const auto contacts = contactsOf(*cylinder, pose, 0.002f);
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_NEAR(deepest(contacts[0]), -0.001, 1e-6);
        expectPointsBetween(contacts[0], pose);
        // every contact is a point of a rim
        for (size_t i = 0; i < static_cast<size_t>(contacts[0].count); ++i) {
            const Manifold::Point& p = contacts[0].points[i];
            const Vec3 on = pose.rotationA.transpose() *
                            (p.fromA.cast<double>() - 0.5 * p.separation * contacts[0].normal.cast<double>());
            EXPECT_NEAR(std::hypot(on.x(), on.z()), radius, 1e-6);
            EXPECT_NEAR(std::abs(on.y()), half, 1e-6);
        }
    }
}

TEST(CollideHalfSpace, StandingCylinderHasABase) {
    const ShapePtr cylinder = makeCylinder(0.3, 1);
    for (const double tilt : {0.0, 1e-5, 1e-3, 0.01}) {
        for (const bool upsideDown : {false, true}) {
            const Quat turn = Quat(Eigen::AngleAxisd(tilt + (upsideDown ? kPi : 0), Vec3(1, 0, 1).normalized()));
            const PairPose pose = above(Quat::Identity(), turn, 0.5);
            const auto contacts = contactsOf(*cylinder, pose, 0.02f);
            ASSERT_EQ(contacts.size(), 1u);
            ASSERT_EQ(contacts[0].count, 4) << tilt;
            // the centre of mass is well over the base
            Vec3f sum = Vec3f::Zero();
            for (const auto& p : contacts[0].points) sum += p.fromA / 4;
            EXPECT_LT(std::hypot(sum.x(), sum.z()), 0.08);
            const double lowest = 0.5 - 0.5 * std::cos(tilt) - 0.3 * std::sin(tilt);
            EXPECT_NEAR(deepest(contacts[0]), lowest, 2e-5);
        }
    }
}

TEST(CollideHalfSpace, ParticlesStandOnTheirWidestFour) {
    Random random(4);
    std::vector<Vec3> points;
    for (int i = 0; i < 500; ++i) points.push_back(randomPoint(random, 0.4));
    for (const double x : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5}) points.push_back(Vec3(x, -0.5, z));
    TriMesh mesh;
    for (const Vec3& p : points) mesh.positions.push_back(p);
    const ShapePtr shape = meshSolid(mesh);
    for (int trial = 0; trial < 50; ++trial) {
        const PairPose pose = above(randomRotation(random), Quat::Identity(), 0.499);
        const auto contacts = contactsOf(*shape, pose, 0.02f);
        ASSERT_EQ(contacts.size(), 1u);
        ASSERT_EQ(contacts[0].count, 4);
        expectPointsBetween(contacts[0], pose);
        for (const auto& p : contacts[0].points) EXPECT_NEAR(p.separation, -0.001, 1e-6);
    }
}

}  // namespace sunder::dynamics::detail
