// The kernels compiled for AVX2 and for any machine give the same bits. On a machine without AVX2 the two are one, and
// the comparisons say nothing.
#include "dynamics/detail/solve/contact_kernels.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "math/vec.h"

namespace sunder::dynamics::detail {
namespace {

constexpr size_t kGroups = 12;

/// Groups of eight manifolds over 16 bodies each, filled with numbers of sensible size; in odd groups some bodies do
/// not mobile, and some lanes are empty.
struct Problem {
    std::vector<BodyConstants> constants{16 * kGroups};
    std::vector<BodyRow> velocity{16 * kGroups}, displacement{16 * kGroups}, push{16 * kGroups};
    std::vector<CarriedMotion> motions{16 * kGroups};
    std::vector<float> smooth;
    std::vector<std::array<float, 40>> patches{8 * kGroups};  // four points and what is carried
    std::vector<LaneSources> sources{kGroups};
    std::vector<WideManifold> groups{kGroups};
    std::vector<WidePoint> points{4 * kGroups};
    std::vector<WideRest> rests{kGroups};
    std::vector<float> changes;

    explicit Problem(uint64_t seed) : smooth(16 * kGroups), changes(kGroups) {
        // all bytes are compared, those that nobody wrote too
        std::memset(static_cast<void*>(groups.data()), 0, groups.size() * sizeof(WideManifold));
        std::memset(static_cast<void*>(points.data()), 0, points.size() * sizeof(WidePoint));
        std::memset(static_cast<void*>(rests.data()), 0, rests.size() * sizeof(WideRest));
        Random random(seed);
        const auto uniform = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
        for (size_t i = 0; i < velocity.size(); ++i) {
            for (int k = 0; k < 6; ++k) {
                velocity[i].row[k] = uniform(-3, 3);
                displacement[i].row[k] = uniform(-1e-3, 1e-3);
                motions[i].acceleration[k] = uniform(-10, 10);
            }
            smooth[i] = uniform(0, 0.05);
            BodyConstants& c = constants[i];
            const Mat3 turn = Quat(random.normal(), random.normal(), random.normal(), random.normal())
                                  .normalized()
                                  .toRotationMatrix();
            for (int k = 0; k < 9; ++k) c.rotation[k] = static_cast<float>(turn(k / 3, k % 3));
            c.radius = uniform(0.05, 0.3);
            c.friction = uniform(0, 1);
            c.rollingFriction = i / 16 % 3 == 0 ? uniform(0, 0.01) : 0;
            if (i / 16 % 2 == 1 && random.below(2) == 0) continue;
            c.inverseMass = uniform(0.01, 2);
            for (int k = 0; k < 6; ++k) c.inverseInertia[k] = k < 3 ? uniform(5, 20) : uniform(-1, 1);
        }
        for (size_t g = 0; g < kGroups; ++g) {
            WideManifold& m = groups[g];
            LaneSources& from = sources[g];
            const int most = 1 + static_cast<int>(g % 4);
            m.firstPoint = static_cast<int32_t>(4 * g);
            m.pointCount = most;
            for (int lane = 0; lane < 8; ++lane) {
                m.a[lane] = static_cast<int32_t>(16 * g) + lane;
                m.b[lane] = m.a[lane] + 8;
                const int count = g % 2 ? static_cast<int>(random.below(static_cast<uint64_t>(most) + 1)) : most;
                from.count[lane] = static_cast<float>(lane == 3 ? most : count);
                const auto mobile = [&](int32_t i) { return constants[static_cast<size_t>(i)].inverseMass > 0; };
                m.writesA |= int32_t{from.count[lane] > 0 && mobile(m.a[lane])} << lane;
                m.writesB |= int32_t{from.count[lane] > 0 && mobile(m.b[lane])} << lane;
                std::array<float, 40>& patch = patches[8 * g + static_cast<size_t>(lane)];
                from.points[lane] = patch.data();
                from.carried[lane] = patch.data() + 32;
                const Vec3 n = Vec3(random.normal(), random.normal(), random.normal()).normalized();
                for (int k = 0; k < 3; ++k) {
                    from.normal[k][lane] = static_cast<float>(n[k]);
                    from.apart[k][lane] = uniform(-0.2, 0.2);
                }
                from.swept[lane] = lane == 5 ? 1.0f : 0.0f;
                for (size_t i = 0; i < 40; ++i) {
                    const size_t part = i % 8;
                    patch[i] = i >= 32 ? uniform(-1e-3, 1e-3) : part < 6 ? uniform(-0.1, 0.1) : uniform(-5e-3, 5e-3);
                    if (i < 32 && part == 7) patch[i] = lane % 2 ? uniform(0, 0.2) : 0;
                }
            }
        }
    }

