#include "io/exports/ready_pieces.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"
#include "io/exports/simplified.h"

namespace sunder {
namespace {

TEST(CollisionHull, HasFewCornersAndLosesLittle) {
    for (const char* name : {"sphere", "vase", "box"}) {
        const TriMesh mesh = makeShape(name, {}, 48);
        const TriMesh exact = collisionHull(mesh, 1'000'000), few = collisionHull(mesh, 32);
        EXPECT_TRUE(isClosedManifold(few)) << name;
        EXPECT_LE(few.vertexCount(), 32u) << name;
        EXPECT_LE(volume(few), volume(exact) * (1 + 1e-12)) << name << ": it is inside the true one";
        EXPECT_GT(volume(few), 0.8 * volume(exact)) << name;
    }
    EXPECT_EQ(volume(collisionHull(makeShape("box", {}, 8), 32)), 1);
}

TEST(CollisionHull, EndsWhereOnlyRoundingIsLeft) {
    // corners that are on faces of the hull of others, but for the last digits
    Random random(5, 1);
    for (int round = 0; round < 20; ++round) {
        TriMesh cloud;
        const Quat turn =
            Quat(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
                .normalized();
        for (int i = 0; i < 400; ++i) {
            Vec3 p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            p[i % 3] = i % 2 ? 1 : -1;
            cloud.positions.push_back(turn * p);
        }
        EXPECT_LE(collisionHull(cloud, 32).vertexCount(), 32u);
    }
}

TEST(CollisionHull, OfWhatIsFlatIsNone) {
    TriMesh flat;
    flat.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    flat.triangles.push_back({VertexIndex{0}, VertexIndex{1}, VertexIndex{2}});
    EXPECT_TRUE(collisionHull(flat, 32).empty());
}

TEST(Simplified, StaysClosedAndKeepsItsBorders) {
    // the upper half is called inside: the border between them stays a circle
    TriMesh ball = makeShape("sphere", {}, 64);
    ball.uvs = {};
    ball.normals = {};
    ball.inside.assign(ball.triangleCount(), 0);
    for (const TriangleIndex t : ball.triangles.indices()) {
        const auto [a, b, c] = ball.corners(t);
        ball.inside[t] = (a + b + c).y() > 0;
    }
    double before = 0;
    const auto areaInside = [](const TriMesh& mesh) {
        double area = 0;
        for (const TriangleIndex t : mesh.triangles.indices()) area += mesh.inside[t] * mesh.areaVector(t).norm() / 2;
        return area;
    };
    before = areaInside(ball);
    for (const size_t most : {5000u, 1000u, 200u}) {
        const TriMesh few = simplified(ball, most);
        EXPECT_TRUE(isClosedManifold(few)) << most;
        EXPECT_LE(few.triangleCount(), most);
        // corners stay on the ball, so it loses: with 200 triangles at best 6 %
        const double lost = most < 1000 ? 0.1 : 0.02;
        EXPECT_NEAR(volume(few), volume(ball), lost * volume(ball)) << most;
        EXPECT_NEAR(areaInside(few), before, lost * before) << most;
    }
    EXPECT_EQ(simplified(ball, ball.triangleCount()).triangleCount(), ball.triangleCount());
}

TEST(Simplified, KeepsSeamsOfUvs) {
    // u runs once around: no triangle may stretch over the seam
    const TriMesh vase = makeShape("vase", {}, 64);
    ASSERT_FALSE(vase.uvs.empty());
    const TriMesh few = simplified(vase, vase.triangleCount() / 5);
    EXPECT_LT(few.triangleCount(), vase.triangleCount() / 3);
    EXPECT_TRUE(isClosedManifold(few));
    EXPECT_EQ(few.uvs.size(), few.triangleCount());
    EXPECT_EQ(few.normals.size(), few.triangleCount());
    for (const auto& uv : few.uvs) {
        const double widest = std::max({uv[0].x(), uv[1].x(), uv[2].x()}) - std::min({uv[0].x(), uv[1].x(), uv[2].x()});
        EXPECT_LT(widest, 0.5);
    }
}

}  // namespace
}  // namespace sunder
