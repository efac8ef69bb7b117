#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamics/detail/narrow/field_kernels.h"
#include "dynamics/detail/narrow/manifold_reduction.h"
#include "dynamics/detail/narrow/test_solids.h"
#include "geometry/convex/fragment_generator.h"
#include "geometry/shapes/shapes.h"
#include "io/mesh/mesh_io.h"

namespace sunder::dynamics::detail {
namespace {

Quat randomTurn(Random& random) {
    return Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}
Vec3 randomDirection(Random& random) { return Vec3(random.normal(), random.normal(), random.normal()).normalized(); }

double cellOf(const Shape& shape) { return shape.field()->field.cellSize(); }

/// Extent of a manifold's points along a direction, m.
double spread(const Manifold& m, const Vec3& along) {
    double low = 1e30, high = -1e30;
    for (size_t i = 0; i < static_cast<size_t>(m.count); ++i) {
        const double x = m.points[i].fromA.cast<double>().dot(along);
        low = std::min(low, x), high = std::max(high, x);
    }
    return high - low;
}

// --- two roads: boxes as meshes, and as boxes

struct Kinds {
    ShapePtr a, b;
};

TEST(CollideFields, BoxOnBoxAsWithExactBoxes) {
    const Vec3 sizeA(0.4, 0.1, 0.4), sizeB(0.2, 0.15, 0.16);
    const double overlap = 0.002;
    for (const Kinds& kinds : {Kinds{makeFieldSolid(boxMesh(sizeA)), makeFieldSolid(boxMesh(sizeB))},
                               Kinds{makeFieldSolid(boxMesh(sizeA)), makeBox(sizeB)},
                               Kinds{makeBox(sizeA), makeFieldSolid(boxMesh(sizeB))}}) {
        for (const double yaw : {0.0, 0.3, 1.0}) {
            const RigidTransform poseB{Quat(Eigen::AngleAxisd(yaw, Vec3::UnitY())), {0.02, 0.125 - overlap, -0.01}};
            const PairPose pose = pairPose(*kinds.a, {}, *kinds.b, poseB);
            const std::vector<Manifold> found = collided(*kinds.a, *kinds.b, pose, 0.001);

            const ShapePtr boxA = makeBox(sizeA), boxB = makeBox(sizeB);
            const std::vector<Manifold> exact = collided(*boxA, *boxB, pairPose(*boxA, {}, *boxB, poseB), 0.001);
            ASSERT_EQ(exact.size(), 1u);
            ASSERT_EQ(found.size(), 1u) << "yaw " << yaw;
            EXPECT_EQ(found[0].count, 4);
            EXPECT_GT(found[0].normal.dot(exact[0].normal), 0.9999);
            for (size_t i = 0; i < 4; ++i) {
                EXPECT_NEAR(found[0].points[i].separation, -overlap, 1e-5);
                EXPECT_NEAR(found[0].points[i].fromA.y(), 0.05 - 0.5 * overlap, 1e-4);
            }
            for (const Vec3& along : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitZ())})
                EXPECT_NEAR(spread(found[0], along), spread(exact[0], along), 1e-3);
        }
    }
}

TEST(CollideFields, ATiltedBoxStandsOnItsCorner) {
    const ShapePtr floor = makeBox({2, 0.2, 2}), box = makeFieldSolid(boxMesh({0.2, 0.2, 0.2}));
    const Quat turn = Quat(Eigen::AngleAxisd(0.6, Vec3(1, 0.2, 0.5).normalized()));
    double lowest = 0;
    Vec3 corner = Vec3::Zero();
    for (const Vec3& p : boxMesh({0.2, 0.2, 0.2}).positions) {
        if ((turn * p).y() < lowest) lowest = (turn * p).y(), corner = turn * p;
    }
    const double depth = 0.003;
    const Vec3 centre(0.3, 0.1 - lowest - depth, -0.2);
    const std::vector<Manifold> found = collided(*floor, *box, pairPose(*floor, {}, *box, {turn, centre}), 0.001);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 1);
    EXPECT_GT(found[0].normal.y(), 0.9999);
    EXPECT_NEAR(found[0].points[0].separation, -depth, 1e-6);
    EXPECT_NEAR((found[0].points[0].fromA.cast<double>() - (centre + corner + Vec3(0, 0.5 * depth, 0))).norm(), 0,
                1e-5);
}

