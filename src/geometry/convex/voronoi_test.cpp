#include "geometry/convex/voronoi.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/convex/half_space_intersection.h"
#include "geometry/mesh/topology.h"

namespace sunder {
namespace {

const Box3 kUnitBox{Vec3(0, 0, 0), Vec3(1, 1, 1)};

auto allSites(const VoronoiDiagram& diagram) { return indexRange<SiteIndex>(diagram.cellCount()); }

std::vector<Vec3> randomSites(size_t count, uint64_t seed) {
    std::vector<Vec3> sites(count);
    for (size_t i = 0; i < count; ++i) {
        Random random(seed, i);
        for (double& x : sites[i]) x = random.uniform();
    }
    return sites;
}

std::vector<Vec3> latticeSites(int side) {
    std::vector<Vec3> sites;
    for (int z = 0; z < side; ++z) {
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) sites.push_back(Vec3(x + 0.5, y + 0.5, z + 0.5) / side);
        }
    }
    return sites;
}

/// What must hold for any diagram: closed cells, volumes that add up, and every inner polygon listed by both its cells
/// with the same vertices the other way round.
void expectComplex(const VoronoiDiagram& diagram, double containerVolume) {
    double sum = 0;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> loops;
    for (const SiteIndex site : allSites(diagram)) {
        if (diagram.faces(site).empty()) continue;
        EXPECT_GT(diagram.volume(site), 0);
        sum += diagram.volume(site);
        EXPECT_TRUE(isClosedManifold(toTriMesh(diagram.cell(site)))) << raw(site);
        for (const VoronoiDiagram::Face& face : diagram.faces(site)) {
            const auto loop = diagram.loop(face);
            EXPECT_EQ(std::set<uint32_t>(loop.begin(), loop.end()).size(), loop.size());
            EXPECT_NE(face.neighbour == kNone<SiteIndex>, face.wall == kInvalidIndex);
            if (face.neighbour == kNone<SiteIndex>) continue;
            loops[{raw(site), raw(face.neighbour)}].assign(loop.begin(), loop.end());
        }
    }
    EXPECT_NEAR(sum, containerVolume, 1e-12 * containerVolume);
    for (const auto& [pair, loop] : loops) {
        const auto other = loops.find({pair.second, pair.first});
        ASSERT_NE(other, loops.end()) << pair.first << " " << pair.second;
        std::vector<uint32_t> turned = other->second;
        std::reverse(turned.begin() + 1, turned.end());  // the lowest stays first
        EXPECT_EQ(turned, loop);
    }
}

/// No site may be nearer to a cell's vertices than the cell's own.
double worstIntrusion(const VoronoiDiagram& diagram) {
    double worst = 0;
    for (const SiteIndex site : allSites(diagram)) {
        for (const Vec3& v : diagram.cell(site).vertices) {
            const double own = (v - diagram.sites()[raw(site)]).norm();
            for (const Vec3& other : diagram.sites()) worst = std::max(worst, own - (v - other).norm());
        }
    }
    return worst;
}

TEST(Voronoi, OneSiteOwnsTheContainer) {
    const std::vector<Vec3> site{Vec3(0.2, 0.3, 0.9)};
    const VoronoiDiagram diagram = voronoi(site, kUnitBox);
    ASSERT_EQ(diagram.cellCount(), 1u);
    EXPECT_EQ(diagram.faces(SiteIndex{0}).size(), 6u);
    EXPECT_EQ(diagram.vertices().size(), 8u);
    expectComplex(diagram, 1);
    EXPECT_EQ(voronoi(std::span<const Vec3>(), kUnitBox).cellCount(), 0u);
}

TEST(Voronoi, TwoSitesShareTheMiddle) {
    const std::vector<Vec3> sites{Vec3(0.25, 0.5, 0.5), Vec3(0.75, 0.5, 0.5)};
    const VoronoiDiagram diagram = voronoi(sites, kUnitBox);
    EXPECT_EQ(diagram.vertices().size(), 12u);
    EXPECT_DOUBLE_EQ(diagram.volume(SiteIndex{0}), 0.5);
    const auto faces = diagram.faces(SiteIndex{0});
    EXPECT_EQ(faces.front().neighbour, SiteIndex{1});
    for (const uint32_t v : diagram.loop(faces.front())) EXPECT_EQ(diagram.vertices()[v].x(), 0.5);
    expectComplex(diagram, 1);
}

TEST(Voronoi, CubicLatticeMakesCubesWithOneVertexPerCorner) {
    for (const int side : {2, 3, 4, 5, 7}) {  // thirds, fifths and sevenths are not exact in binary
        const VoronoiDiagram diagram = voronoi(latticeSites(side), kUnitBox);
        EXPECT_EQ(diagram.vertices().size(), static_cast<size_t>((side + 1) * (side + 1) * (side + 1)));
        for (const SiteIndex site : allSites(diagram)) {
            ASSERT_EQ(diagram.faces(site).size(), 6u);
            for (const auto& face : diagram.faces(site)) EXPECT_EQ(face.cornerCount, 4u);
            EXPECT_NEAR(diagram.volume(site), std::pow(side, -3), 1e-14);
        }
        expectComplex(diagram, 1);
    }
}

