#include "fracture/common/slits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "fracture/common/detail/patch.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"
#include "geometry/tet/test_boxes.h"
#include "geometry/tree/self_intersections.h"

namespace sunder::fracture {

namespace {

const Vec3 kSize(0.8, 0.4, 0.4);
constexpr double kCell = 0.1, kOpening = 0.01;

TriMesh box() {
    TriMesh mesh = makeShape("box", {{"width", kSize.x()}, {"height", kSize.y()}, {"depth", kSize.z()}}, 8);
    const Vec3 middle = boundsOf(mesh).centre();
    for (Vec3& p : mesh.positions) p -= middle;
    return mesh;
}

double outsideBox(const Vec3& p) {
    const Vec3 beyond = p.cwiseAbs() - 0.5 * kSize;
    const double outside = beyond.cwiseMax(0.0).norm();
    return outside > 0 ? outside : beyond.maxCoeff();
}

SlitOptions options() {
    SlitOptions made;
    made.opening = kOpening;
    made.depth = 2 * kCell;
    made.cell = kCell;
    made.distance = outsideBox;
    return made;
}

/// One more crack across `normal`, in the tets whose middles are wanted.
template <class Wanted>
CrackedTets cracked(CrackedTets tets, const Vec3& normal, double offset, const Wanted& wanted) {
    IndexedVector<NodeIndex, double> side;
    for (const Vec3& p : tets.mesh.nodes) side.push_back(normal.dot(p) - offset);
    IndexedVector<TetIndex, uint8_t> marked;
    for (const TetIndex t : tets.mesh.tets.indices()) {
        const auto corner = tets.mesh.corners(t);
        marked.push_back(wanted(Vec3(0.25 * (corner[0] + corner[1] + corner[2] + corner[3]))) ? 1 : 0);
    }
    crack(tets, side, marked);
    return tets;
}

std::vector<TriMesh> gapsOf(const std::vector<Slit>& slits) {
    std::vector<TriMesh> gaps;
    for (const Slit& slit : slits) gaps.push_back(slit.gap);
    return gaps;
}

void expectClean(const TriMesh& mesh) {
    EXPECT_TRUE(isClosedManifold(mesh));
    EXPECT_TRUE(selfIntersections(mesh, 1).empty());
    for (auto& k : selfIntersections(mesh)) {
        printf("%d pair\n", (int)k.relation);
        for (auto t : {k.first, k.second}) {
            for (auto& p : mesh.corners(t)) printf("  (%.9f %.9f %.9f)", p.x(), p.y(), p.z());
            printf("\n");
        }
    }  // DBG
}

}  // namespace

TEST(Slits, OpenWhereACrackThatEndsInsideMeetsTheSurface) {
    // across the upper half of the beam, at x = 0.013
    const TetMesh tets = test::boxOfTets({8, 4, 4}, kSize);
    const CrackedTets cut = cracked(uncracked(tets), {1, 0, 0}, 0.013, [](const Vec3& p) { return p.y() > 0; });
    const TetComponents components = componentsOf(cut);
    ASSERT_EQ(components.count, 1u);
    const std::vector<Slit> slits = slitsOf(tets, cut, components, options());
    ASSERT_EQ(slits.size(), 1u);
    expectClean(slits[0].gap);
    const TriMesh solid = box();
    const std::vector<TriMesh> gaps = gapsOf(slits);
    const std::optional<TriMesh> shown = opened(solid, gaps);
    ASSERT_TRUE(shown.has_value());
    expectClean(*shown);

    // as wide as wanted at the top, closed below, and nothing else changes
    double widest = 0, top = 0, lowest = 1;
    for (const Vec3& p : shown->positions) {
        const Vec3 beyond = p.cwiseAbs() - 0.5 * kSize;
        EXPECT_LT(beyond.maxCoeff(), 1e-12);
        const bool corner = (beyond.cwiseAbs().array() < 1e-12).count() == 3 || std::abs(p.x()) > 0.1;
        if (corner) continue;
        EXPECT_LE(std::abs(p.x() - 0.013), 0.5 * kOpening + 1e-9);
        widest = std::max(widest, 2 * std::abs(p.x() - 0.013));
        lowest = std::min(lowest, p.y());
        top = std::max(top, p.y());
    }
    EXPECT_NEAR(widest, kOpening, 0.02 * kOpening);
    EXPECT_DOUBLE_EQ(top, 0.2);
    EXPECT_NEAR(lowest, 0, 0.6 * kCell);
    // sqrt(distance from the front) over the depth of the crack: two thirds of the full width
    const double taken = volume(solid) - volume(*shown), most = kOpening * 0.2 * 0.4;
    EXPECT_GT(taken, 0.4 * most);
    EXPECT_LT(taken, 0.9 * most);
}

TEST(Slits, NoneIsWhereNothingComesToTheSurface) {
    const TetMesh tets = test::boxOfTets({8, 4, 4}, kSize);
    const auto inside = [](const Vec3& p) { return outsideBox(p) < -kCell; };
    const CrackedTets cut = cracked(uncracked(tets), {1, 0, 0}, 0.013, inside);
    EXPECT_GT(cut.mesh.tetCount(), tets.tetCount());
    EXPECT_TRUE(slitsOf(tets, cut, componentsOf(cut), options()).empty());
    EXPECT_FALSE(opened(box(), {}).has_value());
    // and none is wanted
    const CrackedTets notched = cracked(uncracked(tets), {1, 0, 0}, 0.013, [](const Vec3& p) { return p.y() > 0; });
    SlitOptions none = options();
    none.opening = 0;
    EXPECT_TRUE(slitsOf(tets, notched, componentsOf(notched), none).empty());
}

TEST(Slits, ComeToTheFaceOfACrackThatRunsThrough) {
    // parted at x = 0.21; the left part has a crack of its own that ends at that face
    const TetMesh tets = test::boxOfTets({8, 4, 4}, kSize);
    CrackedTets cut = cracked(uncracked(tets), {1, 0, 0}, 0.21, [](const Vec3&) { return true; });
    cut = cracked(std::move(cut), {0, 1, 0}, 0.017,
                  [](const Vec3& p) { return p.x() > 0.05 && p.x() < 0.3 && std::abs(p.z()) < 0.15; });
    const TetComponents components = componentsOf(cut);
    ASSERT_EQ(components.count, 2u);
    const std::vector<Slit> slits = slitsOf(tets, cut, components, options());
    ASSERT_EQ(slits.size(), 2u);  // one on either side
    EXPECT_NE(slits[0].component, slits[1].component);
    for (const Slit& slit : slits) {
        expectClean(slit.gap);
        const Box3 bounds = boundsOf(slit.gap);
        EXPECT_LT(bounds.min.x(), 0.21);
        EXPECT_GT(bounds.max.x(), 0.21);
    }
}

TEST(Slits, ThatCrossEachOtherAreCutOneAfterTheOther) {
    const TetMesh tets = test::boxOfTets({8, 4, 4}, kSize);
    const auto upper = [](const Vec3& p) { return p.y() > 0; };
    CrackedTets cut = cracked(uncracked(tets), {1, 0, 0}, 0.013, upper);
    cut = cracked(std::move(cut), Vec3(0.3, 0.1, 1).normalized(), 0.017, [](const Vec3& p) { return p.y() > -0.1; });
    cut = cracked(std::move(cut), Vec3(0.8, 0.2, -0.6).normalized(), 0.031, [](const Vec3& p) { return p.y() > 0.1; });
    const TetComponents components = componentsOf(cut);
    const std::vector<TriMesh> gaps = gapsOf(slitsOf(tets, cut, components, options()));
    EXPECT_GT(gaps.size(), 2u);
    const std::optional<TriMesh> shown = opened(box(), gaps);
    ASSERT_TRUE(shown.has_value());
    expectClean(*shown);
    EXPECT_LT(volume(*shown), volume(box()));
}

TEST(Slits, AreTheSameForAnyNumberOfThreads) {
    const TetMesh tets = test::boxOfTets({8, 4, 4}, kSize);
    const auto upper = [](const Vec3& p) { return p.y() > 0; };
    CrackedTets cut = cracked(uncracked(tets), {1, 0, 0}, 0.013, upper);
    cut = cracked(std::move(cut), {0, 0, 1}, 0.017, [](const Vec3& p) { return p.y() > -0.1; });
    SlitOptions rough = options();
    rough.roughness = {0.02, 0.2, 3};
    const auto shownWith = [&](int threads) {
        const ThreadLimit limit(threads);
        const std::vector<TriMesh> gaps = gapsOf(slitsOf(tets, cut, componentsOf(cut), rough));
        return opened(box(), gaps).value();
    };
    const TriMesh one = shownWith(1), two = shownWith(2);
    EXPECT_EQ(one.positions, two.positions);
    EXPECT_EQ(one.triangles, two.triangles);
    expectClean(one);
}

TEST(Patch, LosesItsShortEdgesAndKeepsItsRim) {
    // a square of 20 x 20, its left side a mouth; places jittered so that edges are long and short
    Patch patch;
    const int n = 20;
    for (int y = 0; y <= n; ++y) {
        for (int x = 0; x <= n; ++x) {
            const bool rim = x == 0 || y == 0 || x == n || y == n;
            const double off = rim ? 0 : 0.3 * std::sin(13.0 * x + 7.0 * y);
            patch.places.emplace_back(x + off, y - off, 0);
        }
    }
    const auto at = [&](int x, int y) { return static_cast<uint32_t>(y * (n + 1) + x); };
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            patch.triangles.push_back({at(x, y), at(x + 1, y), at(x + 1, y + 1)});
            patch.triangles.push_back({at(x, y), at(x + 1, y + 1), at(x, y + 1)});
        }
    }
    for (int k = 0; k < n; ++k) {
        patch.rim[keyOf(at(0, k), at(0, k + 1))] = Beyond::Mouth;
        for (const auto& [a, b] :
             {EdgeKey{at(k, 0), at(k + 1, 0)}, EdgeKey{at(n, k), at(n, k + 1)}, EdgeKey{at(k, n), at(k + 1, n)}})
            patch.rim[keyOf(a, b)] = Beyond::Front;
    }
    const auto areaOf = [&] {
        double area = 0;
        for (const auto& t : patch.triangles) {
            EXPECT_GT(patch.areaOf(t).z(), 0);
            area += 0.5 * patch.areaOf(t).z();
        }
        return area;
    };
    const size_t before = patch.triangles.size();
    patch.takeOutShortEdges(1.6);
    EXPECT_LT(patch.triangles.size(), before / 2);
    EXPECT_NEAR(areaOf(), 400, 4);  // corners of the front may have gone
    double mouth = 0;
    for (const auto& [edge, beyond] : patch.rim) {
        if (beyond != Beyond::Mouth) continue;
        EXPECT_EQ(patch.places[edge[0]].x(), 0);
        mouth += (patch.places[edge[1]] - patch.places[edge[0]]).norm();
    }
    EXPECT_NEAR(mouth, 20, 1e-12);
}

TEST(Patch, ComesApartWhereWhatIsLeftOnlyTouches) {
    // four triangles round a point; two opposite ones stay
    Patch patch;
    patch.places = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0)};
    patch.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    patch.rim = {{{1, 2}, Beyond::Mouth}, {{2, 3}, Beyond::Front}, {{3, 4}, Beyond::Front}, {{1, 4}, Beyond::Front}};
    patch.leaveOut({0, 1, 0, 1});
    ASSERT_EQ(patch.triangles.size(), 2u);
    EXPECT_EQ(patch.places.size(), 6u);
    EXPECT_EQ(patch.rim.size(), 6u);
    size_t mouths = 0;
    for (const auto& [edge, beyond] : patch.rim) mouths += beyond == Beyond::Mouth ? 1 : 0;
    EXPECT_EQ(mouths, 1u);
    patch.leaveOutWhatIsHidden();
    EXPECT_EQ(patch.triangles.size(), 1u);
    EXPECT_EQ(patch.rim.size(), 3u);
}

}  // namespace sunder::fracture