    WideArrays arrays() { return {groups.data(), points.data(), rests.data(), changes.data()}; }
    SolverRows rows() { return {velocity.data(), displacement.data(), push.data()}; }

    void fill(const ContactKernels& with) {
        FillSettings how;
        how.softness = 2e-4f;
        how.pushLimit = 2e-2f;
        how.nearShare = 0.01f;
        for (size_t g = 0; g < kGroups; ++g) with.fill(arrays(), g, sources[g], constants.data(), velocity.data(), how);
    }

    /// Two substeps of four sweeps.
    std::vector<LaneResults> solve(const ContactKernels& with) {
        SweepSettings settings;
        settings.h = 1.0f / 240;
        settings.inverseH = 240;
        with.carry(arrays(), 0, kGroups, motions.data());
        for (int step = 0; step < 2; ++step) {
            with.kick(velocity.data(), motions.data(), velocity.size(), settings.h);
            for (int i = 0; i < 4; ++i) {
                settings.first = i == 0;
                settings.count = step > 0;
                settings.remember = i > 0;
                settings.momentum = i > 1 ? 0.3f : 0.0f;
                if (i > 0) with.leap(velocity.data(), motions.data(), velocity.size(), settings.momentum);
                with.sweep(arrays(), 0, kGroups, rows(), settings);
            }
            for (size_t g = 0; g < kGroups; ++g) with.noteShifts(arrays(), g, displacement.data());
            with.drift(velocity.data(), displacement.data(), motions.data(), smooth.data(), velocity.size(), settings);
        }
        std::vector<LaneResults> results(kGroups);
        for (size_t g = 0; g < kGroups; ++g) with.finish(arrays(), g, settings.keep, results[g]);
        return results;
    }
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()), a.size() * sizeof(T)) ==
           0;
}

TEST(ContactKernels, GiveTheSameBits) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
        Problem one(seed), other(seed);
        one.fill(contactKernels());
        other.fill(portableContactKernels());
        ASSERT_TRUE(sameBits(one.groups, other.groups)) << seed;
        const std::vector<BodyRow> start = one.velocity;
        const std::vector<LaneResults> ours = one.solve(contactKernels()),
                                       theirs = other.solve(portableContactKernels());
        ASSERT_TRUE(sameBits(one.groups, other.groups)) << seed;
        ASSERT_TRUE(sameBits(one.points, other.points)) << seed;
        ASSERT_TRUE(sameBits(one.rests, other.rests)) << seed;
        ASSERT_TRUE(sameBits(one.velocity, other.velocity)) << seed;
        ASSERT_TRUE(sameBits(one.displacement, other.displacement)) << seed;
        ASSERT_TRUE(sameBits(one.push, other.push)) << seed;
        ASSERT_TRUE(sameBits(one.motions, other.motions)) << seed;
        ASSERT_TRUE(sameBits(one.changes, other.changes)) << seed;
        ASSERT_TRUE(sameBits(ours, theirs)) << seed;
        ASSERT_FALSE(sameBits(one.velocity, start)) << "nothing was solved";
        for (size_t i = 0; i < one.velocity.size(); ++i) {
            for (int k = 0; k < 6; ++k)
                ASSERT_TRUE(std::isfinite(one.velocity[i].row[k] + one.displacement[i].row[k])) << seed;
        }
        for (const float change : one.changes) ASSERT_TRUE(std::isfinite(change)) << seed;
    }
}

