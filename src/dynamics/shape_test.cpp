#include "dynamics/shape.h"

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/convex/voronoi.h"
#include "geometry/mesh/topology.h"

namespace sunder::dynamics {

namespace {

constexpr double kPi = std::numbers::pi;

Quat randomRotation(Random& random) {
    return Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}
Vec3 randomPoint(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size), z = random.uniform(-size, size);
    return {x, y, z};
}
std::vector<Vec3> randomPoints(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<Vec3> points;
    for (size_t i = 0; i < count; ++i) points.push_back(randomPoint(random, 1));
    return points;
}

/// The shape's numbers are those of its mesh, centred and along the axes.
void expectMassOfMesh(const Shape& shape, double tolerance) {
    const MassProperties mass = massProperties(shape.mesh());
    const double size = shape.radius();
    EXPECT_NEAR(mass.volume, shape.volume(), tolerance * shape.volume());
    EXPECT_LT(mass.centre.norm(), tolerance * size);
    const Mat3 expected = shape.moments().asDiagonal();
    EXPECT_LT((mass.inertia.matrix() - expected).cwiseAbs().maxCoeff(), tolerance * shape.moments().maxCoeff());
}

/// Edges lie between two faces and carry their normals; loops are flat and turn the right way; padding repeats.
void expectSoundCore(const ConvexCore& core) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> faceOfSide;
    for (uint32_t f = 0; f < core.faces.size(); ++f) {
        const ConvexCore::Face& face = core.faces[f];
        ASSERT_GE(face.cornerCount, 3u);
        EXPECT_NEAR(face.normal.norm(), 1, 1e-6);
        for (int v = 0; v < core.vertexCount; ++v)
            EXPECT_LE(face.normal.dot(core.vertex(v)) - face.offset, 4e-6f * core.coreRadius);
        for (uint32_t i = 0; i < face.cornerCount; ++i) {
            const uint32_t a = core.corners[face.firstCorner + i];
            const uint32_t b = core.corners[face.firstCorner + (i + 1) % face.cornerCount];
            EXPECT_TRUE(faceOfSide.emplace(std::pair(a, b), f).second);
            EXPECT_NEAR(face.normal.dot(core.vertex(static_cast<int>(a))), face.offset, 4e-6f * core.coreRadius);
        }
    }
    ASSERT_EQ(faceOfSide.size(), 2 * static_cast<size_t>(core.edges.count));
    EXPECT_EQ(core.vertexCount - core.edges.count + static_cast<int>(core.faces.size()), 2);
    EXPECT_EQ(core.x.size() % 8, 0u);
    EXPECT_EQ(core.edges.x.size() % 8, 0u);
    EXPECT_EQ(core.edges.n2z.size(), core.edges.x.size());
    for (size_t v = static_cast<size_t>(core.vertexCount); v < core.x.size(); ++v) EXPECT_EQ(core.x[v], core.x[0]);
    for (size_t e = 0; e < static_cast<size_t>(core.edges.count); ++e) {
        const uint32_t a = core.edges.first[e], b = core.edges.second[e];
        const Vec3f n1(core.edges.n1x[e], core.edges.n1y[e], core.edges.n1z[e]);
        const Vec3f n2(core.edges.n2x[e], core.edges.n2y[e], core.edges.n2z[e]);
        EXPECT_EQ(n1, core.faces[faceOfSide.at({a, b})].normal);
        EXPECT_EQ(n2, core.faces[faceOfSide.at({b, a})].normal);
        EXPECT_NE(n1, n2);
    }
}

}  // namespace

