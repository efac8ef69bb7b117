#include "geometry/mesh/mass_properties.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/convex/convex_polytope.h"

namespace sunder {
namespace {

TriMesh boxMesh(const Vec3& min, const Vec3& max) { return toTriMesh(polytopeOf(Box3{min, max})); }

void expectTensorNear(const SymMat3& a, const SymMat3& b, double tolerance) {
    EXPECT_LT((a.matrix() - b.matrix()).cwiseAbs().maxCoeff(), tolerance);
}

TEST(MassProperties, Box) {
    const MassProperties body = massProperties(boxMesh(Vec3(1, 1, 1), Vec3(2, 3, 4)));
    EXPECT_NEAR(body.volume, 6, 1e-14);
    EXPECT_LT((body.centre - Vec3(1.5, 2, 2.5)).norm(), 1e-14);
    // V / 12 (b^2 + c^2)
    expectTensorNear(body.inertia, {6.0 / 12 * 13, 6.0 / 12 * 10, 6.0 / 12 * 5, 0, 0, 0}, 1e-13);
}

TEST(MassProperties, RightTetrahedron) {
    TriMesh mesh;
    mesh.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
        mesh.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
    };
    add(0, 2, 1);
    add(0, 1, 3);
    add(0, 3, 2);
    add(1, 2, 3);
    const MassProperties body = massProperties(mesh);
    EXPECT_NEAR(body.volume, 1.0 / 6, 1e-16);
    EXPECT_LT((body.centre - Vec3::Constant(0.25)).norm(), 1e-15);
    // about the centre: integral of x^2 is 1/60 - V/16 = 1/160, of x y is 1/120 - V/16 = -1/480
    expectTensorNear(body.inertia, {1.0 / 80, 1.0 / 80, 1.0 / 80, 1.0 / 480, 1.0 / 480, 1.0 / 480}, 1e-16);
    EXPECT_NEAR(volume(mesh), body.volume, 1e-16);
}

TEST(MassProperties, InsideOutIsNegativeAndFarAwayLosesNothing) {
    TriMesh mesh = boxMesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    const Vec3 offset(1 << 20, -(1 << 21), 1 << 22);
    const MassProperties far = massProperties(transformed(mesh, {Quat::Identity(), offset}));
    EXPECT_NEAR(far.volume, 1, 1e-14);
    EXPECT_LT((far.centre - offset - Vec3::Constant(0.5)).norm(), 1e-8);
    expectTensorNear(far.inertia, {1.0 / 6, 1.0 / 6, 1.0 / 6, 0, 0, 0}, 1e-14);
    flipOrientation(mesh);
    EXPECT_NEAR(massProperties(mesh).volume, -1, 1e-15);
    EXPECT_NEAR(volume(mesh), -1, 1e-15);
    EXPECT_EQ(massProperties({}).volume, 0);
}

TEST(MassProperties, TurnedBodyHasTheTurnedTensorAndTheSamePrincipalMoments) {
    const TriMesh mesh = boxMesh(Vec3(-1, -2, -3), Vec3(1, 2, 3));
    const Quat turn = Quat(0.3, -0.5, 0.7, 0.2).normalized();
    const MassProperties body = massProperties(mesh), turned = massProperties(transformed(mesh, {turn, Vec3(5, 6, 7)}));
    const Mat3 rotation = turn.toRotationMatrix();
    expectTensorNear(turned.inertia, SymMat3::from(rotation * body.inertia.matrix() * rotation.transpose()), 1e-11);

    const PrincipalFrame frame = principalFrame(turned.inertia);
    EXPECT_LT((frame.moments - Vec3(48.0 / 12 * 20, 48.0 / 12 * 40, 48.0 / 12 * 52)).norm(), 1e-11);
    const Mat3 axes = frame.rotation.toRotationMatrix();
    expectTensorNear(SymMat3::from(axes * frame.moments.asDiagonal() * axes.transpose()), turned.inertia, 1e-11);
}

TEST(MassProperties, PartsAddUpAboutOnePoint) {
    const MassProperties left = massProperties(boxMesh(Vec3(0, 0, 0), Vec3(1, 2, 3)));
    const MassProperties right = massProperties(boxMesh(Vec3(1, 0, 0), Vec3(4, 2, 3)));
    const MassProperties whole = massProperties(boxMesh(Vec3(0, 0, 0), Vec3(4, 2, 3)));
    const Vec3 point(7, -3, 2);
    expectTensorNear(inertiaAbout(left, point) + inertiaAbout(right, point), inertiaAbout(whole, point), 1e-11);
}

}  // namespace
}  // namespace sunder
