#include "geometry/convex/half_space_intersection.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"

namespace sunder {
namespace {

Vec3 randomDirection(Random& random) {
    for (;;) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const Vec3 v(x, y, z);
        if (v.squaredNorm() < 1 && v.squaredNorm() > 0.01) return v.normalized();
    }
}

std::vector<Plane> boxPlanes(const Box3& box) {
    std::vector<Plane> planes;
    for (const ConvexPolytope::Face& face : polytopeOf(box).faces) planes.push_back(face.surface);
    return planes;
}

void expectSolid(const ConvexPolytope& polytope) {
    const TriMesh mesh = toTriMesh(polytope);
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_GT(volume(polytope), 0);
    EXPECT_NEAR(volume(mesh), volume(polytope), 1e-13 * volume(polytope));
    // Euler, with polygons
    size_t corners = 0;
    for (const auto& face : polytope.faces) corners += face.cornerCount;
    EXPECT_EQ(polytope.vertices.size() + polytope.faces.size(), corners / 2 + 2);
}

TEST(HalfSpaces, SixPlanesMakeABox) {
    const Box3 box{Vec3(-1, 0, 2), Vec3(1, 3, 5)};
    const HalfSpaceIntersection result = intersectHalfSpaces(boxPlanes(box));
    ASSERT_EQ(result.status, IntersectionStatus::Bounded);
    EXPECT_EQ(result.polytope.vertices.size(), 8u);
    EXPECT_EQ(result.polytope.faces.size(), 6u);
    EXPECT_DOUBLE_EQ(volume(result.polytope), 18);
    EXPECT_LT((centreOf(result.polytope) - Vec3(0, 1.5, 3.5)).norm(), 1e-15);
    expectSolid(result.polytope);
    for (uint32_t f = 0; f < 6; ++f) EXPECT_EQ(result.polytope.faces[f].plane, f);
}

TEST(HalfSpaces, FourPlanesThroughEveryCornerMakeAnOctahedron) {
    std::vector<Plane> planes;
    for (int i = 0; i < 8; ++i) planes.push_back({Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), 1});
    const HalfSpaceIntersection result = intersectHalfSpaces(planes);
    ASSERT_EQ(result.status, IntersectionStatus::Bounded);
    EXPECT_EQ(result.polytope.vertices.size(), 6u);
    EXPECT_EQ(result.polytope.faces.size(), 8u);
    EXPECT_NEAR(volume(result.polytope), 4.0 / 3, 1e-15);
    expectSolid(result.polytope);
}

TEST(HalfSpaces, RedundantRepeatedAndTouchingPlanesChangeNothing) {
    std::vector<Plane> planes = boxPlanes({Vec3(0, 0, 0), Vec3(1, 1, 1)});
    planes.push_back(planes[1]);                  // repeated
    planes.push_back({3 * planes[1].normal, 3});  // the same in other units
    planes.push_back({Vec3(1, 0, 0), 7});         // far away
    planes.push_back({Vec3(1, 1, 0), 2});         // touches an edge
    planes.push_back({Vec3(1, 1, 1), 3});         // touches a corner
    const HalfSpaceIntersection result = intersectHalfSpaces(planes);
    ASSERT_EQ(result.status, IntersectionStatus::Bounded);
    EXPECT_EQ(result.polytope.vertices.size(), 8u);
    EXPECT_EQ(result.polytope.faces.size(), 6u);
    EXPECT_DOUBLE_EQ(volume(result.polytope), 1);
    expectSolid(result.polytope);
    for (uint32_t f = 0; f < 6; ++f) EXPECT_EQ(result.polytope.faces[f].plane, f);
}

TEST(HalfSpaces, NothingFlatAndOpenAreToldApart) {
    EXPECT_EQ(intersectHalfSpaces({}).status, IntersectionStatus::Unbounded);
    std::vector<Plane> planes = boxPlanes({Vec3(0, 0, 0), Vec3(1, 1, 1)});
    planes.pop_back();
    EXPECT_EQ(intersectHalfSpaces(planes).status, IntersectionStatus::Unbounded);
    planes.push_back({Vec3(0, 0, 1), 0});  // z <= 0 and z >= 0
    EXPECT_EQ(intersectHalfSpaces(planes).status, IntersectionStatus::Empty);
    planes.push_back({Vec3(0, 0, 1), -1});
    EXPECT_EQ(intersectHalfSpaces(planes).status, IntersectionStatus::Empty);
}

TEST(HalfSpaces, TangentPlanesOfASphereMeetNearItAtAnyScale) {
    Random random(31);
    for (const double scale : {1e-9, 1.0, 1e9}) {
        for (int round = 0; round < 20; ++round) {
            std::vector<Plane> planes;
            for (int i = 0; i < 200; ++i) planes.push_back({randomDirection(random), scale});
            const HalfSpaceIntersection result = intersectHalfSpaces(planes);
            ASSERT_EQ(result.status, IntersectionStatus::Bounded);
            expectSolid(result.polytope);
            EXPECT_EQ(result.polytope.faces.size(), 200u);  // a tangent plane always keeps its touching point
            const double sphere = 4 * M_PI / 3 * scale * scale * scale;
            EXPECT_GT(volume(result.polytope), sphere);
            EXPECT_LT(volume(result.polytope), 1.1 * sphere);
            for (const auto& face : result.polytope.faces) {
                for (const uint32_t v : result.polytope.loop(face)) {
                    EXPECT_NEAR(face.surface.height(result.polytope.vertices[v]), 0, 1e-13 * scale);
                }
            }
        }
    }
}

TEST(HalfSpaces, ClippingHalvesAddUp) {
    Random random(32);
    ConvexPolytope whole = polytopeOf(Box3{Vec3(0, 0, 0), Vec3(1, 2, 3)});
    for (int i = 0; i < 200; ++i) {
        const Vec3 n = randomDirection(random);
        const Vec3 p(random.uniform(), 2 * random.uniform(), 3 * random.uniform());
        const Plane plane = Plane::through(p, n);
        const ConvexPolytope kept = clip(whole, plane, 77), rest = clip(whole, {-plane.normal, -plane.offset}, 78);
        EXPECT_NEAR(volume(kept) + volume(rest), 6, 1e-12);
        EXPECT_EQ(kept.faces.back().plane, 77u);
        expectSolid(kept);
    }
    // again and again: pieces of pieces
    ConvexPolytope piece = whole;
    for (int i = 0; i < 40; ++i) {
        const ConvexPolytope next = clip(piece, Plane::through(centreOf(piece), randomDirection(random)), 100);
        EXPECT_LT(volume(next), volume(piece));
        expectSolid(next);
        piece = next;
    }
    EXPECT_TRUE(clip(whole, {Vec3(1, 0, 0), -5}).empty());
    EXPECT_EQ(clip(whole, {Vec3(1, 0, 0), 5}).faces.size(), 6u);
}

TEST(HalfSpaces, FacesTurnOutward) {
    const ConvexPolytope box = polytopeOf(Box3{Vec3(0, 0, 0), Vec3(1, 2, 3)});
    EXPECT_DOUBLE_EQ(volume(box), 6);
    expectSolid(box);
}

}  // namespace
}  // namespace sunder
