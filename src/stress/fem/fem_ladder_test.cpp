// Known answers: bars, balls under pressure, and how fast linear elements come to them. The numbers are in
// docs/methods/fem.md.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "geometry/tet/stuffing.h"
#include "geometry/tet/test_boxes.h"
#include "stress/fem/fem_solver.h"
#include "stress/fem/test_loads.h"

namespace sunder::stress {

namespace {

using sunder::test::boxOfTets;
using test::surfaceLoads;

const ElasticMaterial kConcrete{2400, 30e9, 0.2};

class BothElements : public testing::TestWithParam<ElementOrder> {};
INSTANTIATE_TEST_SUITE_P(FemLadder, BothElements, testing::Values(ElementOrder::Linear, ElementOrder::Quadratic),
                         [](const auto& one) { return one.param == ElementOrder::Linear ? "Linear" : "Quadratic"; });

TEST_P(BothElements, PullABarByForceOverArea) {
    const double length = 1, side = 0.1, force = 5e3;
    const TetMesh bar = boxOfTets({40, 4, 4}, {length, side, side});
    const FemSolver solver(bar, kConcrete, {GetParam()});

    // pulled evenly at both ends: everywhere
    const StressSolution even =
        solver.solve(surfaceLoads(bar, solver.mesh(), [&](const Vec3&, const Vec3& normal) -> Vec3 {
            return std::abs(normal.x()) > 0.9 ? Vec3(force / (side * side) * normal) : Vec3::Zero();
        }));
    for (const NodeIndex n : bar.nodes.indices()) ASSERT_NEAR(even.atNode[n].xx, force / (side * side), 1e-4);

    // pulled at the middle of each end: as far from them as Saint Venant asks for
    std::vector<Vec3> loads(solver.mesh().nodes.size(), Vec3::Zero());
    for (const NodeIndex n : bar.nodes.indices()) {
        const Vec3& p = bar.nodes[n];
        const bool isEnd = std::abs(p.x()) > 0.4999 * length && std::hypot(p.y(), p.z()) < 1e-9;
        if (isEnd) loads[raw(n)] = Vec3(p.x() > 0 ? force : -force, 0, 0);
    }
    const StressSolution found = solver.solve(loads);
    double worst = 0;
    for (const NodeIndex n : bar.nodes.indices()) {
        if (std::abs(bar.nodes[n].x()) > 0.5 * length - 2.5 * side) continue;
        worst = std::max(worst, std::abs(found.atNode[n].xx / (force / (side * side)) - 1));
    }
    std::printf("bar pulled at two points, %s: worst error %.3f %% beyond 2.5 widths\n",
                GetParam() == ElementOrder::Linear ? "linear" : "quadratic", 100 * worst);
    EXPECT_LT(worst, 0.01);
}

/// A ball, or a shell when there is an inner radius, of tets as bodies are filled with them: cubes of `cell`, m.
TetMesh ballOfTets(double inner, double outer, double cell) {
    const double reach = outer + 3 * cell;
    const int points = static_cast<int>(std::ceil(2 * reach / cell)) + 1;
    GridFrame frame;
    frame.origin = Vec3::Constant(-0.5 * cell * (points - 1));
    frame.cellSize = cell;
    frame.points = {points, points, points};
    DistanceGrid grid(frame);
    for (int z = 0; z < points; ++z) {
        for (int y = 0; y < points; ++y) {
            for (int x = 0; x < points; ++x) {
                const double r = frame.position(x, y, z).norm();
                grid.at(x, y, z) = static_cast<float>(std::max(r - outer, inner - r));
            }
        }
    }
    return stuffIsosurface(grid, {.cellSize = cell / kCubePerCell});
}

TEST_P(BothElements, PressASolidBallEvenly) {
    // whatever its facets are, even pressure is an even state: a patch test with a curved surface
    const TetMesh ball = ballOfTets(0, 0.5, 0.1);
    const FemSolver solver(ball, kConcrete, {GetParam()});
    const double pressure = 2e6;
    const StressSolution found = solver.solve(
        surfaceLoads(ball, solver.mesh(), [&](const Vec3&, const Vec3& normal) -> Vec3 { return -pressure * normal; }));
    for (const NodeIndex n : ball.nodes.indices())
        ASSERT_LT((found.atNode[n].matrix() + pressure * Mat3::Identity()).norm(), 1e-9 * pressure);
}

/// A shell with pressure inside. Of the recovered stress at nodes against Lame's [timoshenko1970], section 136:
///
///     sigma_r = p a^3 / (b^3 - a^3) (1 - b^3 / r^3),   sigma_t = p a^3 / (b^3 - a^3) (1 + b^3 / (2 r^3))
///
///     a, b  inner and outer radius
struct ShellErrors {
    double mean = 0;  // root mean square over nodes, in parts of the root mean square stress
    double hoop = 0;  // of the mean hoop stress at the inner surface, where it is largest
};
ShellErrors pressedShell(ElementOrder order, double cell) {
    const double a = 0.5, b = 1, pressure = 1e6;
    const TetMesh shell = ballOfTets(a, b, cell);
    const FemSolver solver(shell, kConcrete, {.order = order, .solver = LinearSolver::Iterative});
    const double between = 0.5 * (a + b);
    const StressSolution found =
        solver.solve(surfaceLoads(shell, solver.mesh(), [&](const Vec3& p, const Vec3& normal) -> Vec3 {
            return p.norm() < between ? Vec3(-pressure * normal) : Vec3::Zero();
        }));
    double errors = 0, squares = 0, hoop = 0, hoopThere = 0;
    for (const NodeIndex n : shell.nodes.indices()) {
        const Vec3& p = shell.nodes[n];
        const double r = std::clamp(p.norm(), a, b), k = pressure * a * a * a / (b * b * b - a * a * a);
        const double radial = k * (1 - b * b * b / (r * r * r)), tangential = k * (1 + b * b * b / (2 * r * r * r));
        const Vec3 out = p.normalized();
        const Mat3 right = tangential * Mat3::Identity() + (radial - tangential) * out * out.transpose();
        const Mat3 stress = found.atNode[n].matrix();
        errors += (stress - right).squaredNorm();
        squares += right.squaredNorm();
        if (p.norm() > a + 0.1 * cell) continue;
        hoop += 0.5 * (stress.trace() - out.dot(stress * out));
        hoopThere += tangential;
    }
    return {std::sqrt(errors / squares), std::abs(hoop / hoopThere - 1)};
}

TEST_P(BothElements, BearPressureInAShellAsLameSays) {
    const ShellErrors coarse = pressedShell(GetParam(), 0.2), fine = pressedShell(GetParam(), 0.1);
    const bool linear = GetParam() == ElementOrder::Linear;
    std::printf(
        "shell under pressure, %s: mean error %.1f, %.1f %%, inner hoop stress %.1f, %.1f %% at 2.5 and 5 cells\n",
        linear ? "linear" : "quadratic", 100 * coarse.mean, 100 * fine.mean, 100 * coarse.hoop, 100 * fine.hoop);
    EXPECT_LT(fine.mean, linear ? 0.15 : 0.08);
    EXPECT_LT(fine.hoop, linear ? 0.15 : 0.05);
    EXPECT_LT(fine.mean, 0.75 * coarse.mean);
}

/// Root mean square error at nodes of a bar that is bent evenly, linear elements.
double bendingError(int layers) {
    const double height = 0.2, peak = 1e6;
    const TetMesh mesh = boxOfTets({5 * layers, layers, layers}, {1, height, height});
    const FemSolver solver(mesh, kConcrete, {ElementOrder::Linear});
    const auto right = [&](const Vec3& p) { return peak * p.y() / (0.5 * height); };
    const StressSolution found =
        solver.solve(surfaceLoads(mesh, solver.mesh(), [&](const Vec3& p, const Vec3& normal) -> Vec3 {
            return std::abs(normal.x()) > 0.9 ? Vec3(normal.x() * right(p), 0, 0) : Vec3::Zero();
        }));
    double errors = 0, squares = 0;
    for (const NodeIndex n : mesh.nodes.indices()) {
        Mat3 expected = Mat3::Zero();
        expected(0, 0) = right(mesh.nodes[n]);
        errors += (found.atNode[n].matrix() - expected).squaredNorm();
        squares += expected.squaredNorm();
    }
    return std::sqrt(errors / squares);
}

TEST(FemLadder, LinearElementsComeToPureBendingAtAKnownRate) {
    const double at4 = bendingError(4), at8 = bendingError(8), at12 = bendingError(12);
    const double early = std::log(at4 / at8) / std::log(2.0), late = std::log(at8 / at12) / std::log(1.5);
    std::printf("linear elements, pure bending: error %.1f, %.1f, %.1f %% at 4, 8, 12 layers: order %.2f, then %.2f\n",
                100 * at4, 100 * at8, 100 * at12, early, late);
    EXPECT_GT(early, 0.75);
    EXPECT_GT(late, 1);  // the order of linear elements' stress
}

}  // namespace

}  // namespace sunder::stress
