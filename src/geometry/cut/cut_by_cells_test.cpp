#include "geometry/cut/cut_by_cells.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/diagnose.h"
#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

const Box3 kAround{Vec3::Constant(-2), Vec3::Constant(2)};

TriMesh plainBox(const Box3& box) { return toTriMesh(polytopeOf(box)); }

double insideArea(const TriMesh& mesh) {
    double area = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (mesh.inside[t]) area += 0.5 * mesh.areaVector(t).norm();
    }
    return area;
}

TEST(CutByCells, OneSiteCutsNothing) {
    const TriMesh ball = makeShape("sphere");
    const std::vector<Vec3> site{Vec3(0.1, 0, 0)};
    const auto pieces = cutByCells(ball, voronoi(site, boundsOf(ball)));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].cell, 0u);
    EXPECT_EQ(pieces[0].mesh.positions.items(), ball.positions.items());
    EXPECT_EQ(pieces[0].mesh.triangles.items(), ball.triangles.items());
    EXPECT_EQ(insideArea(pieces[0].mesh), 0);
}

TEST(CutByCells, HalvesOfACubeAreKnown) {
    const TriMesh cube = plainBox({Vec3::Zero(), Vec3::Ones()});
    const std::vector<Vec3> sites{Vec3(0, 0.5, 0.5), Vec3(0.5, 0.5, 0.5)};  // wall at x = 0.25
    const auto pieces = cutByCells(cube, voronoi(sites, kAround));
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0].cell, 0u);
    EXPECT_NEAR(volume(pieces[0].mesh), 0.25, 1e-15);
    EXPECT_NEAR(volume(pieces[1].mesh), 0.75, 1e-15);
    for (const CutPiece& piece : pieces) {
        EXPECT_TRUE(diagnose(piece.mesh).solid()) << describe(diagnose(piece.mesh));
        EXPECT_NEAR(insideArea(piece.mesh), 1, 1e-15);
        for (const TriangleIndex t : piece.mesh.triangles.indices()) {
            if (!piece.mesh.inside[t]) continue;
            for (const Vec3& p : piece.mesh.corners(t)) EXPECT_EQ(p.x(), 0.25);
        }
    }
}

// two bars side by side, as one solid of two shells: each cell holds a part of both
TEST(CutByCells, ACellMayHoldSeveralPieces) {
    TriMesh bars = plainBox({Vec3(0, 0, 0), Vec3(3, 1, 1)});
    append(bars, plainBox({Vec3(0, 2, 0), Vec3(3, 3.5, 1)}));
    const std::vector<Vec3> sites{Vec3(-1, 1.5, 0.5), Vec3(3, 1.5, 0.5)};  // wall at x = 1
    const auto pieces = cutByCells(bars, voronoi(sites, {Vec3::Constant(-5), Vec3::Constant(5)}));
    ASSERT_EQ(pieces.size(), 4u);
    const double volumes[] = {1.5, 1, 3, 2};  // by cell, then the largest first
    for (size_t p = 0; p < 4; ++p) {
        EXPECT_EQ(pieces[p].cell, p / 2);
        EXPECT_NEAR(volume(pieces[p].mesh), volumes[p], 1e-14);
    }
}

TEST(CutByCells, ACavityBelongsToThePieceAroundIt) {
    TriMesh hollow = plainBox({Vec3::Constant(-1), Vec3::Constant(1)});
    TriMesh cavity = plainBox({Vec3(0.2, -0.3, -0.3), Vec3(0.8, 0.3, 0.3)});
    flipOrientation(cavity);
    append(hollow, cavity);
    append(hollow, plainBox({Vec3(0.4, -0.1, -0.1), Vec3(0.6, 0.1, 0.1)}));  // and a body in the cavity
    const std::vector<Vec3> sites{Vec3(-0.5, 0.01, 0), Vec3(0.5, 0.01, 0)};  // wall at x = 0: misses the cavity
    const auto pieces = cutByCells(hollow, voronoi(sites, kAround));
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_NEAR(volume(pieces[0].mesh), 4, 1e-14);
    EXPECT_NEAR(volume(pieces[1].mesh), 4 - 0.6 * 0.6 * 0.6, 1e-14);
    EXPECT_NEAR(volume(pieces[2].mesh), 0.2 * 0.2 * 0.2, 1e-14);
    EXPECT_EQ(connectedComponents(pieces[1].mesh, MeshTopology(pieces[1].mesh)).count, 2u);
}

