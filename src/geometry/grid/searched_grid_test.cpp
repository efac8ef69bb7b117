#include "geometry/grid/searched_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/tree/test_meshes.h"

namespace sunder {
namespace {

constexpr int kAcross = 14;

GridFrame frameOf(const TriMesh& mesh) {
    const Box3 box = boundsOf(mesh);
    return alignedFrame(box, exactCellSize(box.size().maxCoeff() / kAcross), 1);
}

/// 20,480 triangles.
TriMesh bumpyBall() {
    TriMesh ball = test::sphere({0.3, -0.2, 0.1}, 1, 5);
    for (Vec3& p : ball.positions) p *= 1 + 0.1 * std::sin(7 * p.x()) * std::sin(5 * p.y() + 3 * p.z());
    return ball;
}

std::vector<CutPiece> broken(const TriMesh& solid, size_t pieces, uint64_t seed) {
    Box3 box = boundsOf(solid);
    Random random(seed);
    std::vector<Vec3> sites;
    for (size_t i = 0; i < pieces; ++i) sites.push_back(test::randomIn(random, box));
    return cutByCells(solid, voronoi(sites, box.expanded(0.1 * box.diagonal())));
}

void expectSame(const SearchedGrid& a, const SearchedGrid& b) {
    ASSERT_EQ(a.grid.frame(), b.grid.frame());
    EXPECT_TRUE(std::ranges::equal(a.grid.values(), b.grid.values()));
}

TEST(SearchedGrid, IsTheGridOfTheMesh) {
    const TriMesh mesh = bumpyBall();
    const GridFrame frame = frameOf(mesh);
    const SearchedGrid searched = searchedGrid(TriangleTree(mesh), frame);
    const DistanceGrid other = gridFromMesh(mesh, frame, {.bandCells = 4});
    EXPECT_EQ(searched.searches, frame.pointCount());
    for (size_t n = 0; n < frame.pointCount(); ++n) {
        const float a = searched.grid.values()[n], b = other.values()[n];
        EXPECT_EQ(a < 0, b < 0);
        const double allowed = std::abs(a) < 4 * frame.cellSize ? 1e-6 : 0.1;  // sweeps go on from the band
        EXPECT_NEAR(a, b, allowed * frame.cellSize);
    }
}

TEST(SearchedGrid, OfAPieceIsTheSameFromTheWholeBitByBit) {
    const TriMesh solid = bumpyBall();
    const SearchedGrid whole = searchedGrid(TriangleTree(solid), frameOf(solid));
    size_t points = 0, searches = 0;
    for (const size_t count : {2u, 3u, 9u}) {
        for (const CutPiece& piece : broken(solid, count, count)) {
            const TriangleTree tree(piece.mesh);
            const GridFrame frame = frameOf(piece.mesh);
            const SearchedGrid alone = searchedGrid(tree, frame);
            const SearchedGrid made = searchedGrid(tree, frame, {&solid, &whole.nearest});
            expectSame(made, alone);
            if (frame.cellSize != whole.nearest.frame.cellSize) continue;
            points += frame.pointCount();
            searches += made.searches;
            // and so on, from piece to piece
            for (const CutPiece& part : broken(piece.mesh, 2, 7)) {
                const TriangleTree partTree(part.mesh);
                const GridFrame partFrame = frameOf(part.mesh);
                expectSame(searchedGrid(partTree, partFrame, {&piece.mesh, &made.nearest}),
                           searchedGrid(partTree, partFrame));
            }
        }
    }
    EXPECT_GT(points, 10'000u);
    EXPECT_LT(static_cast<double>(searches), 0.5 * static_cast<double>(points));
}

TEST(SearchedGrid, OfSomethingElseIsSearchedFor) {
    const TriMesh solid = bumpyBall(), other = test::sphere({0.3, -0.2, 0.1}, 1.1, 4);
    const SearchedGrid whole = searchedGrid(TriangleTree(solid), frameOf(solid));
    const TriangleTree tree(other);
    expectSame(searchedGrid(tree, frameOf(other), {&solid, &whole.nearest}), searchedGrid(tree, frameOf(other)));
    const TriangleTree same(solid);
    GridFrame beside = frameOf(solid);
    beside.origin.x() += 0.3 * beside.cellSize;  // no points in common
    const SearchedGrid shifted = searchedGrid(same, beside, {&solid, &whole.nearest});
    expectSame(shifted, searchedGrid(same, beside));
    EXPECT_EQ(shifted.searches, beside.pointCount());
}

TEST(SearchedGrid, DoesNotDependOnThreads) {
    const TriMesh solid = bumpyBall();
    const TriangleTree tree(solid);
    const SearchedGrid many = searchedGrid(tree, frameOf(solid));
    const ThreadLimit one(1);
    expectSame(searchedGrid(tree, frameOf(solid)), many);
}

TEST(SearchedGrid, SizesOfCellsAreExact) {
    for (const double most : {1e-9, 0.013, 0.75, 0.999, 1.0, 1.4, 1.5, 1e6}) {
        const double cell = exactCellSize(most);
        EXPECT_LE(cell, most);
        EXPECT_GT(1.5 * cell, most);
        for (int i = -1000; i < 1000; ++i) EXPECT_EQ((i * cell + 37 * cell) / cell, i + 37);
    }
    EXPECT_EQ(exactCellSize(1), 1);
    EXPECT_EQ(exactCellSize(0.8), 0.75);
}

TEST(SearchedGrid, FlatTrianglesAreFound) {
    TriMesh mesh = bumpyBall();
    EXPECT_FALSE(hasFlatTriangles(mesh));
    mesh.positions[mesh.triangles[TriangleIndex{7}][0]] = mesh.positions[mesh.triangles[TriangleIndex{7}][1]];
    EXPECT_TRUE(hasFlatTriangles(mesh));
}

}  // namespace
}  // namespace sunder
