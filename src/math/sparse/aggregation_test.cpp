#include "math/sparse/aggregation.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "math/sparse/conjugate_gradient.h"
#include "math/sparse/test_matrices.h"

namespace sunder {
namespace {

/// Nodes on a lattice, tied along edges and diagonals by springs that resist being stretched and, less, being sheared:
/// rigid motions of the whole cost nothing. `tie` scales the springs between two places; 0: no spring.
template <class Tie>
test::PlacedMatrix springs(Int3 count, const Tie& tie) {
    test::PlacedMatrix made;
    const auto id = [&](int x, int y, int z) { return static_cast<uint32_t>((z * count[1] + y) * count[0] + x); };
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            for (int x = 0; x < count[0]; ++x) made.positions.emplace_back(x, y, z);
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, Mat3> lower;
    std::vector<Mat3> diagonal(made.positions.size(), Mat3::Zero());
    for (uint32_t a = 0; a < made.positions.size(); ++a) {
        const Vec3 p = made.positions[a];
        for (int step = 0; step < 27; ++step) {
            const Vec3 q = p + Vec3(step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1);
            if (q == p || q.minCoeff() < 0 || q.x() >= count[0] || q.y() >= count[1] || q.z() >= count[2]) continue;
            const uint32_t b = id(static_cast<int>(q.x()), static_cast<int>(q.y()), static_cast<int>(q.z()));
            const double stiffness = tie(p, q);
            if (b > a || stiffness == 0) continue;
            const Vec3 along = (q - p).normalized();
            const Mat3 spring = stiffness * along * along.transpose();
            lower[{a, b}] = -spring;
            diagonal[a] += spring;
            diagonal[b] += spring;
        }
    }
    made.matrix = test::fromBlocks(made.positions.size(), lower, std::move(diagonal));
    return made;
}

struct Solved {
    IterationResult result;
    std::vector<Vec3> x;
    double residual = 0;
};

/// For a right-hand side that is in the range of the matrix.
Solved solve(const test::PlacedMatrix& placed, const Preconditioner& precondition) {
    std::vector<Vec3> right(placed.positions.size());
    placed.matrix.times(test::randomVectors(right.size(), 3), right);
    Solved solved;
    solved.x.assign(right.size(), Vec3::Zero());
    solved.result = conjugateGradient(placed.matrix, right, solved.x, {1e-8, 5000}, precondition);
    solved.residual = test::residual(placed.matrix, solved.x, right);
    return solved;
}

Preconditioner by(const Aggregation& aggregation) {
    return [&](std::span<const Vec3> residual, std::span<Vec3> result) { aggregation.apply(residual, result); };
}

TEST(Aggregation, IterationsDoNotGrowWithTheSize) {
    std::vector<int> ours, diagonal;
    for (const int size : {8, 16, 24}) {
        const test::PlacedMatrix placed = springs({size, size, size}, [](const Vec3&, const Vec3&) { return 1.0; });
        const Aggregation aggregation(placed.matrix, placed.positions);
        EXPECT_LT(aggregation.aggregates(), placed.positions.size() / 10);
        const Solved solved = solve(placed, by(aggregation));
        EXPECT_LT(solved.residual, 1e-7);
        ours.push_back(solved.result.iterations);
        diagonal.push_back(solve(placed, byDiagonal(placed.matrix)).result.iterations);
    }
    EXPECT_LE(ours[2], ours[0] + 8);
    EXPECT_LT(3 * ours[2], diagonal[2]);
}

TEST(Aggregation, SlabsAndCrackedBlocksTakeFewIterations) {
    // a slab of two layers; a block that is cut in the middle but for a ligament, and springs across a cut that are
    // nearly gone
    const auto slab = springs({40, 40, 2}, [](const Vec3&, const Vec3&) { return 1.0; });
    const auto across = [](const Vec3& p, const Vec3& q) { return (p.x() < 7.5) != (q.x() < 7.5); };
    const auto hanging = springs({16, 16, 16}, [&](const Vec3& p, const Vec3& q) {
        return across(p, q) && (p.y() > 1.5 || p.z() > 1.5 || q.y() > 1.5 || q.z() > 1.5) ? 0.0 : 1.0;
    });
    const auto faint = springs({16, 16, 16}, [&](const Vec3& p, const Vec3& q) { return across(p, q) ? 1e-4 : 1.0; });
    for (const test::PlacedMatrix* placed : {&slab, &hanging, &faint}) {
        const Aggregation aggregation(placed->matrix, placed->positions);
        const Solved solved = solve(*placed, by(aggregation));
        EXPECT_LT(solved.residual, 1e-7);
        EXPECT_LT(solved.result.iterations, 45);
        EXPECT_LT(3 * solved.result.iterations, solve(*placed, byDiagonal(placed->matrix)).result.iterations);
    }
}

TEST(Aggregation, PartsThatDoNotHangTogetherAreSolvedAlike) {
    // two blocks side by side, a pair of nodes, and one alone
    auto placed = springs({13, 6, 6}, [](const Vec3& p, const Vec3& q) {
        const auto part = [](const Vec3& v) {
            return v.x() < 6 ? 0 : v.x() < 12 ? 1 : 2 + v.y() + 10 * std::floor(v.z() / 2);
        };
        return part(p) == part(q) ? 1.0 : 0.0;
    });
    const Aggregation aggregation(placed.matrix, placed.positions);
    const Solved solved = solve(placed, by(aggregation));
    EXPECT_LT(solved.residual, 1e-7);
    EXPECT_LT(solved.result.iterations, 60);
}

TEST(Aggregation, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto placed = springs({20, 20, 20}, [](const Vec3&, const Vec3&) { return 1.0; });
    std::vector<std::vector<Vec3>> made;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        const Aggregation aggregation(placed.matrix, placed.positions);
        made.push_back(solve(placed, by(aggregation)).x);
    }
    EXPECT_EQ(made[0], made[1]);
    EXPECT_EQ(made[0], made[2]);
}

TEST(Aggregation, IsSymmetricAndPositive) {
    const auto placed =
        springs({9, 7, 5}, [](const Vec3& p, const Vec3& q) { return 1 + 0.3 * std::sin((p + q).sum()); });
    const Aggregation aggregation(placed.matrix, placed.positions);
    const std::vector<Vec3> a = test::randomVectors(placed.positions.size(), 5);
    const std::vector<Vec3> b = test::randomVectors(placed.positions.size(), 6);
    std::vector<Vec3> ofA(a.size()), ofB(a.size());
    aggregation.apply(a, ofA);
    aggregation.apply(b, ofB);
    double ab = 0, ba = 0, aa = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        ab += a[i].dot(ofB[i]);
        ba += b[i].dot(ofA[i]);
        aa += a[i].dot(ofA[i]);
    }
    EXPECT_GT(aa, 0);
    EXPECT_NEAR(ab, ba, 1e-6 * aa);
}

}  // namespace
}  // namespace sunder
