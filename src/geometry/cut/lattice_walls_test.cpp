#include "geometry/cut/lattice_walls.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"

namespace sunder {
namespace {

/// Cells of sites, by way of the lattice.
struct SiteRegions {
    SiteRegions(const TriMesh& solid, std::vector<Vec3> given, double cellSize)
        : sites(std::move(given)), grid(gridFromMesh(solid, cellSize)) {
        const Int3 n = grid.frame().points;
        for (int k = 0; k < n[2]; ++k) {
            for (int j = 0; j < n[1]; ++j) {
                for (int i = 0; i < n[0]; ++i) labels.push_back(nearest(grid.frame().position(i, j, k)));
            }
        }
        regions.solid = &grid;
        regions.labels = labels;
        regions.count = static_cast<uint32_t>(sites.size());
        regions.difference = [this](const Vec3& p, uint32_t a, uint32_t b) {
            return (sites[a] - p).norm() - (sites[b] - p).norm();
        };
    }
    SiteRegions(const SiteRegions&) = delete;
    SiteRegions& operator=(const SiteRegions&) = delete;

    uint32_t nearest(const Vec3& p) const {
        uint32_t best = 0;
        for (uint32_t s = 0; s < sites.size(); ++s) {
            if ((sites[s] - p).squaredNorm() < (sites[best] - p).squaredNorm()) best = s;
        }
        return best;
    }
    /// How far p is from being nearer to another site, m.
    double clearance(const Vec3& p) const {
        double least = 1e300;
        const uint32_t own = nearest(p);
        for (uint32_t s = 0; s < sites.size(); ++s) {
            if (s != own) least = std::min(least, (sites[s] - p).norm() - (sites[own] - p).norm());
        }
        return least;
    }

    std::vector<Vec3> sites;
    DistanceGrid grid;
    std::vector<uint32_t> labels;
    LatticeRegions regions;
};

std::vector<Vec3> randomSites(size_t count, uint64_t seed) {
    Random random(seed, 1);
    std::vector<Vec3> sites;
    for (size_t n = 0; n < count; ++n) {
        sites.push_back(0.4 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
    }
    return sites;
}

TEST(LatticeWalls, APlaneStaysAPlane) {
    const TriMesh ball = makeShape("sphere", {{"radius", 0.5}}, 32);
    const std::vector<Vec3> sites{Vec3(0.1, 0.2, -0.3), Vec3(-0.15, 0.05, 0.2)};
    const SiteRegions halves(ball, sites, 0.07);
    const CellWalls walls = latticeWalls(halves.regions);
    ASSERT_GT(walls.walls.size(), 50u);
    for (const Vec3& p : walls.positions) {
        EXPECT_NEAR((p - sites[0]).norm(), (p - sites[1]).norm(), 1e-3 * 0.07);  // as precise as crossings are wanted
    }
    // the same halves as by the cells themselves
    const auto cut = cutByWalls(ball, walls), exact = cutByCells(ball, voronoi(sites, boundsOf(ball).expanded(0.01)));
    ASSERT_EQ(cut.size(), 2u);
    for (size_t n = 0; n < 2; ++n) {
        EXPECT_EQ(cut[n].cell, exact[n].cell);
        EXPECT_NEAR(volume(cut[n].mesh), volume(exact[n].mesh), 1e-4 * volume(ball));
    }
}

TEST(LatticeWalls, TripleLinesAndCornersLieOnAllTheirWalls) {
    const TriMesh ball = makeShape("sphere", {{"radius", 0.5}}, 32);
    for (uint64_t seed = 0; seed < 10; ++seed) {
        const SiteRegions cells(ball, randomSites(8, seed), 0.04);
        const auto cut = cutByWalls(ball, latticeWalls(cells.regions));
        const auto exact = cutByCells(ball, voronoi(cells.sites, boundsOf(ball).expanded(0.01)));
        // what is lost and won at lines that fall between lattice points is small, and smaller than a cell
        ASSERT_GE(cut.size(), exact.size());
        std::vector<double> volumes(8, 0.0);
        for (const CutPiece& piece : cut) volumes[piece.cell] += volume(piece.mesh);
        for (const CutPiece& piece : exact) volumes[piece.cell] -= volume(piece.mesh);
        for (const double error : volumes) EXPECT_LT(std::abs(error), 1e-3 * volume(ball)) << "seed " << seed;
    }
}

TEST(LatticeWalls, TellTheCellOfAPoint) {
    const TriMesh box = makeShape("box", {}, 8);
    const SiteRegions cells(box, randomSites(12, 3), 0.1);
    const CellWalls walls = latticeWalls(cells.regions);
    int asked = 0;
    for (uint64_t n = 0; n < 2000; ++n) {
        Random random(7, n);
        const Vec3 p = 0.49 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        if (cells.clearance(p) < 0.1) continue;  // a cell: where walls may be off at junctions
        EXPECT_EQ(walls.cellAt(p), cells.nearest(p));
        ++asked;
    }
    EXPECT_GT(asked, 300);
}

TEST(LatticeWalls, ARegionWithinAnotherIsCutOutOfIt) {
    const TriMesh box = makeShape("box", {{"width", 1}, {"height", 1}, {"depth", 1}}, 8);
    const Vec3 middle = boundsOf(box).centre();
    SiteRegions regions(box, {middle, middle}, 0.06);
    constexpr double kRadius = 0.3;
    regions.regions.difference = [&](const Vec3& p, uint32_t a, uint32_t) {
        const double outside = (p - middle).norm() - kRadius;
        return a == 1 ? outside : -outside;
    };
    const GridFrame& frame = regions.grid.frame();
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            for (int i = 0; i < frame.points[0]; ++i) {
                regions.labels[frame.index(i, j, k)] = (frame.position(i, j, k) - middle).norm() < kRadius ? 1 : 0;
            }
        }
    }
    const auto pieces = cutByWalls(box, latticeWalls(regions.regions));
    ASSERT_EQ(pieces.size(), 2u);
    const double ball = 4.0 / 3 * 3.14159265358979 * std::pow(kRadius, 3);
    EXPECT_NEAR(volume(pieces[1].mesh), ball, 0.03 * ball);  // of a ball 10 cells across, of flat triangles
    EXPECT_NEAR(volume(pieces[0].mesh) + volume(pieces[1].mesh), 1, 1e-12);
    for (const CutPiece& piece : pieces) EXPECT_TRUE(isClosedManifold(piece.mesh));
}

}  // namespace
}  // namespace sunder
