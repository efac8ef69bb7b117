#include "math/sparse/dissection.h"

#include <gtest/gtest.h>

#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "math/sparse/test_matrices.h"

namespace sunder {

namespace {

/// Parts on the way from each part to the root, itself included.
std::vector<std::vector<uint8_t>> ancestry(const Dissection& dissection) {
    const size_t count = dissection.parts.size();
    std::vector<uint32_t> parent(count, kInvalidIndex);
    for (uint32_t p = 0; p < count; ++p) {
        for (const uint32_t child : dissection.parts[p].children) parent[child] = p;
    }
    std::vector<std::vector<uint8_t>> above(count, std::vector<uint8_t>(count, 0));
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = p; q != kInvalidIndex; q = parent[q]) above[p][q] = 1;
    }
    return above;
}

TEST(Dissection, EveryNodeIsEliminatedOnceAndNoEdgeJoinsTwoSidesOfASeparator) {
    for (const Int3& count : {Int3{1, 1, 1}, Int3{9, 9, 9}, Int3{40, 3, 2}, Int3{20, 20, 1}, Int3{7, 12, 9}}) {
        const test::PlacedMatrix lattice = test::randomLattice(count, 3);
        const NodeGraph& graph = lattice.matrix.graph;
        const Dissection found = dissect(graph, lattice.positions, {10});
        std::vector<uint32_t> partOf(graph.size(), kInvalidIndex);
        uint32_t place = 0;
        for (uint32_t p = 0; p < found.parts.size(); ++p) {
            ASSERT_EQ(found.parts[p].begin, place);
            for (; place < found.parts[p].end; ++place) {
                ASSERT_EQ(partOf[found.order[place]], kInvalidIndex);
                partOf[found.order[place]] = p;
            }
        }
        ASSERT_EQ(place, graph.size());
        const auto above = ancestry(found);
        for (uint32_t n = 0; n < graph.size(); ++n) {
            for (const uint32_t m : graph.of(n)) {
                ASSERT_TRUE(above[partOf[n]][partOf[m]] || above[partOf[m]][partOf[n]]);
            }
        }
    }
}

TEST(Dissection, SeparatorsOfABoxArePlanes) {
    const test::PlacedMatrix lattice = test::randomLattice({24, 12, 12}, 5);
    const Dissection found = dissect(lattice.matrix.graph, lattice.positions, {20});
    const Dissection::Part& root = found.parts.back();
    EXPECT_LE(root.end - root.begin, 12u * 12u);
}

TEST(Dissection, IsTheSameForAnyNumberOfThreads) {
    const test::PlacedMatrix lattice = test::randomLattice({22, 22, 22}, 7);
    const Dissection expected = dissect(lattice.matrix.graph, lattice.positions);
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(dissect(lattice.matrix.graph, lattice.positions).order, expected.order);
    }
}

TEST(Dissection, TakesNodesThatLieAtOnePlaceAndGraphsInSeveralPieces) {
    test::PlacedMatrix lattice = test::randomLattice({6, 6, 6}, 2);
    for (Vec3& p : lattice.positions) p = Vec3::Zero();
    EXPECT_EQ(dissect(lattice.matrix.graph, lattice.positions, {8}).order.size(), 216u);
    NodeGraph lonely;
    lonely.first.assign(101, 0);
    EXPECT_EQ(dissect(lonely, std::vector<Vec3>(100, Vec3::Zero()), {8}).order.size(), 100u);
}

}  // namespace

}  // namespace sunder
