// The kernels compiled for AVX2 and for any machine give the same bits. On a machine without AVX2 the two are one, and
// the comparisons say nothing.
#include "dynamics/detail/kernels.h"

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

TEST(Kernels, SatGivesTheSameBits) {
    const Kernels &best = kernels(), &portable = portableKernels();
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

TEST(Kernels, SatFindsTheLeastOverlap) {
    size_t overlapping = 0;
    for (uint64_t i = 0; i < 300; ++i) {
        Random random(12, i);
        const RandomHull a(random, Vec3f::Zero()), b(random, randomOffset(random, 0.12));
        const double expected = RandomHull::bruteSeparation(a, b);
        const SatResult found = kernels().sat(a.arrays(), b.arrays(), 1e9f, 0);
        if (expected < 0) {
            ASSERT_NEAR(found.separation, expected, 2e-6) << i;
            ++overlapping;
        } else {
            ASSERT_GT(found.separation, 0) << i;
        }
    }
    EXPECT_GT(overlapping, 50u);
}

TEST(Kernels, SeparationAlongGivesTheSameBits) {
    for (uint64_t i = 0; i < 1000; ++i) {
        Random random(13, i);
        const RandomHull a(random, Vec3f::Zero()), b(random, Vec3f::Zero());
        float axisA[3], axisB[3];
        for (int k = 0; k < 3; ++k) {
            axisA[k] = static_cast<float>(random.uniform(-1, 1));
            axisB[k] = static_cast<float>(random.uniform(-1, 1));
        }
        ASSERT_TRUE(sameBits(kernels().separationAlong(a.arrays(), b.arrays(), axisA, axisB, 0.25f),
                             portableKernels().separationAlong(a.arrays(), b.arrays(), axisA, axisB, 0.25f)));
    }
}

/// Groups of eight manifolds over 16 bodies each, filled with numbers of sensible size; odd groups write to only some
/// of their bodies.
struct Problem {
    std::vector<WideManifold> groups;
    std::vector<SolverBody> bodies;
    std::vector<SolverPush> pushes;

    explicit Problem(uint64_t seed) {
        constexpr size_t kGroups = 12;
        // all bytes are compared, padding too
        groups.resize(kGroups);
        bodies.resize(16 * kGroups);
        pushes.resize(16 * kGroups);
        std::memset(static_cast<void*>(groups.data()), 0, groups.size() * sizeof(WideManifold));
        std::memset(static_cast<void*>(bodies.data()), 0, bodies.size() * sizeof(SolverBody));
        std::memset(static_cast<void*>(pushes.data()), 0, pushes.size() * sizeof(SolverPush));
        Random random(seed);
        const auto uniform = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
        for (SolverBody& body : bodies) {
            for (int k = 0; k < 3; ++k) {
                body.velocity[k] = uniform(-3, 3);
                body.angular[k] = uniform(-5, 5);
                body.displacement[k] = uniform(-1e-3, 1e-3);
                body.rotation[k] = uniform(-1e-3, 1e-3);
            }
        }
        for (size_t g = 0; g < kGroups; ++g) {
            WideManifold& m = groups[g];
            m.writesA = g % 2 ? static_cast<int32_t>(random.below(256)) : 255;
            m.writesB = g % 2 ? static_cast<int32_t>(random.below(256)) : 255;
            m.pointCount = 1 + static_cast<int32_t>(g % 4);
            m.hasRolling = g % 3 == 0;
            for (int lane = 0; lane < 8; ++lane) {
                m.a[lane] = static_cast<int32_t>(16 * g) + lane;
                m.b[lane] = m.a[lane] + 8;
                m.invMassA[lane] = uniform(0.01, 2);
                m.invMassB[lane] = uniform(0.01, 2);
                for (int k = 0; k < 6; ++k) {
                    m.invInertiaA[k][lane] = k < 3 ? uniform(5, 20) : uniform(-1, 1);
                    m.invInertiaB[k][lane] = k < 3 ? uniform(5, 20) : uniform(-1, 1);
                }
                const Vec3 n = Vec3(random.normal(), random.normal(), random.normal()).normalized();
                const Vec3 t = n.unitOrthogonal();
                for (int k = 0; k < 3; ++k) {
                    m.normal[k][lane] = static_cast<float>(n[k]);
                    m.tangent[k][lane] = static_cast<float>(t[k]);
                    m.fromAToB[k][lane] = uniform(-0.2, 0.2);
                    m.middle[k][lane] = uniform(-0.1, 0.1);
                    m.frictionStart[k][lane] = uniform(-0.1, 0.1);
                    m.frictionImpulse[k][lane] = uniform(-0.1, 0.1);
                    m.rollingStart[k][lane] = uniform(-0.01, 0.01);
                    m.tangentMass[k][lane] = k == 1 ? uniform(-0.01, 0.01) : uniform(0.1, 0.5);
                }
                m.friction[lane] = uniform(0, 1);
                m.softness[lane] = 1e-4f;
                m.pushLimit[lane] = uniform(1e-4, 1e-2);
                m.movesWithA[lane] = lane % 2 ? 1.0f : 0.0f;
                m.slideMass[lane] = uniform(0.1, 0.3);
                m.twistMass[lane] = uniform(0.01, 0.1);
                m.twistRadius[lane] = uniform(0, 0.1);
                m.rolling[lane] = uniform(0, 0.01);
                m.rollingMass[lane] = uniform(0.01, 0.1);
                for (int p = 0; p < m.pointCount; ++p) {
                    WideManifold::Point& point = m.points[p];
                    for (int k = 0; k < 3; ++k) point.arm[k][lane] = uniform(-0.1, 0.1);
                    point.separation[lane] = uniform(-5e-3, 5e-3);
                    point.mass[lane] = uniform(0.1, 0.5);
                    point.start[lane] = uniform(0, 0.2);
                    point.impulse[lane] = uniform(0, 0.2);
                }
            }
        }
    }

    void solve(const Kernels& with) {
        SweepSettings settings;
        settings.h = 1.0f / 240;
        settings.inverseH = 240;
        for (int i = 0; i < 6; ++i) {
            settings.first = i == 0;
            settings.last = i == 5;
            settings.momentum = i > 1 ? 0.3f : 0.0f;
            settings.push = i % 2 == 0;
            with.sweep(groups.data(), groups.size(), bodies.data(), pushes.data(), settings);
        }
        with.addToTotals(groups.data(), groups.size(), bodies.data(), 0.7f);
    }
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()), a.size() * sizeof(T)) ==
           0;
}

