#include "geometry/convex/sampling.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "geometry/convex/convex_polytope.h"

namespace sunder {
namespace {

TriMesh brick() { return toTriMesh(polytopeOf(Box3{Vec3(0, 0, 0), Vec3(1, 2, 3)})); }

double nearestGap(const std::vector<SurfaceSample>& samples) {
    double least = 1e300;
    for (size_t i = 0; i < samples.size(); ++i) {
        for (size_t j = 0; j < i; ++j) least = std::min(least, (samples[i].point - samples[j].point).norm());
    }
    return least;
}

TEST(Sampling, TrianglesGetTheirShareOfTheArea) {
    const TriMesh mesh = brick();
    const size_t count = 100000;
    const auto samples = sampleSurface(mesh, {.count = count, .seed = 1});
    ASSERT_EQ(samples.size(), count);
    IndexedVector<TriangleIndex, double> hits(mesh.triangleCount(), 0.0);
    for (const SurfaceSample& s : samples) {
        hits[s.triangle] += 1;
        EXPECT_NEAR(s.barycentric.sum(), 1, 1e-15);
        EXPECT_GE(s.barycentric.minCoeff(), 0);
        EXPECT_NEAR(s.normal.norm(), 1, 1e-15);
    }
    // chi-squared over 12 triangles, 11 degrees of freedom: 31.3 is passed by 999 of 1000
    double chiSquared = 0;
    const auto density = sampleDensity(mesh, 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const double expected = static_cast<double>(count) * density[t];
        chiSquared += (hits[t] - expected) * (hits[t] - expected) / expected;
    }
    EXPECT_LT(chiSquared, 31.3);
}

TEST(Sampling, PointsAreUniformOnATriangle) {
    TriMesh mesh;
    mesh.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    mesh.triangles.push_back({VertexIndex{0}, VertexIndex{1}, VertexIndex{2}});
    const size_t count = 50000;
    Vec3 mean = Vec3::Zero();
    double second = 0;
    for (const SurfaceSample& s : sampleSurface(mesh, {.count = count, .seed = 2})) {
        mean += s.point / count;
        second += s.point.x() * s.point.x() / count;
    }
    // means 1/3 and 1/6, five standard errors
    EXPECT_LT((mean - Vec3(1.0 / 3, 1.0 / 3, 0)).norm(), 0.008);
    EXPECT_NEAR(second, 1.0 / 6, 0.005);
}

TEST(Sampling, CurvatureDrawsSamplesToFolds) {
    // a flat strip of 20 x 1 squares, folded by a right angle in the middle
    TriMesh mesh;
    for (int i = 0; i <= 20; ++i) {
        const double x = std::min(i, 10), z = std::max(i - 10, 0);
        mesh.positions.push_back(Vec3(x, 0, z));
        mesh.positions.push_back(Vec3(x, 1, z));
    }
    for (uint32_t i = 0; i < 20; ++i) {
        mesh.triangles.push_back({VertexIndex{2 * i}, VertexIndex{2 * i + 2}, VertexIndex{2 * i + 1}});
        mesh.triangles.push_back({VertexIndex{2 * i + 1}, VertexIndex{2 * i + 2}, VertexIndex{2 * i + 3}});
    }
    const auto atFold = [&](double share) {
        size_t near = 0;
        for (const SurfaceSample& s : sampleSurface(mesh, {.count = 10000, .seed = 3, .curvatureShare = share})) {
            near += std::max(10 - s.point.x(), s.point.z()) <= 1;
        }
        return static_cast<double>(near) / 10000;
    };
    EXPECT_NEAR(atFold(0), 0.1, 0.015);
    EXPECT_GT(atFold(0.5), 0.5);
    EXPECT_EQ(atFold(1), 1);
}

TEST(Sampling, BlueNoiseKeepsItsDistance) {
    const TriMesh mesh = brick();
    const auto random = sampleSurface(mesh, {.count = 500, .seed = 4});
    const auto blue = sampleSurface(mesh, {.count = 500, .seed = 4, .spread = SampleSpread::BlueNoise});
    ASSERT_EQ(blue.size(), 500u);
    const double ideal = 2 * std::sqrt(22.0 / (2 * std::sqrt(3.0) * 500));  // gap of close packing on 22 m^2
    EXPECT_GT(nearestGap(blue), 0.4 * ideal);
    EXPECT_LT(nearestGap(random), 0.2 * ideal);
    // still by area: faces of 2, 3 and 6 m^2, twice each
    size_t largest = 0;
    for (const SurfaceSample& s : blue) largest += std::abs(s.normal.x()) > 0.5;
    EXPECT_NEAR(static_cast<double>(largest) / 500, 12.0 / 22, 0.03);
}

TEST(Sampling, SeedsAndThreads) {
    const TriMesh mesh = brick();
    const SamplingOptions options{.count = 300, .seed = 5, .curvatureShare = 0.3, .spread = SampleSpread::BlueNoise};
    const auto many = sampleSurface(mesh, options);
    const ThreadLimit one(1);
    const auto single = sampleSurface(mesh, options);
    ASSERT_EQ(many.size(), single.size());
    for (size_t i = 0; i < many.size(); ++i) EXPECT_EQ(many[i].point, single[i].point);
    SamplingOptions other = options;
    other.seed = 6;
    EXPECT_NE(sampleSurface(mesh, other)[0].point, many[0].point);
}

TEST(Sampling, SurfacesWithoutArea) {
    EXPECT_TRUE(sampleSurface({}, {}).empty());
    TriMesh needle;
    needle.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
    needle.triangles.push_back({VertexIndex{0}, VertexIndex{1}, VertexIndex{2}});
    EXPECT_TRUE(sampleSurface(needle, {.count = 10, .curvatureShare = 1}).empty());
}

}  // namespace
}  // namespace sunder