TEST(CollideFields, CrossedEdgesTouchBeforeTheyAreACellDeep) {
    // two bars, each lying on an edge, across each other: only points along the edges can see it
    const ShapePtr bar = makeFieldSolid(boxMesh({0.4, 0.1, 0.1}));
    const Quat onEdge(Eigen::AngleAxisd(0.25 * 3.141592653589793, Vec3::UnitX()));
    const Quat across = Quat(Eigen::AngleAxisd(0.5 * 3.141592653589793, Vec3::UnitY())) * onEdge;
    const double half = 0.1 / std::sqrt(2.0), depth = cellOf(*bar);
    Random random(8);
    for (int trial = 0; trial < 50; ++trial) {
        const Vec3 shift(random.uniform(-0.1, 0.1), 2 * half - depth, random.uniform(-0.1, 0.1));
        const std::vector<Manifold> found =
            collided(*bar, *bar, pairPose(*bar, {onEdge, Vec3::Zero()}, *bar, {across, shift}), 0.002);
        ASSERT_FALSE(found.empty());
        Vec3f push = Vec3f::Zero();
        for (const Manifold& m : found) {
            push += m.normal * static_cast<float>(std::max(0.0, -deepestOf(m)));
            const Vec3 crossing(shift.x(), half, 0);
            EXPECT_LT((m.points[0].fromA.cast<double>() - crossing).norm(), 2 * depth);
        }
        EXPECT_GT(push.y(), 0);
        EXPECT_GT(push.normalized().y(), 0.6);
    }
}

// --- known answers

TEST(CollideFields, BallsOfMeshesMeetLikeBalls) {
    const double radiusA = 0.1, radiusB = 0.07;
    const ShapePtr a = makeFieldSolid(makeShape("sphere", {{"radius", radiusA}})),
                   b = makeFieldSolid(makeShape("sphere", {{"radius", radiusB}})), ball = makeSphere(radiusB);
    Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 direction = randomDirection(random);
        const double gap = random.uniform(-0.02, 0.004);
        for (const ShapePtr& other : {b, ball}) {
            const PairPose pose = pairPose(*a, {randomTurn(random), Vec3::Zero()}, *other,
                                           {randomTurn(random), direction * (radiusA + radiusB + gap)});
            const std::vector<Manifold> found = collided(*a, *other, pose, 0.008);
            ASSERT_FALSE(found.empty()) << gap << (other == ball ? " ball" : " field");
            const Manifold& deepest = *deepestOf(found);
            EXPECT_NEAR(deepestOf(deepest), gap, (other == ball ? 0.15 : 0.4) * cellOf(*a)) << (other == ball);
            EXPECT_GT(deepest.normal.cast<double>().dot(direction), 0.97);
        }
    }
}

TEST(CollideFields, ABallOnAFlatFaceHasOnePointWhereverItLies) {
    const ShapePtr slab = makeFieldSolid(boxMesh({0.4, 0.1, 0.4}));
    Random random(2);
    for (const double radius : {0.01, 0.03, 0.1, 0.5}) {
        const ShapePtr ball = makeSphere(radius);
        for (int trial = 0; trial < 50; ++trial) {
            const double gap = random.uniform(-0.2, 0.1) * std::min(radius, 0.02);
            const Vec3 centre(random.uniform(-0.15, 0.15), 0.05 + radius + gap, random.uniform(-0.15, 0.15));
            const std::vector<Manifold> found =
                collided(*slab, *ball, pairPose(*slab, {}, *ball, {Quat::Identity(), centre}), 0.003);
            ASSERT_EQ(found.size(), 1u) << radius << " " << gap;
            EXPECT_EQ(found[0].count, 1);
            EXPECT_GT(found[0].normal.y(), 0.9999);
            EXPECT_NEAR(found[0].points[0].separation, gap, 2e-5 + 1e-3 * radius);
            EXPECT_NEAR(found[0].points[0].fromA.x(), centre.x(), 2e-3);
            EXPECT_NEAR(found[0].points[0].fromA.y(), 0.05 + 0.5 * gap, 1e-3);
        }
    }
}