/// Degenerate up to rounding: sites at almost the same distance, in patterns turned out of the axes.
std::vector<Vec3> turned(const std::vector<Vec3>& sites) {
    const Mat3 turn = Quat(0.8, 0.3, -0.4, 0.2).normalized().toRotationMatrix();
    std::vector<Vec3> result;
    for (const Vec3& p : sites) result.push_back(turn * p);
    return result;
}

Box3 boxAround(const std::vector<Vec3>& points) {
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    return box;
}

/// How many cells are copies of a given one, by faces and volume.
size_t countCells(const VoronoiDiagram& diagram, size_t faceCount, double cellVolume) {
    size_t count = 0;
    for (const SiteIndex site : allSites(diagram)) {
        count += diagram.faces(site).size() == faceCount && std::abs(diagram.volume(site) - cellVolume) < 1e-12;
    }
    return count;
}

TEST(Voronoi, TurnedLatticeWithRoundedCoordinatesMakesTheSameCubes) {
    const std::vector<Vec3> sites = turned(latticeSites(8));
    const VoronoiDiagram diagram = voronoi(sites, boxAround(sites));
    expectComplex(diagram, boxAround(sites).size().prod());
    EXPECT_GE(countCells(diagram, 6, std::pow(8, -3)), 6u * 6 * 6);
}

TEST(Voronoi, TurnedBricksAndHoneycombsStayClean) {
    std::vector<Vec3> bricks, honeycomb;
    for (int z = 0; z < 8; ++z) {
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 8; ++x) {
                bricks.emplace_back(x + 0.5 * (z % 2), 0.7 * y, 0.4 * z);
                honeycomb.emplace_back(x + 0.5 * (y % 2), std::sqrt(0.75) * y, 0.8 * z);
            }
        }
    }
    for (const std::vector<Vec3>& sites : {bricks, honeycomb, turned(bricks), turned(honeycomb)}) {
        const Box3 box = boxAround(sites);
        expectComplex(voronoi(sites, box), box.size().prod());
    }
    EXPECT_GE(countCells(voronoi(turned(honeycomb), boxAround(turned(honeycomb))), 8, 0.8 * std::sqrt(0.75)),
              6u * 6 * 6);
}

TEST(Voronoi, BodyCentredLatticeMakesTruncatedOctahedra) {
    std::vector<Vec3> sites = latticeSites(6);
    for (const Vec3& p : latticeSites(6)) sites.push_back(p + Vec3::Constant(1.0 / 12));
    const VoronoiDiagram diagram = voronoi(sites, kUnitBox);
    expectComplex(diagram, 1);
    size_t inner = 0;
    for (const SiteIndex site : allSites(diagram)) {
        const Vec3& p = sites[raw(site)];
        if (p.minCoeff() < 0.3 || p.maxCoeff() > 0.7) continue;
        ++inner;
        EXPECT_EQ(diagram.faces(site).size(), 14u);
        EXPECT_EQ(diagram.cell(site).vertices.size(), 24u);
    }
    EXPECT_GT(inner, 10u);
}

TEST(Voronoi, CosphericalSitesMeetInOneVertex) {
    // all points of a grid at one distance from the centre
    std::vector<Vec3> sites;
    for (int x = -9; x <= 9; ++x) {
        for (int y = -9; y <= 9; ++y) {
            for (int z = -9; z <= 9; ++z) {
                if (x * x + y * y + z * z == 81) sites.emplace_back(x, y, z);
            }
        }
    }
    ASSERT_GT(sites.size(), 90u);
    const Box3 box{Vec3::Constant(-12), Vec3::Constant(12)};
    const VoronoiDiagram diagram = voronoi(sites, box);
    expectComplex(diagram, 24 * 24 * 24);
    size_t atCentre = 0;
    for (const Vec3& v : diagram.vertices()) atCentre += v.norm() < 1e-9;
    EXPECT_EQ(atCentre, 1u);
}

TEST(Voronoi, RandomSitesAreNearestToTheirCells) {
    const VoronoiDiagram diagram = voronoi(randomSites(1000, 41), kUnitBox);
    expectComplex(diagram, 1);
    EXPECT_LT(worstIntrusion(diagram), 1e-13);
    // at most three walls and otherwise four sites at a vertex: V - E + F of each cell as a simple polytope
    for (const SiteIndex site : allSites(diagram)) {
        EXPECT_EQ(diagram.cell(site).vertices.size(), 2 * (diagram.faces(site).size() - 2));
    }
}

