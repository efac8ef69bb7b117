#include "math/sparse/validate.h"

#include <gtest/gtest.h>

#include "math/sparse/test_matrices.h"

namespace sunder {
namespace {

TEST(ValidateBlockMatrix, ASoundMatrixAndNoneHaveNoProblem) {
    EXPECT_EQ(problemWith(test::randomLattice({3, 2, 2}, 1).matrix), "");
    EXPECT_EQ(problemWith(BlockMatrix()), "");
}

TEST(ValidateBlockMatrix, EachBrokenPromiseIsNamed) {
    const auto problem = [](auto&& spoil) {
        BlockMatrix matrix = test::randomLattice({3, 1, 1}, 1).matrix;  // nodes 0 - 1 - 2
        spoil(matrix);
        return problemWith(matrix);
    };
    EXPECT_EQ(problem([](BlockMatrix& m) { m.diagonal.pop_back(); }), "3 rows of neighbours for 2 nodes");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.others.pop_back(); }), "3 blocks for 4 neighbours");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.graph.first[3] = 3; }), "rows of neighbours from 0 to 3 of 4");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.graph.first[1] = 4; }), "node 1 has less than no neighbours");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.graph.neighbours[0] = 3; }), "node 0 is next to node 3");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.graph.neighbours[1] = 1; }), "node 1 is next to node 1");
    EXPECT_EQ(problem([](BlockMatrix& m) { std::swap(m.graph.neighbours[1], m.graph.neighbours[2]); }),
              "the neighbours of node 1 do not ascend");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.graph.neighbours[0] = 2; }), "node 2 does not know node 0");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.diagonal[1](0, 1) += 1; }), "block 1 is not symmetric");
    EXPECT_EQ(problem([](BlockMatrix& m) { m.others[0](0, 1) += 1; }), "blocks (0, 1) and back are not transposes");
}

}  // namespace
}  // namespace sunder