TEST(CollideFields, ACapsuleLiesOnItsSide) {
    const ShapePtr slab = makeFieldSolid(boxMesh({0.4, 0.1, 0.4})), capsule = makeCapsule(0.03, 0.2);
    const Quat lying(Eigen::AngleAxisd(0.5 * 3.141592653589793, Vec3::UnitX()));
    const std::vector<Manifold> found =
        collided(*capsule, *slab, pairPose(*capsule, {lying, {0.02, 0.05 + 0.03 - 0.001, 0.01}}, *slab, {}), 0.001);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GE(found[0].count, 2);
    EXPECT_LT(found[0].normal.y(), -0.9999);
    EXPECT_NEAR(deepestOf(found[0]), -0.001, 1e-5);
    EXPECT_NEAR(spread(found[0], Vec3::UnitZ()), 0.2, 1e-3);
}

TEST(CollideFields, LinkedRingsTouchWhereTheyPull) {
    const ShapePtr ring = makeFieldSolid(makeShape("torus", {{"radius", 0.4}, {"tube_radius", 0.1}}));
    const double overlap = 0.01;
    const Quat upright(Eigen::AngleAxisd(0.5 * 3.141592653589793, Vec3::UnitX()));
    const PairPose pose = pairPose(*ring, {}, *ring, {upright, {0.6 + overlap, 0, 0}});
    const std::vector<Manifold> found = collided(*ring, *ring, pose, 0.005);
    ASSERT_FALSE(found.empty());
    const Manifold& deepest = *deepestOf(found);
    EXPECT_LT(deepest.normal.x(), -0.9);
    EXPECT_NEAR(deepestOf(deepest), -overlap, 0.4 * cellOf(*ring));
    EXPECT_LT((deepest.points[0].fromA - Vec3f(0.305f, 0, 0)).norm(), 0.08);
    // slack: nothing touches
    EXPECT_TRUE(collided(*ring, *ring, pairPose(*ring, {}, *ring, {upright, {0.4, 0, 0}}), 0.005).empty());
}

TEST(CollideFields, HooksHoldEachOther) {
    // an L standing and one hanging in it: only the inner faces of the arms meet
    const std::set<Int3> cubes{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}};
    const Vec3 size(0.05, 0.05, 0.05);
    const ShapePtr hook = makeFieldSolid(cubesMesh(cubes, size));
    // the other upside down: its foot on top of ours, its post in front of ours
    const Quat turned(Eigen::AngleAxisd(3.141592653589793, Vec3::UnitZ()));
    const double overlap = 0.002;
    const RigidTransform pose{turned, {0.1 - overlap, 0.2 - overlap, 0}};
    const std::vector<Manifold> found = collided(*hook, *hook, pairPose(*hook, {}, *hook, pose), 0.001);
    const Manifold *up = towards(found, Vec3::UnitY(), 0.95), *sideways = towards(found, Vec3::UnitX(), 0.95);
    ASSERT_TRUE(up != nullptr && sideways != nullptr);
    EXPECT_NEAR(deepestOf(*up), -overlap, 3e-4);
    EXPECT_NEAR(deepestOf(*sideways), -overlap, 3e-4);
    EXPECT_EQ(towards(found, -Vec3::UnitY(), 0.5), nullptr);
    EXPECT_EQ(towards(found, -Vec3::UnitX(), 0.5), nullptr);
}

TEST(CollideFields, APegInAHoleIsHeldOnAllSides) {
    std::set<Int3> plate;
    for (int x = 0; x < 5; ++x) {
        for (int z = 0; z < 5; ++z) {
            if (x != 2 || z != 2) plate.insert({x, 0, z});
        }
    }
    const ShapePtr holed = makeFieldSolid(cubesMesh(plate, {0.06, 0.06, 0.06}));
    for (const double play : {-0.001, 0.001}) {
        const Vec3 size(0.06 - 2 * play, 0.2, 0.06 - 2 * play);
        for (const ShapePtr& peg : {makeFieldSolid(boxMesh(size)), makeBox(size)}) {
            const RigidTransform pose{Quat::Identity(), {0.15, 0.03, 0.15}};
            const std::vector<Manifold> found = collided(*holed, *peg, pairPose(*holed, {}, *peg, pose), 0.002);
            for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
                const Manifold* m = towards(found, side, 0.97);
                ASSERT_NE(m, nullptr) << side.transpose() << " play " << play;
                EXPECT_NEAR(deepestOf(*m), play, 5e-4);
                EXPECT_GE(m->count, 2);
            }
            EXPECT_EQ(towards(found, Vec3::UnitY(), 0.8), nullptr);
        }
    }
}

