#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>

#include "base/stopwatch.h"
#include "bench/peers/sparse_solvers.h"

namespace sunder::bench {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

Eigen::Map<const Matrix> view(const PeerSystem& s) {
    const auto size = static_cast<Eigen::Index>(s.right.size());
    return {size, size, static_cast<Eigen::Index>(s.value.size()), s.first.data(), s.row.data(), s.value.data()};
}

Eigen::Map<const Eigen::VectorXd> rightOf(const PeerSystem& s) {
    return {s.right.data(), static_cast<Eigen::Index>(s.right.size())};
}

}  // namespace

PeerTimes eigenDirect(const PeerSystem& system) {
    PeerTimes times;
    const Matrix matrix = view(system);
    Stopwatch watch;
    const Eigen::SimplicialLDLT<Matrix> factor(matrix);
    times.factor = watch.wallSeconds();
    watch = {};
    const Eigen::VectorXd answer = factor.solve(rightOf(system));
    times.solve = watch.wallSeconds();
    times.answer.assign(answer.begin(), answer.end());
    return times;
}

PeerIterations eigenIterative(const PeerSystem& system, double tolerance) {
    const Matrix matrix = view(system);
    Eigen::ConjugateGradient<Matrix, Eigen::Lower, Eigen::IncompleteCholesky<double>> solver;
    solver.setTolerance(tolerance);
    solver.compute(matrix);
    const Stopwatch watch;
    const Eigen::VectorXd answer = solver.solve(rightOf(system));
    return {watch.wallSeconds(), static_cast<int>(solver.iterations())};
}

}  // namespace sunder::bench