TEST(Voronoi, ClusteredFlatAndRepeatedSites) {
    std::vector<Vec3> sites;
    Random random(42);
    for (int i = 0; i < 400; ++i) {
        // ever closer to a corner point, as around an impact
        const double r = std::ldexp(1.0, -static_cast<int>(random.below(30)));
        const double x = random.uniform(), y = random.uniform(), z = random.uniform();
        sites.push_back(Vec3(0.3, 0.4, 0.5) + 0.3 * r * Vec3(x, y, z));
    }
    for (int i = 0; i < 50; ++i) sites.emplace_back(random.uniform(), random.uniform(), 0.25);  // in a plane
    for (int i = 0; i < 50; ++i) sites.emplace_back(random.uniform(), 0.75, 0.25);              // on a line
    for (int i = 0; i < 30; ++i) sites.push_back(sites[static_cast<size_t>(7 * i)]);            // again
    const VoronoiDiagram diagram = voronoi(sites, kUnitBox);
    expectComplex(diagram, 1);
    for (uint32_t i = 0; i < 30; ++i) {
        EXPECT_TRUE(diagram.faces(SiteIndex{500 + i}).empty());
        EXPECT_FALSE(diagram.faces(SiteIndex{7 * i}).empty());
    }
}

TEST(Voronoi, SitesOnAndOutsideTheWalls) {
    std::vector<Vec3> sites = randomSites(50, 43);
    for (int i = 0; i < 8; ++i) sites.emplace_back(i & 1, i & 2 ? 1 : 0, i & 4 ? 1 : 0);
    sites.emplace_back(1.05, 0.5, 0.5);  // owns a slice from outside
    sites.emplace_back(50, 50, 50);      // owns nothing
    const VoronoiDiagram diagram = voronoi(sites, kUnitBox);
    expectComplex(diagram, 1);
    EXPECT_FALSE(diagram.faces(SiteIndex{58}).empty());
    EXPECT_TRUE(diagram.faces(SiteIndex{59}).empty());
    EXPECT_LT(worstIntrusion(diagram), 1e-13);
}

TEST(Voronoi, ConvexContainers) {
    std::vector<Plane> planes;
    for (int i = 0; i < 8; ++i) planes.push_back({Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), 1});
    const ConvexPolytope octahedron = intersectHalfSpaces(planes).polytope;
    std::vector<Vec3> sites;
    for (const Vec3& p : randomSites(3000, 44)) {
        const Vec3 q = 2 * p - Vec3::Ones();
        if (q.cwiseAbs().sum() < 1) sites.push_back(q);
    }
    expectComplex(voronoi(sites, octahedron), 4.0 / 3);

    // a ball of 100 planes
    Random random(45);
    planes.clear();
    for (int i = 0; i < 100; ++i) {
        const double x = random.normal(), y = random.normal(), z = random.normal();
        planes.push_back({Vec3(x, y, z).normalized(), 1});
    }
    const ConvexPolytope ball = intersectHalfSpaces(planes).polytope;
    expectComplex(voronoi(sites, ball), volume(ball));
}

TEST(Voronoi, AnyScaleAndPlace) {
    const std::vector<Vec3> sites = randomSites(300, 46);
    const VoronoiDiagram reference = voronoi(sites, kUnitBox);
    for (const int exponent : {-600, -30, 30, 600}) {
        std::vector<Vec3> scaled;
        const double factor = std::ldexp(1.0, exponent);
        for (const Vec3& p : sites) scaled.push_back(factor * p);
        const VoronoiDiagram diagram = voronoi(scaled, Box3{Vec3::Zero(), Vec3::Constant(factor)});
        ASSERT_EQ(diagram.vertices().size(), reference.vertices().size());
        for (size_t v = 0; v < reference.vertices().size(); ++v) {
            ASSERT_EQ(diagram.vertices()[v], factor * reference.vertices()[v]);
        }
    }
    std::vector<Vec3> moved;
    const Vec3 offset(1e6, -2e6, 3e6);
    for (const Vec3& p : sites) moved.push_back(p + offset);
    const VoronoiDiagram diagram = voronoi(moved, Box3{offset, offset + Vec3::Ones()});
    EXPECT_EQ(diagram.cellCount(), 300u);
    double sum = 0;
    for (const SiteIndex site : allSites(diagram)) sum += diagram.volume(site);
    EXPECT_NEAR(sum, 1, 1e-9);  // the coordinates themselves have only ten digits left
}

TEST(Voronoi, SameBitsForAnyNumberOfThreadsAndOrderOfSites) {
    const std::vector<Vec3> sites = randomSites(2000, 47);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return voronoi(sites, kUnitBox);
    };
    const VoronoiDiagram one = run(1), many = run(4);
    ASSERT_EQ(one.vertices().size(), many.vertices().size());
    EXPECT_TRUE(std::equal(one.vertices().begin(), one.vertices().end(), many.vertices().begin()));

    // another order gives the same complex
    const std::vector<Vec3> backward(sites.rbegin(), sites.rend());
    const VoronoiDiagram other = voronoi(backward, kUnitBox);
    ASSERT_EQ(one.vertices().size(), other.vertices().size());
    for (uint32_t i = 0; i < sites.size(); ++i) {
        const SiteIndex there{static_cast<uint32_t>(sites.size()) - 1 - i};
        EXPECT_EQ(one.faces(SiteIndex{i}).size(), other.faces(there).size());
        EXPECT_NEAR(one.volume(SiteIndex{i}), other.volume(there), 1e-15);
    }
}

}  // namespace
}  // namespace sunder