TEST(CollideFields, AModelRestsOnThreePointsOrMore) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / "meshes/models/bunny_5k.obj";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared models here";
    TriMesh mesh = readMesh(path).mesh;
    const double scale = 0.3 / boundsOf(mesh).size().maxCoeff();
    for (Vec3& p : mesh.positions) p *= scale;
    const ShapePtr bunny = makeFieldSolid(mesh), table = makeBox({2, 0.2, 2}),
                   slab = makeFieldSolid(boxMesh({1, 0.2, 1}));
    const double down = 0.1 - boundsOf(mesh).min.y() - 0.004;
    for (const ShapePtr& ground : {table, slab}) {
        const std::vector<Manifold> found =
            collided(*ground, *bunny,
                     pairPose(*ground, {}, *bunny,
                              {Quat::Identity(), {-boundsOf(mesh).centre().x(), down, -boundsOf(mesh).centre().z()}}),
                     0.004);
        const Manifold* up = towards(found, Vec3::UnitY(), 0.98);
        ASSERT_NE(up, nullptr);
        EXPECT_GE(up->count, 3);
        EXPECT_NEAR(deepestOf(*up), -0.004, 0.002);
        EXPECT_GT(spread(*up, Vec3::UnitX()), 0.05);
        EXPECT_GT(spread(*up, Vec3::UnitZ()), 0.05);
    }
}

// --- laws

struct RandomPair {
    ShapePtr a, b;
    PairPose pose;
};

std::vector<ShapePtr> fragments(size_t count) {
    std::vector<ShapePtr> shapes;
    for (size_t i = 0; i < count; ++i)
        shapes.push_back(makeFieldSolid(concaveFragment(static_cast<ConcaveKind>(i % 3), 9, i)));
    return shapes;
}

std::vector<RandomPair> randomPairs(size_t count) {
    const std::vector<ShapePtr> shapes = fragments(12);
    std::vector<RandomPair> pairs;
    Random random(11);
    while (pairs.size() < count) {
        const ShapePtr &a = shapes[random.below(12)], &b = shapes[random.below(12)];
        const Vec3 offset = randomDirection(random) * random.uniform(0.3, 1.0) * (a->radius() + b->radius());
        pairs.push_back({a, b, {randomTurn(random).toRotationMatrix(), randomTurn(random).toRotationMatrix(), offset}});
    }
    return pairs;
}

TEST(CollideFields, KernelsAndCullingFindWhatLookingUpEveryPointFinds) {
    size_t hitCount = 0;
    for (const RandomPair& pair : randomPairs(400)) {
        const FieldSolid &points = *pair.a->field(), &surface = *pair.b->field();
        const double reach = 0.004;
        std::vector<uint32_t> expected;
        double nearest = 1e30;  // m, by the mesh
        for (uint32_t i = 0; i < points.particleCount; ++i) {
            const FieldSolid::Cluster& c = points.clusters[i / 8];
            const Vec3 p =
                pair.pose.rotationB.transpose() *
                (pair.pose.rotationA * Vec3f(c.x[i % 8], c.y[i % 8], c.z[i % 8]).cast<double>() - pair.pose.offset);
            const double value = surface.field.value(p);
            if (value > 0) nearest = std::min(nearest, std::sqrt(surface.tree->closestPoint(p).squaredDistance));
            if (value <= reach) expected.push_back(i);
        }
        hitCount += expected.size();

        FieldArrays field;
        field.counts = surface.field.counts();
        for (int axis = 0; axis < 3; ++axis) {
            field.points[axis] = surface.field.points()[axis];
            field.low[axis] = static_cast<float>(surface.field.solid().min[axis]);
            field.high[axis] = static_cast<float>(surface.field.solid().max[axis]);
        }
        field.cellSize = static_cast<float>(surface.field.cellSize());
        field.unit = static_cast<float>(surface.field.unit());
        PointArrays arrays{points.clusters[0].x.data(), static_cast<int32_t>(points.clusters.size()),
                           points.balls[0].x.data()};
        const Mat3 turn = surface.field.latticeFromBody().rotation.toRotationMatrix() * pair.pose.rotationB.transpose();
        const Mat3 rotation = turn * pair.pose.rotationA;
        const Vec3 shift = surface.field.latticeFromBody().translation - turn * pair.pose.offset;
        Placement place{};
        for (int i = 0; i < 9; ++i) place.rotation[i] = static_cast<float>(rotation(i / 3, i % 3));
        for (int i = 0; i < 3; ++i) place.translation[i] = static_cast<float>(shift[i]);

        std::vector<FieldHit> room(8 * points.clusters.size()), portableRoom(room.size());
        FieldHits hits{room.data()}, portable{portableRoom.data()};
        fieldKernels().inField(field, arrays, place, static_cast<float>(reach), hits);
        portableFieldKernels().inField(field, arrays, place, static_cast<float>(reach), portable);

        // the same bits with and without AVX2
        ASSERT_EQ(hits.count, portable.count);
        ASSERT_EQ(hits.bound, portable.bound);
        for (size_t i = 0; i < hits.count; ++i) {
            ASSERT_EQ(room[i].index, portableRoom[i].index);
            ASSERT_EQ(room[i].value, portableRoom[i].value);
            for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(room[i].gradient[axis], portableRoom[i].gradient[axis]);
        }
        std::vector<uint32_t> found;
        for (size_t i = 0; i < hits.count; ++i) {
            if (room[i].index < points.particleCount) found.push_back(room[i].index);
        }
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected);
        ASSERT_LE(hits.bound, nearest + 0.3 * surface.field.cellSize());
    }
    EXPECT_GT(hitCount, 1000u);
}

