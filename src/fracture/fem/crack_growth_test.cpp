#include "fracture/fem/crack_growth.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/tet/test_boxes.h"

namespace sunder::fracture {

namespace {

using test::boxOfTets;

struct Field {
    IndexedVector<TetIndex, SymMat3> stress;
    IndexedVector<TetIndex, double> strength;

    CrackDrive drive() const { return {&stress, &strength, 0.5}; }
};

/// Tension of 2 MPa along a direction that depends on the place; strength 1 MPa.
template <class Direction>
Field pulled(const TetMesh& mesh, const Direction& direction) {
    Field field;
    for (const TetIndex t : mesh.tets.indices()) {
        const Vec3 d = direction(middleOf(mesh, t)).normalized();
        field.stress.push_back(SymMat3::from(2e6 * d * d.transpose()));
        field.strength.push_back(1e6);
    }
    return field;
}

TetIndex nearest(const TetMesh& mesh, const Vec3& point) {
    TetIndex best{0};
    for (const TetIndex t : mesh.tets.indices()) {
        if ((middleOf(mesh, t) - point).norm() < (middleOf(mesh, best) - point).norm()) best = t;
    }
    return best;
}

CrackedTets crackedAlong(const CrackSurface& surface, CrackedTets tets) {
    crack(tets, surface.side, surface.through);
    return tets;
}

/// Points where the surface crosses edges of the tets it runs through.
std::vector<Vec3> pointsOf(const TetMesh& mesh, const CrackSurface& surface) {
    std::vector<Vec3> points;
    for (const TetIndex t : mesh.tets.indices()) {
        if (!surface.through[t]) continue;
        for (size_t i = 0; i < 4; ++i) {
            for (size_t j = i + 1; j < 4; ++j) {
                const NodeIndex a = mesh.tets[t][i], b = mesh.tets[t][j];
                const double x = surface.side[a], y = surface.side[b];
                if ((x < 0) != (y < 0)) points.push_back((x * mesh.nodes[b] - y * mesh.nodes[a]) / (x - y));
            }
        }
    }
    return points;
}

TEST(CrackGrowth, EvenTensionGivesAFlatCrackAcrossTheBody) {
    const TetMesh mesh = boxOfTets({8, 8, 8}, {1, 1, 1});
    const CrackedTets tets = uncracked(mesh);
    for (const Vec3& along : {Vec3(1, 0, 0), Vec3(1, 0.4, 0.2)}) {
        const Field field = pulled(mesh, [&](const Vec3&) { return along; });
        const CrackSurface surface = beginCrack(tets, field.drive(), nearest(mesh, {0.03, 0.02, 0.01}));
        const Vec3 normal = along.normalized();
        const std::vector<Vec3> points = pointsOf(mesh, surface);
        ASSERT_GT(points.size(), 100u);
        const double level = normal.dot(middleOf(mesh, nearest(mesh, {0.03, 0.02, 0.01})));
        for (const Vec3& p : points) EXPECT_NEAR(normal.dot(p), level, 0.01);  // nodes are kept off the surface
        EXPECT_EQ(componentsOf(crackedAlong(surface, tets)).count, 2u);
    }
}

TEST(CrackGrowth, FollowsTensionThatTurns) {
    // pulled along circles about the axis x = -2, z = 0: the crack is a plane through that axis
    const TetMesh mesh = boxOfTets({12, 6, 12}, {1, 0.5, 1});
    const CrackedTets tets = uncracked(mesh);
    const Field field = pulled(mesh, [](const Vec3& p) { return Vec3(-p.z(), 0, p.x() + 2); });
    const CrackGrowthOptions nimble{.smoothing = 0.5, .largestTurn = 45};
    const CrackSurface surface = beginCrack(tets, field.drive(), nearest(mesh, {0.4, 0, 0.3}), nimble);
    const Vec3 start = middleOf(mesh, nearest(mesh, {0.4, 0, 0.3}));
    const double angle = std::atan2(start.z(), start.x() + 2);
    for (const Vec3& p : pointsOf(mesh, surface)) {
        EXPECT_NEAR(std::atan2(p.z(), p.x() + 2), angle, 0.03);
    }
    EXPECT_EQ(componentsOf(crackedAlong(surface, tets)).count, 2u);

    // pulled away from a point: the crack is part of a sphere about it
    const Field radial = pulled(mesh, [](const Vec3& p) -> Vec3 { return p - Vec3(0, 0, -2); });
    const CrackSurface round = beginCrack(tets, radial.drive(), nearest(mesh, {0.01, 0.02, 0}), nimble);
    const double radius = (middleOf(mesh, nearest(mesh, {0.01, 0.02, 0})) - Vec3(0, 0, -2)).norm();
    for (const Vec3& p : pointsOf(mesh, round)) EXPECT_NEAR((p - Vec3(0, 0, -2)).norm(), radius, 0.03);
    EXPECT_EQ(componentsOf(crackedAlong(round, tets)).count, 2u);
}

TEST(CrackGrowth, StopsWhereTensionEndsAndGoesOnWhenItIsThere) {
    const TetMesh mesh = boxOfTets({8, 8, 4}, {1, 1, 0.5});
    CrackedTets tets = uncracked(mesh);
    Field field = pulled(mesh, [](const Vec3&) { return Vec3(1, 0, 0); });
    for (const TetIndex t : mesh.tets.indices()) {
        if (middleOf(mesh, t).y() > 0.1) field.stress[t] = 0.1 * field.stress[t];
    }
    CrackSurface part = beginCrack(tets, field.drive(), nearest(mesh, {0.02, -0.4, 0}));
    for (const Vec3& p : pointsOf(mesh, part)) EXPECT_LT(p.y(), 0.26);
    carryOver(part, crack(tets, part.side, part.through));
    EXPECT_EQ(componentsOf(tets).count, 1u);

    const Field later = pulled(tets.mesh, [](const Vec3&) { return Vec3(1, 0, 0); });
    const CrackSurface rest = extendCrack(tets, later.drive(), part);
    EXPECT_GT(rest.tets, 0u);
    for (const Vec3& p : pointsOf(tets.mesh, rest)) {
        EXPECT_NEAR(p.x(), middleOf(mesh, nearest(mesh, {0.02, -0.4, 0})).x(), 0.01);
    }
    EXPECT_EQ(componentsOf(crackedAlong(rest, tets)).count, 2u);
}

}  // namespace

}  // namespace sunder::fracture
