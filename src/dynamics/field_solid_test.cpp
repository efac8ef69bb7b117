#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamics/detail/narrow/test_solids.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::dynamics {
namespace {

using detail::boxMesh;
using detail::cubesMesh;

std::string refusal(const TriMesh& mesh) {
    try {
        makeFieldSolid(mesh);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "";
}

TEST(FieldSolid, RefusesWhatIsNoSolidWithASentence) {
    EXPECT_NE(refusal({}).find("no triangles"), std::string::npos);
    TriMesh open = boxMesh({1, 1, 1});
    open.triangles.resize(open.triangleCount() - 1);
    EXPECT_NE(refusal(open).find("not closed, 3 of"), std::string::npos) << refusal(open);
    TriMesh insideOut = boxMesh({1, 1, 1});
    flipOrientation(insideOut);
    EXPECT_NE(refusal(insideOut).find("inside out"), std::string::npos);
    TriMesh flat = boxMesh({1, 1, 1});
    for (Vec3& p : flat.positions) p.y() = 0;
    EXPECT_NE(refusal(flat).find("no volume"), std::string::npos);
    TriMesh infinite = boxMesh({1, 1, 1});
    infinite.positions[VertexIndex{3}].x() = std::numeric_limits<double>::infinity();
    EXPECT_NE(refusal(infinite).find("not finite"), std::string::npos);
}

TEST(FieldSolid, BoxHasTheMassOfABoxWhereverItWasGiven) {
    const Vec3 size(0.1, 0.2, 0.4);
    const RigidTransform given{Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())), Vec3(5, -3, 2)};
    const ShapePtr shape = makeFieldSolid(transformed(boxMesh(size), given));
    EXPECT_NEAR(shape->volume(), size.prod(), 1e-12);
    Vec3 moments = shape->moments();
    std::sort(moments.data(), moments.data() + 3);
    const double v = size.prod() / 12;
    EXPECT_NEAR(moments[0], v * (0.01 + 0.04), 1e-12);
    EXPECT_NEAR(moments[1], v * (0.01 + 0.16), 1e-12);
    EXPECT_NEAR(moments[2], v * (0.04 + 0.16), 1e-12);
    EXPECT_NEAR((shape->bodyFromGiven() * given.translation).norm(), 0, 1e-12);
    EXPECT_NEAR(shape->radius(), 0.5 * size.norm(), 1e-9);
    EXPECT_NEAR(shape->thickness(), 0.05, 1e-6);
    EXPECT_GT(shape->innerRadius(), 0.03);
    EXPECT_LE(shape->innerRadius(), 0.05);
    // one grid cell around sixteen: the tight frame was chosen in spite of the turn
    EXPECT_LE(shape->field()->field.points()[0] * shape->field()->field.points()[1] * shape->field()->field.points()[2],
              19 * 11 * 7);
}

TEST(FieldSolid, CornersOfABoxAreAmongItsParticles) {
    const Vec3 size(0.3, 0.2, 0.1);
    const ShapePtr shape = makeFieldSolid(boxMesh(size));
    const FieldSolid& solid = *shape->field();
    EXPECT_GE(solid.particleCount, 64u);
    EXPECT_LE(solid.particleCount, 136u);
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3f p = (shape->bodyFromGiven() * Vec3(0.5 * size.x() * (corner & 1 ? 1 : -1),
                                                       0.5 * size.y() * (corner & 2 ? 1 : -1),
                                                       0.5 * size.z() * (corner & 4 ? 1 : -1)))
                            .cast<float>();
        float nearest = 1;
        for (const FieldSolid::Cluster& c : solid.clusters) {
            for (size_t i = 0; i < 8; ++i) nearest = std::min(nearest, (Vec3f(c.x[i], c.y[i], c.z[i]) - p).norm());
        }
        EXPECT_LT(nearest, 1e-6);
    }
    EXPECT_LT(solid.bulge, 1e-9);
}