TEST(CollideFields, WhatIsSeparatedSaysHowFar) {
    const ShapePtr a = makeFieldSolid(makeShape("sphere", {{"radius", 0.1}})), ball = makeSphere(0.07),
                   box = makeBox({0.2, 0.2, 0.2});
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
        const double gap = random.uniform(0.01, 0.15);
        const Vec3 direction = randomDirection(random);
        struct Case {
            const ShapePtr& b;
            double centres;
        };
        for (const Case& c : {Case{a, 0.2}, Case{ball, 0.17}}) {
            PairMemory memory;
            std::vector<Manifold> manifolds;
            collide(*a, *c.b, pairPose(*a, {}, *c.b, {randomTurn(random), direction * (c.centres + gap)}), 0.005f,
                    memory, manifolds);
            EXPECT_TRUE(manifolds.empty());
            EXPECT_GT(memory.separation, 0.2 * gap);
            EXPECT_LT(memory.separation, gap + 0.3 * cellOf(*a));
        }
        PairMemory memory;
        std::vector<Manifold> manifolds;
        collide(*box, *a, pairPose(*box, {}, *a, {randomTurn(random), {0, 0.2 + gap, 0}}), 0.005f, memory, manifolds);
        EXPECT_TRUE(manifolds.empty());
        EXPECT_GT(memory.separation, 0.005f);
        EXPECT_LT(memory.separation, gap + 0.3 * cellOf(*a));
    }
}

void expectSame(const std::vector<Manifold>& found, const std::vector<Manifold>& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (const Manifold& m : expected) {
        const Manifold* same = towards(found, m.normal.cast<double>(), 0.99);
        ASSERT_NE(same, nullptr);
        EXPECT_NEAR(deepestOf(*same), deepestOf(m), tolerance);
        EXPECT_NEAR(same->count, m.count, 1);  // a fourth point that adds a thousandth of the area may stay or go
    }
}

TEST(CollideFields, SwappingTheBodiesMirrorsTheContact) {
    size_t touching = 0;
    for (const RandomPair& pair : randomPairs(300)) {
        std::vector<Manifold> swapped =
            collided(*pair.b, *pair.a, {pair.pose.rotationB, pair.pose.rotationA, -pair.pose.offset}, 0.004);
        swapBodies(swapped, 0, -pair.pose.offset);
        const std::vector<Manifold> straight = collided(*pair.a, *pair.b, pair.pose, 0.004);
        expectSame(swapped, straight, 1e-5);
        touching += straight.empty() ? 0 : 1;
    }
    EXPECT_GT(touching, 100u);
}

