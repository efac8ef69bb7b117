#include "dynamics/detail/narrow/collide.h"

#include <gtest/gtest.h>

#include "dynamics/detail/narrow/manifold_reduction.h"
#include "dynamics/detail/narrow/test_pairs.h"

namespace sunder::dynamics::detail {

namespace {

/// One of each kind that has an inside, about a metre wide.
std::vector<ShapePtr> oneOfEach() {
    const ShapePtr box = makeBox(Vec3(1, 0.9, 1.1));
    const std::vector<Vec3> corners{{-0.5, -0.5, -0.5}, {0.7, 0, 0}, {0, 0.7, 0}, {0, 0, 0.7}};
    const std::array parts{PlacedShape{box, {Quat::Identity(), Vec3(0, 0, 0.5)}},
                           PlacedShape{makeSphere(0.6), {Quat::Identity(), Vec3(0, 0, -0.5)}}};
    std::vector<ShapePtr> shapes{makeSphere(0.5),      makeCapsule(0.4, 0.5), box,
                                 makeCylinder(0.5, 1), makeHull(corners),     makeFieldSolid(box->mesh()),
                                 makeCompound(parts)};
    EXPECT_EQ(shapes.size() + 1, kShapeKinds) << "a new kind is missing here";
    return shapes;
}

void expectMeeting(const Shape& a, const Shape& b, const PairPose& pose) {
    SCOPED_TRACE(testing::Message() << "kinds " << int(a.kind()) << " and " << int(b.kind()));
    PairMemory memory, otherMemory;
    std::vector<Manifold> found, turned;
    collide(a, b, pose, 0.01f, memory, found);
    collide(b, a, pose.swapped(), 0.01f, otherMemory, turned);
    ASSERT_FALSE(found.empty());
    ASSERT_FALSE(turned.empty());
    swapBodies(turned, 0, -pose.offset);
    EXPECT_GT(found[0].normal.dot(turned[0].normal), 0.99f) << "both look from A to B";
    EXPECT_LT((found[0].normal - pose.offset.cast<float>().normalized()).norm(), 1.0f);
    EXPECT_LE(distanceBetween(a, b, pose), 0);
    EXPECT_LE(distanceBetween(b, a, pose.swapped()), 0);
    EXPECT_TRUE(overlaps(a, b, pose));
}

}  // namespace

TEST(Collide, EveryTwoKindsMeetAndAgreeFromBothSides) {
    const std::vector<ShapePtr> shapes = oneOfEach();
    const ShapePtr ground = makeHalfSpace();
    for (const ShapePtr& a : shapes) {
        for (const ShapePtr& b : shapes) {
            PairPose apart{Mat3::Identity(), Mat3::Identity(), Vec3(0, 10, 0)};
            const double gap = distanceBetween(*a, *b, apart);
            EXPECT_GT(gap, 7);
            EXPECT_GE(contactDistance(*a, *b, apart, 1), 1) << "farther than it was asked for";
            expectMeeting(*a, *b, {Mat3::Identity(), Mat3::Identity(), Vec3(0, 10 - 1.02 * gap - 0.01, 0)});
        }
        // a half-space lies below y = 0 of its frame: upside down it lies above
        const Mat3 upsideDown = Vec3(1, -1, -1).asDiagonal();
        const double gap = distanceBetween(*a, *ground, {Mat3::Identity(), upsideDown, Vec3(0, 10, 0)});
        expectMeeting(*a, *ground, {Mat3::Identity(), upsideDown, Vec3(0, 10 - gap - 0.02, 0)});
    }
}

}  // namespace sunder::dynamics::detail