float farthest(const FieldSolid& solid) {
    float radius = 0;
    for (const FieldSolid::Cluster& c : solid.clusters) {
        for (size_t i = 0; i < 8; ++i) radius = std::max(radius, Vec3f(c.x[i], c.y[i], c.z[i]).norm());
    }
    return radius;
}

TEST(FieldSolid, AManyCorneredSolidKeepsThemAll) {
    FieldOptions options;
    options.particles = 8;
    const ShapePtr shape = makeFieldSolid(makeShape("star"), options);
    EXPECT_GE(shape->field()->particleCount, 10u);  // ten tips
    EXPECT_NEAR(farthest(*shape->field()), shape->radius(), 1e-6);
}

TEST(FieldSolid, NothingStandsOutBetweenTheParticles) {
    for (const char* name : {"animal", "figure", "vase", "sphere", "moebius_band", "gyroid_block"}) {
        const ShapePtr shape = makeFieldSolid(makeShape(name, {}, 64));
        EXPECT_LT(shape->field()->bulge, 0.015 * shape->radius()) << name;
        EXPECT_LT(shape->field()->particleCount, 400u) << name;
    }
}

TEST(FieldSolid, WhatItsCornersSpanNeedsNoMore) {
    EXPECT_LE(makeFieldSolid(makeShape("star", {}, 64))->field()->particleCount, 136u);  // all its tips are corners
}

std::vector<TriMesh> variousMeshes() {
    std::vector<TriMesh> meshes{boxMesh({0.3, 0.2, 0.1}), makeShape("sphere"), makeShape("torus"),
                                makeShape("star"),        makeShape("goblet"), makeShape("cone"),
                                boxMesh({0.3, 0.3, 0.02})};
    for (const ConcaveKind kind : {ConcaveKind::Corner, ConcaveKind::Crescent, ConcaveKind::Notched}) {
        for (uint64_t i = 0; i < 5; ++i) meshes.push_back(concaveFragment(kind, 1, i));
    }
    return meshes;
}

TEST(FieldSolid, ParticlesLieOnTheSurfaceInsideTheirBalls) {
    for (const TriMesh& mesh : variousMeshes()) {
        const ShapePtr shape = makeFieldSolid(mesh);
        const FieldSolid& solid = *shape->field();
        ASSERT_EQ(solid.clusters.size(), (solid.particleCount + 7) / 8);
        for (size_t c = 0; c < solid.clusters.size(); ++c) {
            const auto& ball = solid.balls[c / 8];
            for (size_t i = 0; i < 8; ++i) {
                const Vec3f p(solid.clusters[c].x[i], solid.clusters[c].y[i], solid.clusters[c].z[i]);
                const Vec3f centre(ball.x[c % 8], ball.y[c % 8], ball.z[c % 8]);
                ASSERT_LE((p - centre).norm(), ball.radius[c % 8]);
                ASSERT_LT(std::sqrt(solid.tree->closestPoint(p.cast<double>()).squaredDistance),
                          1e-6 * shape->radius());
            }
        }
    }
}

TEST(FieldSolid, FieldAgreesWithTheMesh) {
    Random random(4);
    for (const TriMesh& mesh : variousMeshes()) {
        const ShapePtr shape = makeFieldSolid(mesh);
        const FieldSolid& solid = *shape->field();
        const CompactField& field = solid.field;
        // the lattice, but for a sliver at its rim
        const RigidTransform bodyFromLattice = field.latticeFromBody().inverse();
        const Box3 box = field.solid().expanded(0.9 * field.cellSize());
        double worst = 0;
        for (int i = 0; i < 2000; ++i) {
            const Vec3 inBox(random.uniform(), random.uniform(), random.uniform());
            const Vec3 p = bodyFromLattice * (box.min + inBox.cwiseProduct(box.size()));
            const double exact = std::sqrt(solid.tree->closestPoint(p).squaredDistance);
            worst = std::max(worst, std::abs(std::abs(field.value(p)) - exact));
        }
        EXPECT_LT(worst, 0.75 * field.cellSize());
    }
}

