// The kernels compiled for AVX2 and for any machine give the same bits. On a machine without AVX2 the two are one, and
// the comparisons say nothing.
#include "dynamics/detail/hull_kernels.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamics/shape.h"
#include "geometry/convex/fragment_generator.h"

namespace sunder::dynamics::detail {
namespace {

/// A hull with arrays of its own, placed at random.
class RandomHull {
public:
    explicit RandomHull(Random& random, const Vec3f& offset) {
        const ShapePtr shape = makeHull(convexFragment(5, random.below(256)));
        const ConvexCore& core = *shape->convex();
        const Eigen::Matrix3f turn = Quat(random.normal(), random.normal(), random.normal(), random.normal())
                                         .normalized()
                                         .toRotationMatrix()
                                         .cast<float>();
        const auto put = [&](const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& z,
                             const Vec3f& shift, size_t first) {
            for (size_t i = 0; i < x.size(); ++i) {
                const Vec3f p = turn * Vec3f(x[i], y[i], z[i]) + shift;
                for (size_t k = 0; k < 3; ++k) arrays_[first + k].push_back(p[static_cast<int>(k)]);
            }
        };
        const Vec3f none = Vec3f::Zero();
        const ConvexCore::Edges& e = core.edges;
        put(core.x, core.y, core.z, offset, 0);
        put(e.x, e.y, e.z, offset, 3);
        put(e.dx, e.dy, e.dz, none, 6);
        put(e.n1x, e.n1y, e.n1z, none, 9);
        put(e.n2x, e.n2y, e.n2z, none, 12);
        for (const ConvexCore::Face& face : core.faces) {
            const Vec3f normal = turn * face.normal;
            planes_.insert(planes_.end(), {normal.x(), normal.y(), normal.z(), face.offset + normal.dot(offset)});
        }
        edges_ = e.count;
    }

    HullArrays arrays() const {
        HullArrays hull;
        const auto data = [&](size_t i) { return arrays_[i].data(); };
        hull.vertices = static_cast<int>(arrays_[0].size());
        hull.x = data(0), hull.y = data(1), hull.z = data(2);
        hull.faces = static_cast<int>(planes_.size() / 4);
        hull.planes = planes_.data();
        hull.edges = edges_;
        hull.paddedEdges = static_cast<int>(arrays_[3].size());
        hull.ex = data(3), hull.ey = data(4), hull.ez = data(5);
        hull.dx = data(6), hull.dy = data(7), hull.dz = data(8);
        hull.n1x = data(9), hull.n1y = data(10), hull.n1z = data(11);
        hull.n2x = data(12), hull.n2y = data(13), hull.n2z = data(14);
        return hull;
    }

    /// The straight way: reach along every face normal and every pair of edges.
    static double bruteSeparation(const RandomHull& a, const RandomHull& b) {
        double best = -1e9;
        const auto along = [&](const Vec3& axis) {
            double highA = -1e9, lowB = 1e9, lowA = 1e9, highB = -1e9;
            for (size_t i = 0; i < a.arrays_[0].size(); ++i) {
                const double s = axis.dot(a.corner(i));
                highA = std::max(highA, s), lowA = std::min(lowA, s);
            }
            for (size_t i = 0; i < b.arrays_[0].size(); ++i) {
                const double s = axis.dot(b.corner(i));
                highB = std::max(highB, s), lowB = std::min(lowB, s);
            }
            best = std::max({best, lowB - highA, lowA - highB});
        };
        for (const RandomHull* hull : {&a, &b}) {
            for (size_t f = 0; f < hull->planes_.size(); f += 4)
                along(Vec3(hull->planes_[f], hull->planes_[f + 1], hull->planes_[f + 2]));
        }
        for (size_t i = 0; i < static_cast<size_t>(a.edges_); ++i) {
            for (size_t j = 0; j < static_cast<size_t>(b.edges_); ++j) {
                const Vec3 axis = a.direction(i).cross(b.direction(j));
                if (axis.norm() > 1e-3 * a.direction(i).norm() * b.direction(j).norm()) along(axis.normalized());
            }
        }
        return best;
    }

private:
    Vec3 corner(size_t i) const { return {arrays_[0][i], arrays_[1][i], arrays_[2][i]}; }
    Vec3 direction(size_t i) const { return {arrays_[6][i], arrays_[7][i], arrays_[8][i]}; }
    std::array<std::vector<float>, 15> arrays_;
    std::vector<float> planes_;
    int edges_ = 0;
};

Vec3f randomOffset(Random& random, double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)).cast<float>();
}

bool sameBits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(HullKernels, SatGivesTheSameBits) {
    const HullKernels &best = hullKernels(), &portable = portableHullKernels();
    size_t edges = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
        Random random(11, i);
        const RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.15));
        const float reach = static_cast<float>(random.uniform(0, 0.1)), preference = static_cast<float>(i % 2) * 5e-4f;
        const SatResult one = best.sat(a.arrays(), b.arrays(), reach, preference),
                        other = portable.sat(a.arrays(), b.arrays(), reach, preference);
        ASSERT_TRUE(sameBits(one.separation, other.separation)) << i;
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(sameBits(one.axis[k], other.axis[k])) << i;
        ASSERT_EQ(one.feature, other.feature) << i;
        ASSERT_EQ(one.indexA, other.indexA) << i;
        ASSERT_EQ(one.indexB, other.indexB) << i;
        edges += one.feature == SatFeature::Edges;
    }
    EXPECT_GT(edges, 50u);
}

TEST(HullKernels, SatFindsTheLeastOverlap) {
    size_t overlapping = 0;
    for (uint64_t i = 0; i < 300; ++i) {
        Random random(12, i);
        const RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.12));
        const double expected = RandomHull::bruteSeparation(a, b);
        const SatResult found = hullKernels().sat(a.arrays(), b.arrays(), 1e9f, 0);
        if (expected < 0) {
            ASSERT_NEAR(found.separation, expected, 2e-6) << i;
            ++overlapping;
        } else {
            ASSERT_GT(found.separation, 0) << i;
        }
    }
    EXPECT_GT(overlapping, 50u);
}

TEST(HullKernels, SeparationAlongGivesTheSameBits) {
    for (uint64_t i = 0; i < 1000; ++i) {
        Random random(13, i);
        const RandomHull a(random, Vec3f::Zero()), b(random, Vec3f::Zero());
        float axisA[3], axisB[3];
        for (int k = 0; k < 3; ++k) {
            axisA[k] = static_cast<float>(random.uniform(-1, 1));
            axisB[k] = static_cast<float>(random.uniform(-1, 1));
        }
        ASSERT_TRUE(sameBits(hullKernels().separationAlong(a.arrays(), b.arrays(), axisA, axisB, 0.25f),
                             portableHullKernels().separationAlong(a.arrays(), b.arrays(), axisA, axisB, 0.25f)));
    }
}

}  // namespace
}  // namespace sunder::dynamics::detail
