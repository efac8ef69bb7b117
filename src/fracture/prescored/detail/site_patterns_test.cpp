#include "fracture/prescored/detail/site_patterns.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "fracture/common/noise.h"
#include "fracture/prescored/detail/patterns.h"
#include "fracture/prescored/detail/portable.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"

namespace sunder::fracture {
namespace {

InteriorSamples samplesOf(const TriMesh& mesh, size_t count = 3000) { return sampleInterior(mesh, count, 5); }

SitePattern sitesOf(const PatternOptions& options, const InteriorSamples& body, int pieces, const ImpactPlace& place,
                    uint64_t seed) {
    return options.kind->sites({options, body, pieces, place, seed});
}

TEST(InteriorSamples, LieInsideAndAreAsManyAsAskedFor) {
    const InteriorSamples ball = samplesOf(makeShape("sphere"));
    EXPECT_NEAR(static_cast<double>(ball.points.size()), 3000, 300);
    for (const Vec3& p : ball.points) EXPECT_LT(p.norm(), 0.5);
    const TriMesh torus = makeShape("torus", {{"radius", 0.4}, {"tube_radius", 0.1}});
    const InteriorSamples ring = samplesOf(torus);
    EXPECT_NEAR(static_cast<double>(ring.points.size()), 3000, 300);
    for (const Vec3& p : ring.points) {
        const double fromCircle = std::hypot(std::hypot(p.x(), p.z()) - 0.4, p.y());
        EXPECT_LT(fromCircle, 0.1 + 1e-9);
    }
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : ring.points) mean += p / static_cast<double>(ring.points.size());
    EXPECT_LT((mean - massProperties(torus).centre).norm(), 0.01);
}

TEST(SitePatterns, UniformSitesAreAsManyAsAskedForAndInTheBody) {
    const InteriorSamples ball = samplesOf(makeShape("sphere"));
    const SitePattern pattern = sitesOf({}, ball, 100, {}, 3);
    ASSERT_EQ(pattern.sites.size(), 100u);
    EXPECT_EQ(sitesInUse(pattern.sites, ball.points), 100u);
    for (const Vec3& site : pattern.sites) EXPECT_LT(site.norm(), 0.5 + ball.spacing);
    EXPECT_EQ(sitesOf({}, ball, 100, {}, 3).sites, pattern.sites);
    EXPECT_NE(sitesOf({}, ball, 100, {}, 4).sites, pattern.sites);
}

TEST(SitePatterns, RadialSpacingGrowsWithTheDistanceFromTheImpact) {
    const InteriorSamples box = samplesOf(makeShape("box"));
    const ImpactPlace place{Vec3(0, 0, 0.5), Vec3(0, 0, -1)};
    const auto sites = sitesOf({.kind = patternNamed("radial")}, box, 200, place, 3).sites;
    double nearSum = 0, farSum = 0;
    int nearCount = 0, farCount = 0;
    for (const Vec3& site : sites) {
        double nearest = 1e9;
        for (const Vec3& other : sites) {
            if (&other != &site) nearest = std::min(nearest, (other - site).norm());
        }
        const double r = (site - place.point).norm();
        if (r < 0.25) nearSum += nearest, ++nearCount;
        if (r > 0.75) farSum += nearest, ++farCount;
    }
    ASSERT_GT(nearCount, 10);
    ASSERT_GT(farCount, 10);
    EXPECT_GT(farSum / farCount, 2.5 * nearSum / nearCount);
}

TEST(SitePatterns, GlassSitesLieInThePlaneAcrossTheBlowAndCrowdAtItsCentre) {
    const InteriorSamples pane = samplesOf(makeShape("pane"));
    const ImpactPlace place{Vec3(0.1, 0.5, 0.004), Vec3(0.3, 0.1, -0.9).normalized()};
    const auto sites = sitesOf({.kind = patternNamed("glass")}, pane, 80, place, 3).sites;
    EXPECT_NEAR(static_cast<double>(sites.size()), 80, 16);
    int close = 0;
    for (const Vec3& site : sites) {
        EXPECT_NEAR((site - place.point).dot(place.normal), 0, 1e-12);
        close += (site - place.point).norm() < 0.2 ? 1 : 0;
    }
    EXPECT_GT(close, 20);  // of an area that is an eighth of the pane's
}

TEST(SitePatterns, BricksFillTheWallInRunningBond) {
    const InteriorSamples wall = samplesOf(makeShape("box", {{"width", 1.5}, {"height", 1}, {"depth", 0.1}}), 6000);
    const SitePattern pattern = sitesOf({.kind = patternNamed("brick")}, wall, 90, {}, 3);
    EXPECT_NEAR(static_cast<double>(pattern.sites.size()), 90, 18);
    EXPECT_EQ(pattern.squeeze, Vec3(1.0 / 16, 1, 1));
    // courses: few heights, each with many bricks; neighbours in height are shifted by half a brick
    std::vector<double> heights;
    for (const Vec3& s : pattern.sites) heights.push_back(s.y());
    std::sort(heights.begin(), heights.end());
    heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
    EXPECT_GE(heights.size(), 5u);
    EXPECT_LE(heights.size(), 20u);
    const auto firstOf = [&](double height) {
        double x = 1e9;
        for (const Vec3& s : pattern.sites) {
            if (s.y() == height) x = std::min(x, s.x() * 16);
        }
        return x;
    };
    EXPECT_NEAR(firstOf(heights[1]), -0.75, 1e-12);
    EXPECT_GT(firstOf(heights[0]), -0.74);
}

TEST(SitePatterns, SplintersAreSqueezedAlongTheGrain) {
    const InteriorSamples beam = samplesOf(makeShape("box", {{"width", 0.2}, {"height", 2}, {"depth", 0.2}}));
    EXPECT_EQ(sitesOf({.kind = patternNamed("splinter")}, beam, 20, {}, 3).squeeze, Vec3(1, 0.125, 1));
    const PatternOptions across{.kind = patternNamed("splinter"), .stretch = 4, .grain = Vec3(-1, 0.2, 0)};
    EXPECT_EQ(sitesOf(across, beam, 20, {}, 3).squeeze, Vec3(0.25, 1, 1));
}

TEST(Noise, IsZeroOnTheLatticeSmoothBetweenAndSeeded) {
    double most = 0;
    for (int n = 0; n < 2000; ++n) {
        const Vec3 p(0.37 * n, 0.71 * n - 300, -0.13 * n);
        const Vec3 here = vectorNoise(p, 1), step = vectorNoise(p + Vec3(1e-6, 0, 0), 1) - here;
        most = std::max(most, here.cwiseAbs().maxCoeff());
        EXPECT_LT(step.norm(), 1e-5);
    }
    EXPECT_GT(most, 0.3);
    EXPECT_LT(most, 1.5);
    EXPECT_EQ(vectorNoise(Vec3(3, -4, 5), 1), Vec3(0, 0, 0));
    EXPECT_NE(vectorNoise(Vec3(3.5, -4.2, 5), 1), vectorNoise(Vec3(3.5, -4.2, 5), 2));
}

TEST(Portable, RootsPowersAndDirectionsAreWhatLibmSays) {
    for (const double x : {1e-30, 0.1, 0.5, 1.0, 2.0, 8.0, 27.0, 1e20}) {
        EXPECT_NEAR(cubeRoot(x) / std::cbrt(x), 1, 1e-14) << x;
        for (const double e : {0.0, 0.25, 2.0 / 3, 1.0, 2.5})
            EXPECT_NEAR(power(x, e) / std::pow(x, e), 1, 1e-9) << x << '^' << e;
    }
    for (int n = -50; n < 100; ++n) {
        const double turns = 0.023 * n, angle = 2 * M_PI * turns;
        EXPECT_LT((directionAt(turns) - Vec2(std::cos(angle), std::sin(angle))).norm(), 0.009) << turns;
        EXPECT_NEAR(directionAt(turns).norm(), 1, 1e-15);
    }
}

}  // namespace
}  // namespace sunder::fracture
