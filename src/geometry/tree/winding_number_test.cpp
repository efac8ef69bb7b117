#include "geometry/tree/winding_number.h"

#include <gtest/gtest.h>

#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

double worstError(const TriMesh& mesh, double accuracy, int queries) {
    const WindingNumber winding(mesh, accuracy);
    Random random(17);
    const Box3 box = boundsOf(mesh).expanded(0.2 * boundsOf(mesh).diagonal());
    double worst = 0;
    for (int i = 0; i < queries; ++i) {
        const Vec3 q = test::randomIn(random, box);
        worst = std::max(worst, std::abs(winding(q) - exactWindingNumber(mesh, q)));
    }
    return worst;
}

TEST(WindingNumber, ExactOnABoxIsOneInsideZeroOutsideHalfOnAFace) {
    const TriMesh cube = test::box(Vec3::Constant(-1), Vec3::Constant(1));
    EXPECT_NEAR(exactWindingNumber(cube, {0.1, 0.2, -0.9}), 1, 1e-15);
    EXPECT_NEAR(exactWindingNumber(cube, {1.1, 0.2, -0.9}), 0, 1e-15);
    EXPECT_NEAR(exactWindingNumber(cube, {1, 0.3, 0.2}), 0.5, 1e-15);
    EXPECT_NEAR(exactWindingNumber(cube, {100, 0.3, 0.2}), 0, 1e-15);
}

TEST(WindingNumber, OneTriangleCoversTheSolidAngleOfAnOctant) {
    const TriMesh octant = test::meshOf({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}});
    EXPECT_NEAR(exactWindingNumber(octant, Vec3::Zero()), 1.0 / 8, 1e-15);
    EXPECT_NEAR(WindingNumber(octant)(Vec3::Zero()), 1.0 / 8, 1e-15);
}

TEST(WindingNumber, ExpansionErrorIsSmallAndFallsWithAccuracy) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 5);
    const double loose = worstError(ball, 2, 400), tight = worstError(ball, 4, 400);
    EXPECT_LT(loose, 1e-2);
    EXPECT_LT(tight, 1e-3);
    EXPECT_LT(tight, 0.25 * loose);
    EXPECT_LT(worstError(test::soup(3, 2000, 0.1), 2, 300), 2e-2);
}

TEST(WindingNumber, NestedShellsCountLayers) {
    TriMesh nested = test::sphere(Vec3::Zero(), 1, 3);
    append(nested, test::sphere(Vec3::Zero(), 0.5, 3));
    EXPECT_NEAR(WindingNumber(nested)(Vec3(0.1, 0, 0.1)), 2, 2e-2);
    EXPECT_NEAR(WindingNumber(nested)(Vec3(0.7, 0, 0.1)), 1, 1e-2);
    EXPECT_NEAR(WindingNumber(nested)(Vec3(2, 0, 0.1)), 0, 1e-2);
}

TEST(WindingNumber, DoesNotDependOnScaleOrPlace) {
    const TriMesh ball = test::sphere(Vec3::Zero(), 1, 4);
    const WindingNumber winding(ball);
    for (const double scale : {1e-9, 1e9}) {
        TriMesh moved = scaled(ball, scale);
        for (Vec3& p : moved.positions) p += scale * Vec3(100, -200, 300);
        const WindingNumber other(moved);
        Random random(23);
        for (int i = 0; i < 100; ++i) {
            const Vec3 q = test::randomIn(random, {Vec3::Constant(-1.5), Vec3::Constant(1.5)});
            EXPECT_NEAR(other(scale * (q + Vec3(100, -200, 300))), winding(q), 1e-2);
            EXPECT_NEAR(exactWindingNumber(moved, scale * (q + Vec3(100, -200, 300))), exactWindingNumber(ball, q),
                        1e-8);
        }
    }
}

TEST(WindingNumber, BunnyMatchesTheExactSum) {
    SUNDER_LOAD_MODEL(bunny, "models/bunny_5k.obj");
    EXPECT_LT(worstError(bunny, 2, 300), 5e-3);
}

TEST(WindingNumber, EmptyMeshIsZeroEverywhere) {
    EXPECT_EQ(WindingNumber(TriMesh())(Vec3(1, 2, 3)), 0);
    EXPECT_EQ(exactWindingNumber(TriMesh(), Vec3(1, 2, 3)), 0);
}

}  // namespace
}  // namespace sunder
