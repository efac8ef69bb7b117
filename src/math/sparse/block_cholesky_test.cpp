#include "math/sparse/block_cholesky.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "math/sparse/test_matrices.h"

namespace sunder {

namespace {

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
    const auto size = static_cast<Eigen::Index>(3 * matrix.size());
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(size, size);
    for (size_t n = 0; n < matrix.size(); ++n) {
        const auto row = static_cast<Eigen::Index>(3 * n);
        full.block<3, 3>(row, row) = matrix.diagonal[n];
        for (size_t i = matrix.graph.first[n]; i < matrix.graph.first[n + 1]; ++i) {
            full.block<3, 3>(row, 3 * static_cast<Eigen::Index>(matrix.graph.neighbours[i])) = matrix.others[i];
        }
    }
    return full;
}

TEST(BlockCholesky, SolvesAsADenseSolverDoes) {
    const test::PlacedMatrix lattice = test::randomLattice({5, 6, 4}, 1);
    const std::vector<Vec3> b = test::randomVectors(lattice.matrix.size(), 2);
    std::vector<Vec3> x = b;
    BlockCholesky(lattice.matrix, lattice.positions, {6}).solve(x);
    const Eigen::Map<const Eigen::VectorXd> right(b[0].data(), static_cast<Eigen::Index>(3 * b.size()));
    const Eigen::VectorXd expected = dense(lattice.matrix).ldlt().solve(right);
    const Eigen::Map<const Eigen::VectorXd> found(x[0].data(), static_cast<Eigen::Index>(3 * x.size()));
    EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm());
}

TEST(BlockCholesky, SolvesLatticesOfAnyForm) {
    for (const Int3& count : {Int3{1, 1, 1}, Int3{2, 1, 1}, Int3{60, 2, 2}, Int3{25, 25, 1}, Int3{11, 12, 13}}) {
        for (const size_t leaf : {1u, 8u, 40u, 5000u}) {
            const test::PlacedMatrix lattice = test::randomLattice(count, leaf);
            const std::vector<Vec3> b = test::randomVectors(lattice.matrix.size(), 4);
            std::vector<Vec3> x = b;
            BlockCholesky(lattice.matrix, lattice.positions, {leaf}).solve(x);
            EXPECT_LT(test::residual(lattice.matrix, x, b), 1e-13);
        }
    }
}

TEST(BlockCholesky, GivesTheSameBitsForAnyNumberOfThreads) {
    const test::PlacedMatrix lattice = test::randomLattice({16, 15, 14}, 6);
    std::vector<Vec3> expected = test::randomVectors(lattice.matrix.size(), 8);
    const std::vector<Vec3> b = expected;
    BlockCholesky(lattice.matrix, lattice.positions).solve(expected);
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> found = b;
        BlockCholesky(lattice.matrix, lattice.positions).solve(found);
        EXPECT_EQ(found, expected);
    }
}

TEST(BlockCholesky, RefusesAMatrixThatIsNotPositiveDefinite) {
    test::PlacedMatrix lattice = test::randomLattice({4, 4, 4}, 3);
    lattice.matrix.diagonal[37] = -Mat3::Identity();
    try {
        BlockCholesky(lattice.matrix, lattice.positions);
        FAIL() << "not refused";
    } catch (const NotPositiveDefinite& error) {
        EXPECT_LT(error.node, 64u);
    }
    EXPECT_NO_THROW(BlockCholesky(BlockMatrix{}, {}));
}

}  // namespace

}  // namespace sunder