TEST(CollideFields, TurningTheWorldTurnsTheContact) {
    Random random(12);
    for (const RandomPair& pair : randomPairs(300)) {
        const Mat3 turn = randomTurn(random).toRotationMatrix();
        const std::vector<Manifold> straight = collided(*pair.a, *pair.b, pair.pose, 0.004);
        std::vector<Manifold> turned = collided(
            *pair.a, *pair.b, {turn * pair.pose.rotationA, turn * pair.pose.rotationB, turn * pair.pose.offset}, 0.004);
        for (Manifold& m : turned) m.normal = turn.transpose().cast<float>() * m.normal;
        expectSame(turned, straight, 1e-5);
    }
}

TEST(CollideFields, SizeDoesNotMatter) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const ShapePtr a = makeFieldSolid(boxMesh(scale * Vec3(0.3, 0.1, 0.3))),
                       b = makeFieldSolid(boxMesh(scale * Vec3(0.2, 0.1, 0.2)));
        const std::vector<Manifold> found =
            collided(*a, *b, pairPose(*a, {}, *b, {Quat::Identity(), scale * Vec3(0.01, 0.099, 0)}), 0.001 * scale);
        ASSERT_EQ(found.size(), 1u) << scale;
        EXPECT_EQ(found[0].count, 4);
        EXPECT_NEAR(deepestOf(found[0]) / scale, -0.001, 1e-5);
    }
}

TEST(CollideFields, DeepOverlapStillPushesSomewhere) {
    const ShapePtr ball = makeFieldSolid(makeShape("sphere", {{"radius", 0.1}}));
    const std::vector<Manifold> found =
        collided(*ball, *ball, {Mat3::Identity(), Mat3::Identity(), Vec3::Zero()}, 0.001);
    for (const Manifold& m : found) {
        EXPECT_NEAR(m.normal.norm(), 1, 1e-5);
        EXPECT_TRUE(m.points[0].fromA.allFinite());
    }
}

// --- compounds

TEST(CollideCompounds, PartsAreReducedTogether) {
    // a slab of four boxes side by side is one face for what lies on it
    std::vector<PlacedShape> parts;
    for (int i = 0; i < 4; ++i) parts.push_back({makeBox({0.1, 0.1, 0.2}), {Quat::Identity(), {0.1 * i - 0.15, 0, 0}}});
    const ShapePtr slab = makeCompound(parts), whole = makeBox({0.4, 0.1, 0.2}), box = makeBox({0.3, 0.1, 0.1});
    const RigidTransform pose{Quat::Identity(), {0.01, 0.099, 0.02}};
    const std::vector<Manifold> found = collided(*slab, *box, pairPose(*slab, {}, *box, pose), 0.001);
    const std::vector<Manifold> expected = collided(*whole, *box, pairPose(*whole, {}, *box, pose), 0.001);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 4);
    EXPECT_GT(found[0].normal.y(), 0.9999);
    EXPECT_NEAR(deepestOf(found[0]), -0.001, 1e-6);
    EXPECT_NEAR(spread(found[0], Vec3::UnitX()), spread(expected[0], Vec3::UnitX()), 1e-5);
    EXPECT_NEAR(spread(found[0], Vec3::UnitZ()), spread(expected[0], Vec3::UnitZ()), 1e-5);
    std::set<uint32_t> keys;
    for (const Manifold::Point& p : found[0].points) keys.insert(p.key);
    EXPECT_EQ(keys.size(), 4u);

    std::vector<Manifold> swapped = collided(*box, *slab, pairPose(*box, pose, *slab, {}), 0.001);
    ASSERT_EQ(swapped.size(), 1u);
    EXPECT_LT(swapped[0].normal.y(), -0.9999);
}

TEST(CollideCompounds, SeparatedCompoundsSayHowFar) {
    const std::vector<PlacedShape> parts{{makeBox({0.1, 0.1, 0.1}), {Quat::Identity(), {-0.05, 0, 0}}},
                                         {makeSphere(0.05), {Quat::Identity(), {0.05, 0, 0}}}};
    const ShapePtr shape = makeCompound(parts);
    PairMemory memory;
    std::vector<Manifold> manifolds;
    collide(*shape, *shape, pairPose(*shape, {}, *shape, {Quat::Identity(), {0, 0.5, 0}}), 0.01f, memory, manifolds);
    EXPECT_TRUE(manifolds.empty());
    EXPECT_GT(memory.separation, 0.2);
    EXPECT_LE(memory.separation, 0.4001);
}

}  // namespace
}  // namespace sunder::dynamics::detail