TEST(Kernels, SweepGivesTheSameBits) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
        Problem one(seed), other(seed);
        ASSERT_TRUE(sameBits(one.groups, other.groups));
        const std::vector<SolverBody> start = one.bodies;
        one.solve(kernels());
        other.solve(portableKernels());
        ASSERT_TRUE(sameBits(one.groups, other.groups)) << seed;
        ASSERT_TRUE(sameBits(one.bodies, other.bodies)) << seed;
        ASSERT_TRUE(sameBits(one.pushes, other.pushes)) << seed;
        ASSERT_FALSE(sameBits(one.bodies, start)) << "nothing was solved";
        for (const SolverBody& body : one.bodies) ASSERT_TRUE(std::isfinite(body.velocity[0] + body.angular[2]));
    }
}

TEST(Kernels, SweepLeavesOtherBodiesAlone) {
    Problem problem(1);
    problem.groups[0].writesA = 0b10101010;
    const std::vector<SolverBody> start = problem.bodies;
    problem.solve(kernels());
    for (int lane = 0; lane < 8; ++lane) {
        const size_t body = static_cast<size_t>(problem.groups[0].a[lane]);
        const bool same = std::memcmp(&problem.bodies[body], &start[body], sizeof(SolverBody)) == 0;
        EXPECT_EQ(same, lane % 2 == 0) << lane;
    }
}

}  // namespace
}  // namespace sunder::dynamics::detail
