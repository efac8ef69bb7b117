#include "stress/fem/fem_solver.h"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "geometry/tet/test_boxes.h"
#include "stress/fem/test_loads.h"

namespace sunder::stress {

namespace {

using sunder::test::boxOfTets;
using test::surfaceLoads;

const ElasticMaterial kConcrete{2400, 30e9, 0.2};

Mat3 asMatrix(const SymMat3& m) { return m.matrix(); }

/// Largest difference between stress and what it should be at places, over the largest that it should be.
double worstError(const StressSolution& found, const TetMesh& mesh, const std::function<Mat3(const Vec3&)>& expected) {
    double worst = 0, largest = 0;
    for (const NodeIndex n : mesh.nodes.indices()) {
        const Mat3 right = expected(mesh.nodes[n]);
        worst = std::max(worst, (asMatrix(found.atNode[n]) - right).norm());
        largest = std::max(largest, right.norm());
    }
    return worst / largest;
}

/// The same as root mean square over the nodes.
double meanError(const StressSolution& found, const TetMesh& mesh, const std::function<Mat3(const Vec3&)>& expected) {
    double errors = 0, squares = 0;
    for (const NodeIndex n : mesh.nodes.indices()) {
        const Mat3 right = expected(mesh.nodes[n]);
        errors += (asMatrix(found.atNode[n]) - right).squaredNorm();
        squares += right.squaredNorm();
    }
    return std::sqrt(errors / squares);
}

class BothOrders : public testing::TestWithParam<ElementOrder> {};
INSTANTIATE_TEST_SUITE_P(Fem, BothOrders, testing::Values(ElementOrder::Linear, ElementOrder::Quadratic),
                         [](const auto& one) { return one.param == ElementOrder::Linear ? "Linear" : "Quadratic"; });

TEST_P(BothOrders, PassThePatchTest) {
    TetMesh mesh = boxOfTets({4, 3, 3}, {1, 0.7, 0.5});
    // inner nodes out of place, so that nothing is symmetric
    for (Vec3& p : mesh.nodes) {
        if (std::abs(p.x()) < 0.49 && std::abs(p.y()) < 0.34 && std::abs(p.z()) < 0.24) {
            p += 0.04 * Vec3(std::sin(9 * p.y()), std::cos(7 * p.z()), std::sin(5 * p.x() + 1));
        }
    }
    const FemSolver solver(mesh, kConcrete, {GetParam()});
    const std::array<SymMat3, 3> states{SymMat3{3e6, 0, 0, 0, 0, 0}, SymMat3{1e6, -2e6, 5e5, 3e5, -4e5, 7e5},
                                        SymMat3{0, 0, 0, 1e6, 0, 0}};
    for (const SymMat3& state : states) {
        const StressSolution found = solver.solve(
            surfaceLoads(mesh, solver.mesh(), [&](const Vec3&, const Vec3& normal) { return state * normal; }));
        EXPECT_LT(worstError(found, mesh, [&](const Vec3&) { return state.matrix(); }), 1e-10);
        for (const SymMat3& inTet : found.inTet) {
            ASSERT_LT((inTet.matrix() - state.matrix()).norm(), 1e-10 * state.matrix().norm());
        }
    }
}

TEST_P(BothOrders, ABarThatTurnsIsPulledByItsOwnMass) {
    const double length = 2, side = 0.1, omega = 30;
    const TetMesh mesh = boxOfTets({40, 2, 2}, {length, side, side});
    const FemSolver solver(mesh, {2400, 30e9, 0}, {GetParam()});
    const auto components = componentsOf(solver.mesh());
    std::vector<Vec3> loads(solver.mesh().nodes.size(), Vec3::Zero());
    Mat3 outward = Mat3::Zero();
    outward(0, 0) = omega * omega;
    Inertia(solver.mesh(), components[0], 2400).addField(Vec3::Zero(), outward, loads);
    const StressSolution found = solver.solve(loads);
    //     sigma(x) = rho omega^2 (L^2 / 4 - x^2) / 2
    const double error = meanError(found, mesh, [&](const Vec3& p) {
        Mat3 stress = Mat3::Zero();
        stress(0, 0) = 0.5 * 2400 * omega * omega * (0.25 * length * length - p.x() * p.x());
        return stress;
    });
    EXPECT_LT(error, GetParam() == ElementOrder::Linear ? 0.015 : 0.002);
}

TEST_P(BothOrders, StressDoesNotDependOnWhichNodesAreHeld) {
    const TetMesh mesh = boxOfTets({6, 4, 3}, {1, 0.7, 0.5});
    std::vector<Vec3> loads;
    StressSolution expected;
    for (const size_t first : {0u, 17u, 63u, 101u}) {
        FemOptions options{GetParam()};
        options.firstPin = first;
        const FemSolver solver(mesh, kConcrete, options);
        loads.assign(solver.mesh().nodes.size(), Vec3::Zero());
        loads[5] = {10, -300, 20};
        loads[70] = {0, 100, -50};
        const StressSolution found = solver.solve(loads);
        if (first == 0) expected = found;
        double worst = 0, largest = 0;
        for (const TetIndex t : mesh.tets.indices()) {
            worst = std::max(worst, (asMatrix(found.inTet[t]) - asMatrix(expected.inTet[t])).norm());
            largest = std::max(largest, asMatrix(expected.inTet[t]).norm());
        }
        EXPECT_LT(worst, 1e-8 * largest);
    }
}

TEST_P(BothOrders, TheIterativeSolverAgreesWithTheDirectOne) {
    const TetMesh mesh = boxOfTets({8, 5, 4}, {1, 0.6, 0.5});
    const FemSolver direct(mesh, kConcrete, {GetParam()});
    std::vector<Vec3> loads(direct.mesh().nodes.size(), Vec3::Zero());
    loads[0] = {1, 2, 3};
    loads[100] = {-4, 0, 1};
    const StressSolution a = direct.solve(loads);
    for (const PreconditionerKind kind : {PreconditionerKind::Aggregates, PreconditionerKind::Diagonal}) {
        const FemSolver other(mesh, kConcrete, {GetParam(), LinearSolver::Iterative, kind, 1e-10});
        const StressSolution b = other.solve(loads);
        const Convergence& convergence = b.convergence;
        EXPECT_EQ(convergence.status, SolveStatus::Converged);
        EXPECT_LE(convergence.residual, 1e-10);
        double worst = 0, largest = 0;
        for (const TetIndex t : mesh.tets.indices()) {
            worst = std::max(worst, (asMatrix(a.inTet[t]) - asMatrix(b.inTet[t])).norm());
            largest = std::max(largest, asMatrix(a.inTet[t]).norm());
        }
        EXPECT_LT(worst, 1e-6 * largest);
    }
}

/// Bent by tractions that grow across its height: sigma_xx = q y / (h / 2).
struct BendingError {
    double worst = 0, mean = 0;
};
BendingError pureBending(int layers, ElementOrder order) {
    const double length = 1, height = 0.2, peak = 1e6;
    const TetMesh mesh = boxOfTets({5 * layers, layers, layers}, {length, height, height});
    const FemSolver solver(mesh, kConcrete, {order});
    const auto field = [&](const Vec3& p) {
        Mat3 stress = Mat3::Zero();
        stress(0, 0) = peak * p.y() / (0.5 * height);
        return stress;
    };
    const StressSolution found = solver.solve(surfaceLoads(
        mesh, solver.mesh(), [&](const Vec3& p, const Vec3& normal) -> Vec3 { return field(p) * normal; }));
    return {worstError(found, mesh, field), meanError(found, mesh, field)};
}

TEST(Fem, QuadraticElementsBendExactly) { EXPECT_LT(pureBending(2, ElementOrder::Quadratic).worst, 1e-9); }

TEST(Fem, LinearElementsConvergeInBending) {
    const BendingError at4 = pureBending(4, ElementOrder::Linear), at8 = pureBending(8, ElementOrder::Linear);
    std::printf("linear elements, pure bending: mean error %.1f %% at 4 layers, %.1f %% at 8; worst %.1f, %.1f %%\n",
                100 * at4.mean, 100 * at8.mean, 100 * at4.worst, 100 * at8.worst);
    EXPECT_LT(at4.mean, 0.26);
    EXPECT_LT(at8.mean, 0.6 * at4.mean);
}

/// Peak tensile stress of a beam on two supports that is pushed in the middle, over theory.
double threePointRatio(int layers, ElementOrder order) {
    const double length = 2, height = 0.2, width = 0.2, force = 1e4;
    const TetMesh mesh = boxOfTets({10 * layers, layers, layers}, {length, height, width});
    const FemSolver solver(mesh, kConcrete, {order});
    const double patch = 0.05;  // length that each push is spread over, m
    const auto push = [&](double x, double at) { return std::abs(x - at) < 0.5 * patch + 1e-9 ? 1 : 0; };
    const std::vector<Vec3> shape = surfaceLoads(mesh, solver.mesh(), [&](const Vec3& p, const Vec3& normal) -> Vec3 {
        const double sign = normal.y();  // faces up: pushed down in the middle; faces down: held up at the ends
        if (sign > 0.9) return {0, -1.0 * push(p.x(), 0), 0};
        if (sign < -0.9) return {0, 1.0 * (push(p.x(), -0.45 * length) + push(p.x(), 0.45 * length)), 0};
        return Vec3::Zero();
    });
    // the three pushes, each scaled to what it should be
    double down = 0, left = 0, right = 0;
    for (size_t n = 0; n < shape.size(); ++n) {
        const double x = solver.mesh().nodes[n].x(), y = solver.mesh().nodes[n].y();
        (y > 0 ? down : x < 0 ? left : right) += shape[n].y();
    }
    std::vector<Vec3> loads = shape;
    for (size_t n = 0; n < loads.size(); ++n) {
        const double x = solver.mesh().nodes[n].x(), y = solver.mesh().nodes[n].y();
        loads[n] *= y > 0 ? -force / down : 0.5 * force / (x < 0 ? left : right);
    }
    const StressSolution found = solver.solve(loads);
    double peak = 0;  // mean across the width
    int count = 0;
    for (const NodeIndex n : mesh.nodes.indices()) {
        if (std::abs(mesh.nodes[n].x()) < 1e-9 && mesh.nodes[n].y() < -0.49 * height) {
            peak += found.atNode[n].xx;
            ++count;
        }
    }
    //     sigma = 6 M / (b h^2) - 0.508 F / (b h)        [timoshenko1970], section 40: a concentrated load
    const double span = 0.9 * length;
    const double theory = 6 * 0.25 * force * span / (width * height * height) - 0.508 * force / (width * height);
    return peak / count / theory;
}

TEST(Fem, ABeamPushedInTheMiddleHasItsPeakWhereTheorySays) {
    EXPECT_NEAR(threePointRatio(4, ElementOrder::Quadratic), 1, 0.05);
    const double at4 = threePointRatio(4, ElementOrder::Linear), at8 = threePointRatio(8, ElementOrder::Linear);
    std::printf("linear elements, three points: peak %.3f of theory at 4 layers, %.3f at 8\n", at4, at8);
    EXPECT_NEAR(at8, 1, 0.1);
}

TEST(Fem, SumsOfForcesAndTorquesAreGoneAfterRelief) {
    const TetMesh mesh = boxOfTets({5, 4, 3}, {1, 2, 3});
    for (const ElementOrder order : {ElementOrder::Linear, ElementOrder::Quadratic}) {
        const FemMesh fem = makeFemMesh(mesh, order);
        const auto components = componentsOf(fem);
        ASSERT_EQ(components.size(), 1u);
        const Inertia inertia(fem, components[0], 1000);
        EXPECT_NEAR(inertia.mass(), 6000, 1e-9);
        EXPECT_NEAR(inertia.aboutCentre()(0, 0), 6000 * (4 + 9) / 12.0, 1e-8);
        std::vector<Vec3> loads(fem.nodes.size(), Vec3::Zero());
        loads[3] = {1, 2, 3};
        loads[50] = {5, -1, 0};
        inertia.relieve(loads);
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (size_t n = 0; n < loads.size(); ++n) {
            force += loads[n];
            torque += fem.nodes[n].cross(loads[n]);
        }
        EXPECT_LT(force.norm(), 1e-14);
        EXPECT_LT(torque.norm(), 1e-14);
    }
}

TEST(Fem, PartsThatDoNotHangTogetherAreBodiesOfTheirOwn) {
    TetMesh two = boxOfTets({3, 2, 2}, {1, 0.5, 0.5});
    const TetMesh one = two;
    const auto offset = static_cast<uint32_t>(two.nodeCount());
    for (const Vec3& p : one.nodes) two.nodes.push_back(p + Vec3(5, 0, 0));
    for (Tet tet : one.tets) {
        for (NodeIndex& n : tet) n = NodeIndex(raw(n) + offset);
        two.tets.push_back(tet);
    }
    const FemOptions options{ElementOrder::Linear};
    const FemSolver alone(one, kConcrete, options), both(two, kConcrete, options);
    std::vector<Vec3> loads(one.nodeCount(), Vec3::Zero());
    loads[2] = {0, 50, 10};
    const StressSolution expected = alone.solve(loads);
    loads.resize(two.nodeCount(), Vec3::Zero());
    const StressSolution found = both.solve(loads);
    for (const TetIndex t : one.tets.indices()) {
        ASSERT_LT((asMatrix(found.inTet[t]) - asMatrix(expected.inTet[t])).norm(), 1e-6);
        const auto other = static_cast<TetIndex>(raw(t) + one.tetCount());
        ASSERT_LT(asMatrix(found.inTet[other]).norm(), 1e-9);
    }
}

TEST(Fem, GivesTheSameBitsForAnyNumberOfThreads) {
    const TetMesh mesh = boxOfTets({12, 10, 9}, {1, 0.7, 0.5});
    std::vector<SymMat3> expected;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        const FemSolver solver(mesh, kConcrete, {ElementOrder::Linear});
        std::vector<Vec3> loads(solver.mesh().nodes.size(), Vec3::Zero());
        loads[7] = {3, 4, 5};
        const StressSolution found = solver.solve(loads);
        const std::vector<SymMat3> now(found.atNode.begin(), found.atNode.end());
        if (expected.empty()) expected = now;
        EXPECT_EQ(now, expected);
    }
}

}  // namespace

}  // namespace sunder::stress