// a wall that cuts a ring around a hole: the crack face has a hole in it
TEST(CutByCells, ATubeCutAcrossHasACrackWithAHole) {
    TriMesh tube = plainBox({Vec3(-1, -1, -1), Vec3(1, 1, 1)});
    TriMesh cavity = plainBox({Vec3::Constant(-0.5), Vec3::Constant(0.5)});
    flipOrientation(cavity);
    append(tube, cavity);
    const std::vector<Vec3> sites{Vec3(0.1, 0.2, -1), Vec3(0.1, 0.2, 1.2)};  // wall at z = 0.1
    const auto pieces = cutByCells(tube, voronoi(sites, kAround));
    ASSERT_EQ(pieces.size(), 2u);
    for (const CutPiece& piece : pieces) {
        EXPECT_NEAR(insideArea(piece.mesh), 4 - 1, 1e-14);
        EXPECT_TRUE(diagnose(piece.mesh).solid()) << describe(diagnose(piece.mesh));
    }
    EXPECT_NEAR(volume(pieces[0].mesh), 4 * 1.1 - 0.6, 1e-14);
}

TEST(CutByCells, PartsThatTouchAtAVertexAreTakenApart) {
    // two cubes corner to corner, and a wall through that corner that lies in a face of each
    TriMesh pair = plainBox({Vec3(0, 0, 0), Vec3(1, 1, 1)});
    append(pair, plainBox({Vec3(1, 1, 1), Vec3(2, 2, 2)}));
    const std::vector<Vec3> sites{Vec3(1, 1, 0.5), Vec3(1, 1, 1.5)};  // wall z = 1 in faces of both
    const auto pieces = cutByCells(pair, voronoi(sites, {Vec3::Constant(-3), Vec3::Constant(3)}));
    ASSERT_EQ(pieces.size(), 2u);
    for (const CutPiece& piece : pieces) {
        EXPECT_TRUE(isClosedManifold(piece.mesh));
        EXPECT_NEAR(volume(piece.mesh), 1, 1e-15);
        EXPECT_EQ(insideArea(piece.mesh), 0);
    }
}

TEST(CutByCells, MaterialsAndUvsOfCracks) {
    TriMesh cube = makeShape("box", {}, 8);
    cube.materials.assign(cube.triangleCount(), 1);
    cube.materialNames = {"unused", "stone"};
    const std::vector<Vec3> sites{Vec3(-0.3, 0.01, 0), Vec3(0.2, 0, 0.02)};
    for (const CutPiece& piece : cutByCells(cube, voronoi(sites, boundsOf(cube)))) {
        ASSERT_EQ(piece.mesh.materialNames, (std::vector<std::string>{"unused", "stone", "inside"}));
        for (const TriangleIndex t : piece.mesh.triangles.indices()) {
            EXPECT_EQ(piece.mesh.materials[t], piece.mesh.inside[t] ? 2u : 1u);
            if (!piece.mesh.inside[t]) continue;
            for (size_t k = 0; k < 3; ++k) {  // the crack faces x: u = y, v = z, in metres
                const Vec3& p = piece.mesh.positions[piece.mesh.triangles[t][k]];
                EXPECT_EQ(piece.mesh.uvs[t][k], Vec2(p.y(), p.z()));
                EXPECT_GT(std::abs(piece.mesh.normals[t][k].x()), 0.9);
            }
        }
    }
}

TEST(CutByCells, SameBitsForAnyNumberOfThreads) {
    const TriMesh solid = makeShape("animal", {}, 32);
    std::vector<Vec3> sites(40);
    const Box3 box = boundsOf(solid);
    for (size_t i = 0; i < sites.size(); ++i) {
        Random random(3, i);
        for (int k = 0; k < 3; ++k) sites[i][k] = box.min[k] + random.uniform() * box.size()[k];
    }
    const VoronoiDiagram cells = voronoi(sites, box);
    const auto all = cutByCells(solid, cells);
    const ThreadLimit one(1);
    const auto single = cutByCells(solid, cells);
    ASSERT_EQ(all.size(), single.size());
    for (size_t p = 0; p < all.size(); ++p) {
        EXPECT_EQ(all[p].cell, single[p].cell);
        EXPECT_EQ(all[p].mesh.positions.items(), single[p].mesh.positions.items());
        EXPECT_EQ(all[p].mesh.triangles.items(), single[p].mesh.triangles.items());
        EXPECT_EQ(all[p].mesh.uvs.items(), single[p].mesh.uvs.items());
    }
}

TEST(CutByCells, RefusesWhatItCannotCut) {
    TriMesh open = plainBox({Vec3::Zero(), Vec3::Ones()});
    const VoronoiDiagram cells = voronoi(std::vector<Vec3>{Vec3::Zero(), Vec3::Ones()}, kAround);
    const TriMesh large = plainBox({Vec3::Zero(), Vec3::Constant(3)});
    EXPECT_THROW(cutByCells(large, cells), std::invalid_argument);
    open.triangles.items().pop_back();
    EXPECT_THROW(cutByCells(open, cells), std::invalid_argument);
}

}  // namespace
}  // namespace sunder
