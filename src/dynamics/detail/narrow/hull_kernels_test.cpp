// The kernels compiled for AVX2 and for any machine give the same bits. On a machine without AVX2 the two are one, and
// the comparisons say nothing.
#include "dynamics/detail/narrow/hull_kernels.h"

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
        const ShapePtr shape = random.below(4) > 0 ? makeHull(convexFragment(5, random.below(256))) : roundHull(random);
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
        ball_ = {{offset.x(), offset.y(), offset.z()}, core.innerRadius * (1 - 1e-4f)};
    }

    CornerArrays corners() const { return {static_cast<int>(arrays_[0].size()), data(0), data(1), data(2)}; }
    PlaneArrays planes() const { return {static_cast<int>(planes_.size() / 4), planes_.data(), 4}; }
    EdgeArrays edges() const {
        return {edges_,   static_cast<int>(arrays_[3].size()),
                data(3),  data(4),
                data(5),  data(6),
                data(7),  data(8),
                data(9),  data(10),
                data(11), data(12),
                data(13), data(14)};
    }
    /// Only those listed.
    EdgeArrays edges(const std::vector<uint32_t>& which) {
        const size_t padded = (which.size() + 7) / 8 * 8;
        for (size_t k = 0; k < 12; ++k) {
            some_[k].resize(padded);
            for (size_t i = 0; i < padded; ++i) some_[k][i] = arrays_[k + 3][which[i < which.size() ? i : 0]];
        }
        const auto at = [&](size_t k) { return some_[k].data(); };
        return {static_cast<int>(which.size()),
                static_cast<int>(padded),
                at(0),
                at(1),
                at(2),
                at(3),
                at(4),
                at(5),
                at(6),
                at(7),
                at(8),
                at(9),
                at(10),
                at(11)};
    }
    const InnerBall& ball() const { return ball_; }

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
    /// With many small faces, as the pieces of a ball have.
    static ShapePtr roundHull(Random& random) {
        std::vector<Vec3> points;
        for (int i = 0; i < 60; ++i) {
            const Vec3 p(random.normal(), random.normal(), random.normal());
            points.push_back(0.1 * p.normalized() + Vec3(0, 0, random.uniform(-0.02, 0.02)));
        }
        return makeHull(points);
    }
    const float* data(size_t i) const { return arrays_[i].data(); }
    Vec3 corner(size_t i) const { return {arrays_[0][i], arrays_[1][i], arrays_[2][i]}; }
    Vec3 direction(size_t i) const { return {arrays_[6][i], arrays_[7][i], arrays_[8][i]}; }
    std::array<std::vector<float>, 15> arrays_;
    std::array<std::vector<float>, 12> some_;
    std::vector<float> planes_;
    int edges_ = 0;
    InnerBall ball_;
};

Vec3f randomOffset(Random& random, double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)).cast<float>();
}

bool sameBits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

constexpr float kAnything = -3e38f, kEndless = 3e38f;
const InnerBall kNoBall{{0, 0, 0}, -1e30f};  // nothing is passed over

/// The whole test with these kernels; edges chosen first, or all of them.
struct Sat {
    FarthestFace ofA, ofB;
    FarthestEdges edges;
    size_t tried = 0;  // pairs of edges

    Sat(const HullKernels& kernels, RandomHull& a, RandomHull& b, bool choose)
        : ofA(kernels.farthestFace(a.planes(), b.corners(), choose ? b.ball() : kNoBall, kAnything, kEndless)),
          ofB(kernels.farthestFace(b.planes(), a.corners(), choose ? a.ball() : kNoBall, kAnything, kEndless)) {
        const float least = std::max(ofA.separation, ofB.separation);
        std::vector<uint32_t> ofFirst(1000), ofSecond(1000);
        ofFirst.resize(size_t(kernels.edgesTowards(a.edges(), choose ? b.ball() : kNoBall, least, ofFirst.data())));
        ofSecond.resize(size_t(kernels.edgesTowards(b.edges(), choose ? a.ball() : kNoBall, least, ofSecond.data())));
        tried = ofFirst.size() * ofSecond.size();
        edges.separation = least;
        if (tried == 0) return;
        edges = kernels.farthestEdges(a.edges(ofFirst), b.edges(ofSecond), least);
    }
    float separation() const { return edges.separation; }
};

TEST(HullKernels, SeparatingAxesHaveTheSameBits) {
    size_t edges = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
        Random random(11, i);
        RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.15));
        const Sat one(hullKernels(), a, b, true), other(portableHullKernels(), a, b, true);
        ASSERT_EQ(one.ofA.face, other.ofA.face) << i;
        ASSERT_EQ(one.ofB.face, other.ofB.face) << i;
        ASSERT_TRUE(sameBits(one.ofA.separation, other.ofA.separation)) << i;
        ASSERT_TRUE(sameBits(one.ofB.separation, other.ofB.separation)) << i;
        ASSERT_EQ(one.tried, other.tried) << i;
        ASSERT_EQ(one.edges.a, other.edges.a) << i;
        ASSERT_EQ(one.edges.b, other.edges.b) << i;
        ASSERT_TRUE(sameBits(one.edges.separation, other.edges.separation)) << i;
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(sameBits(one.edges.axis[k], other.edges.axis[k])) << i;
        edges += one.edges.a >= 0;
    }
    EXPECT_GT(edges, 50u);
}

TEST(HullKernels, TheyFindTheLeastOverlap) {
    size_t overlapping = 0;
    for (uint64_t i = 0; i < 300; ++i) {
        Random random(12, i);
        RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.12));
        const double expected = RandomHull::bruteSeparation(a, b);
        const Sat found(hullKernels(), a, b, true);
        if (expected < 0) {
            ASSERT_NEAR(found.separation(), expected, 2e-6) << i;
            ++overlapping;
        } else {
            ASSERT_GT(found.separation(), 0) << i;
        }
    }
    EXPECT_GT(overlapping, 50u);
}

TEST(HullKernels, WhatIsPassedOverWouldNotHaveMattered) {
    size_t tried = 0, all = 0;
    for (uint64_t i = 0; i < 3000; ++i) {
        Random random(14, i);
        RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.15));
        const Sat some(hullKernels(), a, b, true), every(hullKernels(), a, b, false);
        ASSERT_EQ(some.ofA.face, every.ofA.face) << i;
        ASSERT_EQ(some.ofB.face, every.ofB.face) << i;
        ASSERT_TRUE(sameBits(some.separation(), every.separation())) << i;
        tried += some.tried, all += every.tried;
    }
    EXPECT_LT(tried, all / 10);
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
        ASSERT_TRUE(sameBits(hullKernels().separationAlong(a.corners(), b.corners(), axisA, axisB, 0.25f),
                             portableHullKernels().separationAlong(a.corners(), b.corners(), axisA, axisB, 0.25f)));
    }
}

}  // namespace
}  // namespace sunder::dynamics::detail