TEST(Shape, PrimitivesHaveTextbookMass) {
    const ShapePtr sphere = makeSphere(0.3);
    EXPECT_NEAR(sphere->volume(), 4.0 / 3 * kPi * 0.027, 1e-15);
    EXPECT_NEAR(sphere->moments().x(), 0.4 * sphere->volume() * 0.09, 1e-15);
    EXPECT_EQ(sphere->thickness(), 0.3);

    const ShapePtr box = makeBox({1, 2, 3});
    EXPECT_NEAR(box->volume(), 6, 1e-14);
    EXPECT_NEAR(box->moments().x(), 6 * 13 / 12.0, 1e-14);
    EXPECT_NEAR(box->moments().y(), 6 * 10 / 12.0, 1e-14);
    EXPECT_NEAR(box->moments().z(), 6 * 5 / 12.0, 1e-14);
    EXPECT_EQ(box->thickness(), 0.5);
    expectMassOfMesh(*box, 1e-6);

    const ShapePtr cylinder = makeCylinder(0.2, 1);
    EXPECT_NEAR(cylinder->moments().y(), 0.5 * cylinder->volume() * 0.04, 1e-15);
    // the prism that touches others has the same volume
    const ConvexCore& prism = *cylinder->convex();
    EXPECT_EQ(prism.faces.size(), 34u);
    TriMesh mesh;
    for (int v = 0; v < prism.vertexCount; ++v) mesh.positions.push_back(prism.vertex(v).cast<double>());
    for (const auto& face : prism.faces) {
        const uint32_t* loop = &prism.corners[face.firstCorner];
        for (uint32_t i = 1; i + 1 < face.cornerCount; ++i)
            mesh.triangles.push_back({VertexIndex{loop[0]}, VertexIndex{loop[i]}, VertexIndex{loop[i + 1]}});
    }
    EXPECT_NEAR(volume(mesh), cylinder->volume(), 1e-6 * cylinder->volume());
    expectSoundCore(prism);
    expectSoundCore(*box->convex());
}

TEST(Shape, RoundSolidsMatchTheirFineMeshes) {
    // a 48-gon has 0.3 % less area than its circle, and less of its moments
    for (const ShapePtr& shape :
         {makeSphere(0.5), makeCapsule(0.2, 0.7), makeCapsule(1, 0.01), makeCylinder(0.3, 0.8)}) {
        EXPECT_TRUE(isClosedManifold(shape->mesh()));
        expectMassOfMesh(*shape, 0.015);
        EXPECT_GT(volume(shape->mesh()), 0.99 * shape->volume());
        EXPECT_LT(volume(shape->mesh()), shape->volume());
    }
}

TEST(Shape, HullOfMovedBoxIsThatBox) {
    Random random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const RigidTransform pose{randomRotation(random), randomPoint(random, trial < 100 ? 1 : 1000)};
        const Vec3 size(1, 0.5, 0.2);
        std::vector<Vec3> points;
        for (const Vec3& p : polytopeOf(Box3{-0.5 * size, 0.5 * size}).vertices) points.push_back(pose * p);
        const ShapePtr hull = makeHull(points);
        ASSERT_EQ(hull->convex()->faces.size(), 6u);
        ASSERT_EQ(hull->convex()->edges.count, 12);
        expectSoundCore(*hull->convex());
        EXPECT_NEAR(hull->volume(), 0.1, 1e-9);
        EXPECT_NEAR(hull->thickness(), 0.1, 1e-9);
        EXPECT_NEAR(hull->innerRadius(), 0.1, 1e-6);
        // ascending moments: x is the longest side
        EXPECT_NEAR(hull->moments().x(), 0.1 * 0.29 / 12, 1e-9);
        EXPECT_NEAR(hull->moments().z(), 0.1 * 1.25 / 12, 1e-9);
        EXPECT_LT((hull->bodyFromGiven() * pose.translation).norm(), 1e-9);
        for (const Vec3& p : points) {
            const Vec3 q = (hull->bodyFromGiven() * p).cwiseAbs();
            EXPECT_LT((q - 0.5 * size).norm(), 1e-9);
        }
    }
}

TEST(Shape, HullsKeepMassAndFrame) {
    for (uint64_t i = 0; i < 300; ++i) {
        const ConvexPolytope fragment = convexFragment(3, i);
        const ShapePtr hull = makeHull(fragment);
        EXPECT_EQ(hull->convex()->faces.size(), fragment.faces.size());
        EXPECT_EQ(static_cast<size_t>(hull->convex()->vertexCount), fragment.vertices.size());
        expectSoundCore(*hull->convex());
        expectMassOfMesh(*hull, 3e-6);
        EXPECT_NEAR(hull->volume(), volume(fragment), 1e-9 * hull->volume());
        EXPECT_LE(hull->innerRadius(), hull->thickness());
        EXPECT_GE(hull->radius(), hull->thickness());
    }
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const ShapePtr hull = makeHull(randomPoints(seed, 500));
        expectSoundCore(*hull->convex());
        expectMassOfMesh(*hull, 3e-6);
    }
}

