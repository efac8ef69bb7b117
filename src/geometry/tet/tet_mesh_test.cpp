#include "geometry/tet/tet_mesh.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "geometry/tet/pinches.h"
#include "geometry/tet/test_checks.h"

namespace sunder {

namespace {

TetMesh meshOf(std::vector<Vec3> nodes, const std::vector<std::array<uint32_t, 4>>& tets) {
    TetMesh mesh;
    mesh.nodes = IndexedVector<NodeIndex, Vec3>(std::move(nodes));
    for (const auto& t : tets) {
        mesh.tets.push_back({static_cast<NodeIndex>(t[0]), static_cast<NodeIndex>(t[1]), static_cast<NodeIndex>(t[2]),
                             static_cast<NodeIndex>(t[3])});
    }
    return mesh;
}

TetMesh corner() { return meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}); }

/// n^3 cubes of six tets each (Kuhn): face-conforming, diagonals along (1, 1, 1).
TetMesh kuhnBlock(uint32_t n) {
    TetMesh mesh;
    const auto node = [&](uint32_t i, uint32_t j, uint32_t k) {
        return static_cast<NodeIndex>(i + (n + 1) * (j + (n + 1) * k));
    };
    for (uint32_t k = 0; k <= n; ++k) {
        for (uint32_t j = 0; j <= n; ++j) {
            for (uint32_t i = 0; i <= n; ++i) mesh.nodes.push_back(Vec3(i, j, k));
        }
    }
    std::array<size_t, 3> axes{0, 1, 2};
    do {
        const bool even = (axes[0] + 1) % 3 == axes[1];
        for (uint32_t k = 0; k < n; ++k) {
            for (uint32_t j = 0; j < n; ++j) {
                for (uint32_t i = 0; i < n; ++i) {
                    std::array<uint32_t, 3> at{i, j, k};
                    Tet tet;
                    tet[0] = node(at[0], at[1], at[2]);
                    for (size_t step = 0; step < 3; ++step) {
                        ++at[axes[step]];
                        tet[step + 1] = node(at[0], at[1], at[2]);
                    }
                    if (!even) std::swap(tet[1], tet[2]);
                    mesh.tets.push_back(tet);
                }
            }
        }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return mesh;
}

}  // namespace

TEST(TetMesh, VolumeAndAnglesOfACubeCorner) {
    const TetMesh mesh = corner();
    EXPECT_DOUBLE_EQ(volume(mesh), 1.0 / 6);
    const TetQuality quality = qualityOf(mesh);
    EXPECT_NEAR(quality.maxDihedral, 90, 1e-12);
    EXPECT_NEAR(quality.minDihedral, std::acos(1 / std::sqrt(3.0)) * 180 / std::numbers::pi, 1e-12);
    EXPECT_DOUBLE_EQ(quality.minVolume, 1.0 / 6);
}

TEST(TetMesh, RegularTetHasOneAngle) {
    const TetMesh mesh = meshOf({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 3, 2}});
    const double expected = std::acos(1.0 / 3) * 180 / std::numbers::pi;
    const TetQuality quality = qualityOf(mesh);
    EXPECT_DOUBLE_EQ(volume(mesh), std::abs(volume(mesh)));
    EXPECT_NEAR(quality.minDihedral, expected, 1e-12);
    EXPECT_NEAR(quality.maxDihedral, expected, 1e-12);
}

TEST(TetMesh, AnInvertedOrFlatTetShows) {
    TetMesh mesh = corner();
    std::swap(mesh.tets[TetIndex{0}][0], mesh.tets[TetIndex{0}][1]);
    EXPECT_DOUBLE_EQ(qualityOf(mesh).minVolume, -1.0 / 6);

    const TetMesh needle = meshOf({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1, 2, 3}});
    EXPECT_TRUE(std::isnan(qualityOf(needle).minDihedral));
}

TEST(TetMesh, EmptyMeshHasNothing) {
    EXPECT_EQ(volume(TetMesh()), 0);
    EXPECT_EQ(qualityOf(TetMesh()).maxDihedral, 0);
    EXPECT_TRUE(boundaryOf(TetMesh()).surface.empty());
    EXPECT_TRUE(cutaway(TetMesh(), Vec3::UnitX(), 0).empty());
    TetMesh empty;
    EXPECT_EQ(splitPinches(empty).doubledNodes, 0u);
}

TEST(TetMesh, FacesTurnOutward) {
    const TetMesh mesh = corner();
    const TetBoundary boundary = boundaryOf(mesh);
    ASSERT_EQ(boundary.surface.triangleCount(), 4u);
    EXPECT_TRUE(isClosedManifold(boundary.surface));
    EXPECT_DOUBLE_EQ(volume(boundary.surface), 1.0 / 6);
}