TEST(ContactKernels, LeaveBodiesThatDoNotYieldAlone) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        Problem problem(seed);
        problem.fill(contactKernels());
        const std::vector<BodyRow> start = problem.velocity, place = problem.displacement;
        SweepSettings settings;
        settings.h = 1.0f / 240;
        settings.inverseH = 240;
        contactKernels().sweep(problem.arrays(), 0, kGroups, problem.rows(), settings);
        for (size_t i = 0; i < start.size(); ++i) {
            if (problem.constants[i].inverseMass > 0) continue;
            ASSERT_EQ(std::memcmp(&problem.velocity[i], &start[i], sizeof(BodyRow)), 0) << seed << " " << i;
            ASSERT_EQ(std::memcmp(&problem.displacement[i], &place[i], sizeof(BodyRow)), 0) << seed << " " << i;
        }
    }
}

/// Impulses are equal and opposite, so momentum stays what it was.
TEST(ContactKernels, SweepsKeepTheMomentum) {
    Problem problem(3);
    problem.fill(contactKernels());
    const auto momentum = [&](const WideManifold& m) {
        Vec3 sum = Vec3::Zero();
        for (int lane = 0; lane < 8; ++lane) {
            for (const int32_t i : {m.a[lane], m.b[lane]}) {
                const float* v = problem.velocity[static_cast<size_t>(i)].row;
                sum += Vec3(v[0], v[1], v[2]) / problem.constants[static_cast<size_t>(i)].inverseMass;
            }
        }
        return sum;
    };
    std::vector<Vec3> before;
    for (size_t g = 0; g < kGroups; g += 2) before.push_back(momentum(problem.groups[g]));
    SweepSettings settings;
    settings.h = 1.0f / 240;
    settings.inverseH = 240;
    for (int i = 0; i < 5; ++i) {
        settings.first = i == 0;
        contactKernels().sweep(problem.arrays(), 0, kGroups, problem.rows(), settings);
    }
    // the impulses that the bodies' velocities already hold at the start
    for (size_t g = 0; g < kGroups; g += 2) EXPECT_LT((momentum(problem.groups[g]) - before[g / 2]).norm(), 1e-3);
}

/// Sweeps over one manifold alone end where no point approaches and only points that touch press.
TEST(ContactKernels, SweepsSolveAManifold) {
    Problem problem(4);
    for (BodyConstants& c : problem.constants) c.friction = c.rollingFriction = 0;
    problem.fill(contactKernels());
    SweepSettings settings;
    settings.h = 1.0f / 240;
    settings.inverseH = 240;
    settings.push = 0;
    for (int i = 0; i < 200; ++i) {
        settings.first = i == 0;
        contactKernels().sweep(problem.arrays(), 0, kGroups, problem.rows(), settings);
    }
    size_t pressing = 0;
    for (const WideManifold& m : problem.groups) {
        const auto vector = [](const float(*p)[8], int lane) { return Vec3(p[0][lane], p[1][lane], p[2][lane]); };
        for (int lane = 0; lane < 8; ++lane) {
            const float *a = problem.velocity[static_cast<size_t>(m.a[lane])].row,
                        *b = problem.velocity[static_cast<size_t>(m.b[lane])].row;
            const Vec3 n = vector(m.normal, lane), toB = vector(m.fromAToB, lane);
            const Vec3 spinA(a[3], a[4], a[5]), spinB(b[3], b[4], b[5]);
            for (int i = 0; i < m.pointCount; ++i) {
                const WidePoint& point = problem.points[static_cast<size_t>(m.firstPoint + i)];
                if (!(point.mass[lane] > 0)) continue;
                const double along = n.dot(Vec3(b[0] - a[0], b[1] - a[1], b[2] - a[2])) + toB.cross(n).dot(spinB) +
                                     vector(point.turn, lane).dot(spinB - spinA) + point.bias[lane];
                if (!((m.writesA | m.writesB) >> lane & 1)) continue;
                EXPECT_GT(along, -1e-3);
                if (!(point.impulse[lane] > 0)) continue;
                EXPECT_NEAR(along, 0, 1e-3);
                ++pressing;
            }
        }
    }
    EXPECT_GT(pressing, 30u);
}

}  // namespace
}  // namespace sunder::dynamics::detail
