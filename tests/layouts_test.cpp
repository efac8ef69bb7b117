// The scenes must be what they claim before an engine is judged by them.
#include "tests/scenes/layouts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <gtest/gtest.h>

#include "geometry/convex/fragment_generator.h"
#include "geometry/convex/penetration.h"

namespace sunder::scenes {
namespace {

TEST(PileLayout, PiecesStartInsideAndApart) {
    const std::vector<ConvexPolytope> hulls = convexFragments(1);
    std::vector<std::vector<Vec3>> corners;
    std::vector<double> radii;
    for (const ConvexPolytope& hull : hulls) {
        corners.push_back(hull.vertices);
        radii.push_back(std::accumulate(hull.vertices.begin(), hull.vertices.end(), 0.0,
                                        [](double r, const Vec3& v) { return std::max(r, v.norm()); }));
    }
    for (const size_t count : {1000, 3000, 9000}) {
        const PileLayout layout = layOutPile(count, corners, 5);
        ASSERT_EQ(layout.pieces.size(), count);
        EXPECT_NEAR(layout.side, 2 * std::cbrt(static_cast<double>(count) / 1000), 1e-12);
        double top = 0;
        for (size_t i = 0; i < count; ++i) {
            const auto& [shape, pose] = layout.pieces[i];
            EXPECT_FALSE(layout.escaped(pose.translation));
            for (const Vec3& vertex : hulls[shape].vertices) EXPECT_FALSE(layout.escaped(pose * vertex));
            top = std::max(top, pose.translation.y());
            for (size_t j = 0; j < i; ++j) {
                const auto& [otherShape, otherPose] = layout.pieces[j];
                const double reach = radii[shape] + radii[otherShape];
                if ((pose.translation - otherPose.translation).squaredNorm() > reach * reach) continue;
                ASSERT_LT(penetration(hulls[shape], pose, hulls[otherShape], otherPose).depth, 0);
            }
        }
        EXPECT_GE(top, 15);
        EXPECT_LT(top, 17);
        std::printf("%zu pieces reach %.1f m\n", count, top);
    }
}

TEST(BoxLayout, BricksOfAWallTouchAndNeverOverlap) {
    const BoxLayout wall = layOutBrickWall(20, 20);
    ASSERT_EQ(wall.boxes.size(), 410u);
    const auto solid = [](const BoxLayout::Box& box) { return polytopeOf(Box3{-0.5 * box.size, 0.5 * box.size}); };
    for (size_t i = 0; i < wall.boxes.size(); ++i) {
        const BoxLayout::Box& brick = wall.boxes[i];
        int touching = 0;
        for (size_t j = 0; j < wall.boxes.size(); ++j) {
            const BoxLayout::Box& other = wall.boxes[j];
            if (i == j || (brick.pose.translation - other.pose.translation).norm() > 0.7) continue;
            const double depth = penetration(solid(brick), brick.pose, solid(other), other.pose).depth;
            EXPECT_LT(depth, 1e-12);
            touching += depth > -1e-12;
        }
        EXPECT_GE(touching, 2);
    }
}

}  // namespace
}  // namespace sunder::scenes
