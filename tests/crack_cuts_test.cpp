// Cracks along random surfaces through the tets of many shapes: the pieces are closed and manifold, both sides of a
// crack have the same faces, and nothing is lost.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fracture/common/crack_pieces.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tet/stuffing.h"
#include "tests/piece_checker.h"

namespace sunder::fracture {
namespace {

/// A shape with the tets that fill it.
struct Filled {
    TriMesh mesh;
    DistanceGrid grid;
    TetMesh tets;

    Filled(TriMesh shape, double cell) : mesh(std::move(shape)), grid(gridFromMesh(mesh, cell, {.bandCells = 4})) {
        tets = stuffIsosurface(grid, {.cellSize = cell / kCubePerCell});
    }
};

/// Where it is 0: a plane through the body with waves on it.
struct Waves {
    Vec3 normal, along;
    double offset, height, length;  // m

    Waves(const Box3& box, Random& random) {
        const auto direction = [&] { return Vec3(random.normal(), random.normal(), random.normal()).normalized(); };
        const double size = box.diagonal();
        normal = direction();
        along = direction();
        offset = normal.dot(box.centre()) + 0.15 * size * random.uniform(-1, 1);
        height = random.uniform() < 0.5 ? 0 : 0.04 * size * random.uniform();
        length = size * random.uniform(0.2, 0.6);
    }
    double operator()(const Vec3& p) const {
        const double side = normal.dot(p) - offset + height * std::sin(2 * M_PI * along.dot(p) / length);
        return side == 0 ? 1e-12 : side;
    }
};

CrackedTets crackedAlong(CrackedTets tets, const Waves& waves) {
    IndexedVector<NodeIndex, double> side;
    for (const Vec3& p : tets.mesh.nodes) side.push_back(waves(p));
    const IndexedVector<TetIndex, uint8_t> everywhere(tets.mesh.tetCount(), 1);
    crack(tets, side, everywhere);
    return tets;
}

std::vector<TriMesh> piecesOf(const Filled& body, const CrackedTets& cracked, const CrackRoughness& roughness) {
    std::vector<TriMesh> meshes;
    for (CutPiece& piece : crackPieces(body.mesh, body.grid, body.tets, cracked, Vec3::Ones(), roughness))
        meshes.push_back(std::move(piece.mesh));
    return meshes;
}

TriMesh turned(TriMesh mesh) {
    const Quat aslant = Quat(0.9, 0.1, 0.3, -0.2).normalized();
    for (Vec3& p : mesh.positions) p = aslant * p;
    mesh.normals.clear();
    return mesh;
}

TEST(CrackCuts, APlaneThroughACubeLeavesTwoClosedPiecesWithAllItsVolume) {
    const Filled cube(turned(makeShape("box", {}, 8)), 0.09);
    Random random(1);
    Waves plane(boundsOf(cube.mesh), random);
    plane.height = 0;
    const std::vector<TriMesh> pieces = piecesOf(cube, crackedAlong(uncracked(cube.tets), plane), {});
    ASSERT_EQ(pieces.size(), 2u);
    const PieceReport report = checkPieces(cube.mesh, pieces);
    EXPECT_TRUE(report.good(1e-12)) << describe(report);
    // and the crack is where the plane is; beyond the tets, which do not reach the cube's edges, within about a cell
    double near = 0, all = 0;  // m^2
    for (const TriMesh& piece : pieces) {
        for (const TriangleIndex t : piece.triangles.indices()) {
            if (!piece.inside[t]) continue;
            double farthest = 0;
            for (const Vec3& p : piece.corners(t)) farthest = std::max(farthest, std::abs(plane(p)));
            EXPECT_LT(farthest, cube.grid.frame().cellSize);
            all += piece.areaVector(t).norm();
            near += farthest < 0.02 * cube.grid.frame().cellSize ? piece.areaVector(t).norm() : 0;
        }
    }
    EXPECT_GT(near, 0.8 * all);
}

TEST(CrackCuts, RandomSurfacesThroughRandomShapes) {
    const int perShape = std::getenv("SUNDER_FULL_TESTS") != nullptr ? 40 : 4;
    for (const char* name : {"box", "sphere", "torus", "goblet", "animal", "vase", "capsule"}) {
        const TriMesh mesh = turned(makeShape(name, {}, 20));
        const Filled body(mesh, boundsOf(mesh).diagonal() / 30);
        for (int n = 0; n < perShape; ++n) {
            SCOPED_TRACE(std::string(name) + ", " + std::to_string(n));
            Random random(static_cast<uint64_t>(n), 77);
            CrackedTets cracked = uncracked(body.tets);
            for (int c = 0; c <= n % 4; ++c) cracked = crackedAlong(cracked, Waves(boundsOf(mesh), random));
            const CrackRoughness roughness{n % 2 == 0 ? 0 : 0.2 * body.grid.frame().cellSize,
                                           2 * body.grid.frame().cellSize, static_cast<uint64_t>(n)};
            const PieceReport report = checkPieces(mesh, piecesOf(body, cracked, roughness));
            EXPECT_TRUE(report.good(1e-9)) << describe(report);
            EXPECT_GE(report.pieces, componentsOf(cracked).count > 1 ? 2u : 1u);
        }
    }
}

}  // namespace
}  // namespace sunder::fracture