TEST(Shape, VoronoiCellsHavePolygonFaces) {
    const std::vector<Vec3> sites = randomPoints(5, 200);
    const VoronoiDiagram diagram = voronoi(sites, Box3{Vec3::Constant(-1), Vec3::Constant(1)});
    for (uint32_t s = 0; s < sites.size(); ++s) {
        const ConvexPolytope cell = diagram.cell(SiteIndex{s});
        const ShapePtr hull = makeHull(cell);
        expectSoundCore(*hull->convex());
        EXPECT_LE(hull->convex()->faces.size(), cell.faces.size());
        EXPECT_GE(hull->convex()->faces.size() + 2, cell.faces.size());  // a face may be smaller than the tolerance
    }
}

TEST(Shape, CellsOfNearlyRegularLatticesAreSound) {
    // cubes and hexagonal cells whose corners fall apart by every size of noise around the tolerance
    for (const double noise : {0.0, 1e-13, 1e-10, 1e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-4}) {
        for (const bool shifted : {false, true}) {
            Random random(17);
            std::vector<Vec3> sites;
            for (int i = 0; i < 5; ++i)
                for (int j = 0; j < 5; ++j)
                    for (int k = 0; k < 5; ++k)
                        sites.push_back(Vec3(i + (shifted ? 0.5 * (j + k) : 0), j, k) + randomPoint(random, noise));
            const VoronoiDiagram diagram =
                voronoi(sites, Box3{Vec3::Constant(-0.5), Vec3(shifted ? 8.5 : 4.5, 4.5, 4.5)});
            double total = 0;
            for (uint32_t site = 0; site < sites.size(); ++site) {
                const ConvexPolytope cell = diagram.cell(SiteIndex{site});
                const ShapePtr known = makeHull(cell), fromPoints = makeHull(cell.vertices);
                expectSoundCore(*known->convex());
                expectSoundCore(*fromPoints->convex());
                EXPECT_NEAR(known->volume(), volume(cell), 1e-4 * known->volume());
                EXPECT_NEAR(fromPoints->volume(), volume(cell), 1e-4 * known->volume());
                if (!shifted) {
                    EXPECT_LE(known->convex()->faces.size(), 26u);
                }
                if (!shifted && noise < 1e-7) {
                    EXPECT_EQ(known->convex()->faces.size(), 6u);
                }
                total += known->volume();
            }
            EXPECT_NEAR(total, shifted ? 225 : 125, 1e-3);
            if (HasFailure()) FAIL() << "noise " << noise << " shifted " << shifted;
        }
    }
}

TEST(Shape, NearlyFlatPointsStaySound) {
    // a disc with noise of every size around the tolerance
    Random random(11);
    for (const double noise : {0.0, 1e-12, 1e-9, 1e-7, 5e-7, 1e-6, 2e-6, 1e-5, 1e-3}) {
        std::vector<Vec3> points;
        for (int i = 0; i < 300; ++i) {
            const double angle = random.uniform(0, 2 * kPi), r = std::sqrt(random.uniform());
            for (const double y : {-0.1, 0.1})
                points.emplace_back(r * std::cos(angle), y + noise * random.normal(), r * std::sin(angle));
        }
        const ShapePtr hull = makeHull(points);
        expectSoundCore(*hull->convex());
        expectMassOfMesh(*hull, 1e-5);
    }
}