TEST(FieldSolid, BoundsHoldTheWholeSurface) {
    Random random(5);
    for (const TriMesh& mesh : variousMeshes()) {
        const ShapePtr shape = makeFieldSolid(mesh);
        const Quat turn(
            Eigen::AngleAxisd(random.uniform(0, 6), Vec3(random.normal(), 1, random.normal()).normalized()));
        const RigidTransform pose{turn, Vec3(1, 2, 3)};
        const Box3 box = shape->bounds(pose);
        for (const Vec3& p : shape->field()->surface.positions) ASSERT_TRUE(box.contains(pose * p));
        // and is not much larger than it
        const Box3 tight = boundsOf(transformed(shape->field()->surface, pose));
        EXPECT_LT((box.size() - tight.size()).maxCoeff(), 2 * shape->field()->field.cellSize());
    }
}

TEST(FieldSolid, AThinPlateIsSolid) {
    const ShapePtr shape = makeFieldSolid(boxMesh({0.3, 0.01, 0.3}));
    EXPECT_LT(shape->field()->field.value({0.02, 0.001, 0.01}), -0.002);
    EXPECT_LT(shape->field()->field.cellSize(), 0.01);
}

TEST(FieldSolid, AGivenGridGivesTheSameFieldAsOurOwn) {
    const TriMesh mesh = concaveFragment(ConcaveKind::Corner, 3, 1);
    const double cell = 0.01;
    const ShapePtr own = makeFieldSolid(mesh, {.cellSize = cell});
    const ShapePtr given = makeFieldSolid(mesh, gridFromMesh(mesh, cell));
    Random random(6);
    for (int i = 0; i < 1000; ++i) {
        const Box3 box = boundsOf(own->field()->surface);
        const Vec3 p = box.min + Vec3(random.uniform(), random.uniform(), random.uniform()).cwiseProduct(box.size());
        const double value = own->field()->field.value(p);
        if (std::abs(value) > 2 * cell) continue;
        EXPECT_NEAR(value, given->field()->field.value(p), 0.6 * cell);
    }
}

TEST(FieldSolid, TheSameMeshGivesTheSameSolid) {
    const TriMesh mesh = concaveFragment(ConcaveKind::Crescent, 3, 1);
    const ShapePtr first = makeFieldSolid(mesh), second = makeFieldSolid(mesh);
    ASSERT_EQ(first->field()->clusters.size(), second->field()->clusters.size());
    for (size_t c = 0; c < first->field()->clusters.size(); ++c)
        EXPECT_EQ(first->field()->clusters[c].x, second->field()->clusters[c].x);
    EXPECT_EQ(first->field()->field.value({0.01, 0.02, 0.03}), second->field()->field.value({0.01, 0.02, 0.03}));
}

TEST(FieldSolid, NineThousandFragmentsWouldFitInThreeHundredMegabytes) {
    size_t bytes = 0, largest = 0;
    constexpr size_t count = 60;
    for (size_t i = 0; i < count; ++i) {
        const ShapePtr shape = makeFieldSolid(concaveFragment(static_cast<ConcaveKind>(i % 3), 2, i));
        const FieldSolid& solid = *shape->field();
        const size_t own =
            sizeof(Shape) + solid.field.memoryBytes() + solid.clusters.size() * sizeof(FieldSolid::Cluster) +
            solid.balls.size() * sizeof(FieldSolid::BallGroup) + solid.surface.vertexCount() * sizeof(Vec3) +
            solid.surface.triangleCount() * (sizeof(Triangle) + 160);  // with its tree
        bytes += own;
        largest = std::max(largest, own);
    }
    std::printf("bytes per fragment: mean %zu, largest %zu; 9,000: %.0f MB\n", bytes / count, largest,
                9000.0 * static_cast<double>(bytes) / count / 1e6);
    EXPECT_LT(9000.0 * static_cast<double>(bytes) / count, 200e6);
}

}  // namespace
}  // namespace sunder::dynamics