TEST(TetMesh, BlockOfCubes) {
    const uint32_t n = 5;
    const TetMesh mesh = kuhnBlock(n);
    test::expectSound(mesh);
    EXPECT_NEAR(volume(mesh), n * n * n, 1e-10);

    // inner faces see each other, and 2 n^2 triangles on each of six sides do not
    const auto neighbours = faceNeighbours(mesh);
    size_t bare = 0;
    for (const TetIndex t : mesh.tets.indices()) {
        for (const TetIndex other : neighbours[t]) {
            if (other == kNone<TetIndex>) {
                ++bare;
            } else {
                EXPECT_EQ(std::count(neighbours[other].begin(), neighbours[other].end(), t), 1);
            }
        }
    }
    EXPECT_EQ(bare, 12u * n * n);
    const TetBoundary boundary = boundaryOf(mesh);
    EXPECT_EQ(boundary.surface.triangleCount(), 12u * n * n);
    EXPECT_EQ(boundary.surface.vertexCount(), 6u * n * n + 2u);
    EXPECT_TRUE(std::is_sorted(boundary.nodeOfVertex.begin(), boundary.nodeOfVertex.end()));
    EXPECT_DOUBLE_EQ(surfaceArea(boundary.surface), 6.0 * n * n);
}

TEST(TetMesh, AFaceOfThreeTetsHasNoNeighbours) {
    const TetMesh mesh = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 0, 2}},
                                {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 5}});
    for (const auto& of : faceNeighbours(mesh)) {
        for (const TetIndex t : of) EXPECT_EQ(t, kNone<TetIndex>);
    }
}

TEST(TetMesh, CutawayShowsTheInside) {
    const TetMesh mesh = kuhnBlock(4);
    // whole cubes go: the cut is a plane
    const TriMesh half = cutaway(mesh, Vec3::UnitX(), 2);
    EXPECT_TRUE(isClosedManifold(half));
    EXPECT_DOUBLE_EQ(volume(half), 32);
    double cutArea = 0;
    for (const TriangleIndex t : half.triangles.indices()) {
        if (half.inside[t]) cutArea += 0.5 * half.areaVector(t).norm();
        EXPECT_EQ(half.materials[t], half.inside[t]);
    }
    EXPECT_DOUBLE_EQ(cutArea, 16);
    EXPECT_TRUE(cutaway(mesh, Vec3::UnitX(), -1).empty());
    const TriMesh whole = cutaway(mesh, Vec3::UnitX(), 9);
    EXPECT_EQ(std::count(whole.inside.begin(), whole.inside.end(), 1), 0);
}

TEST(TetMesh, TetsThatTouchAtANodeHaveTwoSheets) {
    const TetMesh mesh = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                                {{0, 1, 2, 3}, {0, 5, 4, 6}});
    ASSERT_GT(qualityOf(mesh).minVolume, 0);
    const TetBoundary boundary = boundaryOf(mesh);
    EXPECT_EQ(boundary.surface.vertexCount(), 8u);
    EXPECT_TRUE(isClosedManifold(boundary.surface));

    TetMesh parted = mesh;
    EXPECT_EQ(splitPinches(parted).doubledNodes, 1u);
    EXPECT_EQ(parted.nodeCount(), 8u);
    test::expectSound(parted);
}

TEST(TetMesh, TetsThatTouchAtAnEdgeArePartedThere) {
    TetMesh mesh =
        meshOf({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 2, 3, 1}, {0, 4, 5, 1}});
    const PinchReport report = splitPinches(mesh);
    EXPECT_EQ(report.doubledNodes, 2u);
    EXPECT_EQ(report.droppedTets, 0u);
    test::expectSound(mesh);
}

// A ring of tets that bites its own tail at one edge only: the two wedges there hang together through the ring at both
// ends of the edge, so no doubling of nodes can part them.
TEST(TetMesh, AnEdgeThatCannotBePartedLosesItsSmallerWedge) {
    // cubes of a 3 x 3 x 1 block without the middle one, and without the one beside it: then cubes of the ring that
    // meet at an edge only
    TetMesh block = kuhnBlock(3);
    std::vector<TetIndex> kept;
    for (const TetIndex t : block.tets.indices()) {
        const auto x = block.corners(t);
        const Vec3 middle = 0.25 * (x[0] + x[1] + x[2] + x[3]);
        const bool inLowerLayer = middle.z() < 1;
        const bool centreColumn = std::floor(middle.x()) == 1 && std::floor(middle.y()) == 1;
        const bool besideCorner = std::floor(middle.x()) == 2 && std::floor(middle.y()) == 2;
        // in the middle layer the cubes (1,1) and (2,2) stay and (1,2), (2,1) go; above and below all stay
        const bool middleLayer = middle.z() > 1 && middle.z() < 2;
        if (!middleLayer || centreColumn || besideCorner || inLowerLayer) kept.push_back(t);
    }
    TetMesh mesh = subset(block, kept);
    EXPECT_FALSE(isClosedManifold(boundaryOf(mesh).surface));
    const PinchReport report = splitPinches(mesh);
    EXPECT_GT(report.droppedTets, 0u);
    test::expectSound(mesh);
}

TEST(TetMesh, SubsetKeepsRegions) {
    TetMesh mesh = kuhnBlock(1);
    for (int i = 0; i < 6; ++i) mesh.regions.push_back(10 + i);
    const TetMesh part = subset(mesh, {TetIndex{4}, TetIndex{1}});
    ASSERT_EQ(part.regions.size(), 2u);
    EXPECT_EQ(part.regions[TetIndex{0}], 14);
    EXPECT_DOUBLE_EQ(volume(part), 2.0 / 6);
    EXPECT_LE(part.nodeCount(), 6u);
}

}  // namespace sunder