TEST(Shape, BoundsHoldTheSurfaceTightly) {
    Random random(2);
    const std::vector<PlacedShape> pieces{{makeSphere(0.3), {Quat::Identity(), {1, 0, 0}}},
                                          {makeCylinder(0.1, 1), {randomRotation(random), {0, 1, 0}}}};
    const std::vector<ShapePtr> shapes{makeSphere(0.5),
                                       makeBox({1, 2, 3}),
                                       makeCapsule(0.2, 1),
                                       makeCylinder(0.4, 0.2),
                                       makeHull(convexFragment(1, 1)),
                                       makeCompound(pieces)};
    for (const ShapePtr& shape : shapes) {
        for (int trial = 0; trial < 100; ++trial) {
            const RigidTransform pose{randomRotation(random), randomPoint(random, 100)};
            const Box3 outer = shape->bounds(pose), inner = boundsOf(transformed(shape->mesh(), pose));
            const double size = shape->radius();
            EXPECT_TRUE((outer.min.array() <= inner.min.array()).all());
            EXPECT_TRUE((outer.max.array() >= inner.max.array()).all());
            EXPECT_LT((outer.max - inner.max).maxCoeff(), 0.01 * size);
            EXPECT_LT((inner.min - outer.min).maxCoeff(), 0.01 * size);
        }
    }
    const Box3 ground = makeHalfSpace()->bounds({Quat::Identity(), {3, 4, 5}});
    EXPECT_EQ(ground.max.y(), 4);
    EXPECT_TRUE(std::isinf(ground.min.y()) && std::isinf(ground.max.x()));
}

TEST(Shape, CompoundOfHalvesIsTheWhole) {
    Random random(4);
    const RigidTransform pose{randomRotation(random), {3, -2, 1}};
    const ShapePtr half = makeBox({0.5, 0.6, 0.7});
    const std::vector<PlacedShape> parts{{half, pose * RigidTransform{Quat::Identity(), {-0.25, 0, 0}}},
                                         {half, pose * RigidTransform{Quat::Identity(), {0.25, 0, 0}}}};
    const ShapePtr compound = makeCompound(parts);
    const ShapePtr whole = makeBox({1, 0.6, 0.7});
    EXPECT_NEAR(compound->volume(), whole->volume(), 1e-12);
    EXPECT_NEAR(compound->moments().x(), whole->moments().x(), 1e-12);
    EXPECT_NEAR(compound->moments().y(), whole->moments().z(), 1e-12);  // ascending
    EXPECT_LT((compound->bodyFromGiven() * pose.translation).norm(), 1e-12);
    expectMassOfMesh(*compound, 1e-6);
    EXPECT_GE(compound->radius(), whole->radius() - 1e-12);

    // parts that are themselves off their given frame
    const ShapePtr wedge = makeHull(randomPoints(3, 12));
    const std::vector<PlacedShape> wedges{{wedge, pose}, {wedge, {randomRotation(random), {4, 0, 0}}}};
    expectMassOfMesh(*makeCompound(wedges), 3e-6);
    EXPECT_LT(
        (makeCompound(wedges)->bodyFromGiven() * pose * wedges[0].shape->bodyFromGiven().inverse()).translation.norm(),
        makeCompound(wedges)->radius());
}

TEST(Shape, RefusesWhatIsNoSolid) {
    const double nan = std::nan("");
    EXPECT_THROW(makeSphere(0), std::invalid_argument);
    EXPECT_THROW(makeSphere(nan), std::invalid_argument);
    EXPECT_THROW(makeBox({1, -1, 1}), std::invalid_argument);
    EXPECT_THROW(makeCapsule(1, 0), std::invalid_argument);
    EXPECT_THROW(makeCylinder(std::numeric_limits<double>::infinity(), 1), std::invalid_argument);
    EXPECT_THROW(makeHull(std::vector<Vec3>{}), std::invalid_argument);
    EXPECT_THROW(makeHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), std::invalid_argument);
    EXPECT_THROW(makeHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-8}}), std::invalid_argument);
    EXPECT_THROW(makeHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 1, 1}}), std::invalid_argument);
    EXPECT_THROW(makeCompound({}), std::invalid_argument);
    EXPECT_THROW(makeCompound(std::vector<PlacedShape>{{makeHalfSpace(), {}}}), std::invalid_argument);
}

}  // namespace sunder::dynamics
