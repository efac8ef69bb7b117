#include "math/sparse/dense_cholesky.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"

namespace sunder {

namespace {

Eigen::MatrixXd randomDefinite(Eigen::Index size, uint64_t seed) {
    Random random(seed);
    Eigen::MatrixXd some(size, size);
    for (Eigen::Index i = 0; i < some.size(); ++i) some.data()[i] = random.uniform(-1, 1);
    return some * some.transpose() + static_cast<double>(size) * Eigen::MatrixXd::Identity(size, size);
}

TEST(DenseCholesky, EliminatesAnyNumberOfPivots) {
    for (const Eigen::Index size : {1, 2, 7, 8, 9, 63, 64, 65, 130, 200, 333}) {
        for (const Eigen::Index pivots : {Eigen::Index(0), Eigen::Index(1), size / 3, size - 1, size}) {
            const Eigen::MatrixXd given = randomDefinite(size, static_cast<uint64_t>(size));
            Eigen::MatrixXd found = given;
            ASSERT_EQ(eliminate({found.data(), static_cast<size_t>(size), static_cast<size_t>(size)},
                                static_cast<size_t>(pivots)),
                      kAllPivots);
            Eigen::MatrixXd expected = given;
            const Eigen::MatrixXd pivot = given.topLeftCorner(pivots, pivots);
            const Eigen::MatrixXd l11 = pivots > 0 ? Eigen::MatrixXd(pivot.llt().matrixL()) : pivot;
            expected.topLeftCorner(pivots, pivots) = l11;
            if (pivots > 0 && pivots < size) {
                const Eigen::MatrixXd l21 = l11.triangularView<Eigen::Lower>()
                                                .solve(given.bottomLeftCorner(size - pivots, pivots).transpose())
                                                .transpose();
                expected.bottomLeftCorner(size - pivots, pivots) = l21;
                expected.bottomRightCorner(size - pivots, size - pivots) -= l21 * l21.transpose();
            }
            const Eigen::MatrixXd difference = (found - expected).triangularView<Eigen::Lower>();
            EXPECT_LT(difference.norm(), 1e-13 * given.norm()) << size << ", " << pivots;
            const Eigen::MatrixXd above = (found - given).triangularView<Eigen::StrictlyUpper>();
            EXPECT_EQ(above.norm(), 0) << "the upper triangle is not touched";
        }
    }
}

TEST(DenseCholesky, SaysWhichPivotIsNotPositive) {
    Eigen::MatrixXd matrix = randomDefinite(100, 4);
    matrix(70, 70) = -1;
    EXPECT_EQ(eliminate({matrix.data(), 100, 100}, 100), 70u);
    matrix = randomDefinite(100, 4);
    matrix(3, 3) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(eliminate({matrix.data(), 100, 100}, 100), 3u);
}

TEST(DenseCholesky, GivesTheSameBitsForAnyNumberOfThreads) {
    const Eigen::MatrixXd given = randomDefinite(500, 9);
    Eigen::MatrixXd expected = given;
    eliminate({expected.data(), 500, 500}, 300);
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Eigen::MatrixXd found = given;
        eliminate({found.data(), 500, 500}, 300);
        EXPECT_EQ(found, expected);
    }
}

}  // namespace

}  // namespace sunder
