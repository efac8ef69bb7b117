#include "dynamics/free_rotation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/stopwatch.h"

namespace sunder::dynamics {
namespace {

constexpr double kFrame = 1.0 / 30;  // s

Vec3 randomDirection(Random& random) { return Vec3(random.normal(), random.normal(), random.normal()).normalized(); }

Quat randomOrientation(Random& random) {
    return Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}

/// Spinning with omega (body axes).
Rotor spinning(const Quat& orientation, const Vec3& moments, const Vec3& bodySpin) {
    return {orientation, moments, orientation * moments.cwiseProduct(bodySpin)};
}

double angleBetween(const Quat& a, const Quat& b) {
    return 2 * std::asin(std::min(1.0, (a.conjugate() * b).vec().norm()));
}

/// The second road: Euler's equations for orientation with fixed L, dq/dt = q (0, omega_body) / 2, by plain RK4.
Quat turnedByRungeKutta(const Rotor& rotor, double time, int steps) {
    const auto rate = [&](const Quat& q) {
        const Vec3 spin = (q.conjugate() * rotor.angularMomentum).cwiseQuotient(rotor.moments) / q.squaredNorm();
        return Vec4(0.5 * (q * Quat(0, spin.x(), spin.y(), spin.z())).coeffs());
    };
    const double h = time / steps;
    Quat q = rotor.orientation;
    for (int i = 0; i < steps; ++i) {
        const Vec4 k1 = rate(q), k2 = rate(Quat(Vec4(q.coeffs() + 0.5 * h * k1)));
        const Vec4 k3 = rate(Quat(Vec4(q.coeffs() + 0.5 * h * k2))), k4 = rate(Quat(Vec4(q.coeffs() + h * k3)));
        q = Quat(Vec4(q.coeffs() + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))).normalized();
    }
    return q;
}

Quat turnedInFrames(Rotor rotor, double time, int frames) {
    for (int i = 0; i < frames; ++i) rotor.orientation = turnedFreely(rotor, time / frames);
    return rotor.orientation;
}

TEST(RotationBy, MatchesLongDoubleTrigonometryAtAnyAngle) {
    Random random(1);
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        const double angle = i % 2 == 0 ? random.uniform(0, 7) : std::pow(10.0, random.uniform(-12, 5));
        const Vec3 vector = angle * randomDirection(random);
        const Quat q = rotationBy(vector);
        const long double x = vector.x(), y = vector.y(), z = vector.z();
        const long double exactAngle = sqrtl(x * x + y * y + z * z), s = sinl(exactAngle / 2) / exactAngle;
        // the vector's own round-off turns the body by half an ulp of the angle
        const long double allowed = 1e-15L + 2.3e-16L * exactAngle;
        const long double error = std::max(
            {fabsl(q.w() - cosl(exactAngle / 2)), fabsl(q.x() - s * x), fabsl(q.y() - s * y), fabsl(q.z() - s * z)});
        worst = std::max(worst, double(error / allowed));
    }
    EXPECT_LT(worst, 1);
    EXPECT_EQ(rotationBy(Vec3::Zero()).coeffs(), Quat::Identity().coeffs());
}

TEST(RotationBy, QuarterAndWholeTurns) {
    const double pi = std::numbers::pi;
    for (int quarters = -9; quarters <= 9; ++quarters) {
        const Quat q = rotationBy(Vec3(0, quarters * pi / 2, 0));
        EXPECT_NEAR(q.w(), std::cos(quarters * pi / 4), 1e-15) << quarters;
        EXPECT_NEAR(q.y(), std::sin(quarters * pi / 4), 1e-15) << quarters;
    }
}

struct Drift {
    double energy = 0, momentum = 0;  // relative, largest over all frames
};

/// Rotates as World does: the momentum is the state, velocity and energy follow from it and the orientation.
Drift driftOf(Rotor rotor, int frames, double dt) {
    const double energy = rotationalEnergy(rotor), momentum = rotor.angularMomentum.norm();
    Drift drift;
    for (int i = 0; i < frames; ++i) {
        rotor.orientation = turnedFreely(rotor, dt);
        const Vec3 spin = rotor.orientation.conjugate() * angularVelocity(rotor);
        const double momentumNow = (rotor.orientation * rotor.moments.cwiseProduct(spin)).norm();
        drift.energy = std::max(drift.energy, std::abs(rotationalEnergy(rotor) - energy) / energy);
        drift.momentum = std::max(drift.momentum, std::abs(momentumNow - momentum) / momentum);
    }
    return drift;
}

TEST(FreeRotation, KeepsEnergyAndMomentumOverNineThousandFrames) {
    Random random(2);
    for (const Vec3& moments : {Vec3(1, 2, 3), Vec3(1, 100, 101), Vec3(1, 1000, 1001)}) {
        Drift worst;
        for (const double speed : {5.0, 20.0, 50.0, 100.0, 200.0}) {
            // along each axis nearly, and somewhere between
            for (int k = 0; k < 4; ++k) {
                const Vec3 between = randomDirection(random);
                const Vec3 direction = k < 3 ? Vec3((Vec3::Unit(k) + 0.01 * between).normalized()) : between;
                const Drift drift =
                    driftOf(spinning(randomOrientation(random), moments, speed * direction), 9000, kFrame);
                EXPECT_LE(drift.energy, 1e-9) << moments.transpose() << ", " << speed << " rad/s, " << k;
                EXPECT_LE(drift.momentum, 1e-12) << moments.transpose() << ", " << speed << " rad/s, " << k;
                worst.energy = std::max(worst.energy, drift.energy);
                worst.momentum = std::max(worst.momentum, drift.momentum);
            }
        }
        std::printf("1:%g:%g: relative drift of energy %.1e, of momentum %.1e\n", moments.y(), moments.z(),
                    worst.energy, worst.momentum);
    }
}

TEST(FreeRotation, PathConvergesWithTheSquareOfTheStep) {
    Random random(3);
    const double time = 0.5;
    for (const Vec3& moments : {Vec3(1, 2, 3), Vec3(2, 3, 3.5), Vec3(1, 10, 10.5)}) {
        const Rotor rotor = spinning(randomOrientation(random), moments, 8 * randomDirection(random));
        const Quat exact = turnedByRungeKutta(rotor, time, 40000);
        ASSERT_LT(angleBetween(exact, turnedByRungeKutta(rotor, time, 20000)), 1e-12);
        double coarser = angleBetween(turnedInFrames(rotor, time, 100), exact);
        for (const int frames : {200, 400, 800}) {
            const double finer = angleBetween(turnedInFrames(rotor, time, frames), exact);
            EXPECT_GT(std::log2(coarser / finer), 1.9) << moments.transpose() << ", frames " << frames;
            coarser = finer;
        }
        EXPECT_LT(coarser, 1e-5);
    }
}

TEST(FreeRotation, FastSpinFollowsThePathWithinAFrame) {
    // 200 rad/s turns a body by more than a full turn per frame; sub-rotations keep it on the true path
    const Rotor rotor = spinning(Quat::Identity(), Vec3(1, 2, 3), Vec3(100, 120, 125));
    const Quat exact = turnedByRungeKutta(rotor, kFrame, 20000);
    EXPECT_LT(angleBetween(turnedFreely(rotor, kFrame), exact), 0.02);
}

TEST(FreeRotation, BackwardsUndoesForwards) {
    Random random(4);
    Rotor rotor = spinning(randomOrientation(random), Vec3(1, 2, 2.5), 3 * randomDirection(random));
    const Quat start = rotor.orientation;
    rotor.orientation = turnedFreely(rotor, 0.01);
    EXPECT_LT(angleBetween(turnedFreely(rotor, -0.01), start), 1e-5);
}

TEST(FreeRotation, SphereTurnsByItsSpinExactly) {
    Random random(5);
    for (const double speed : {0.1, 10.0, 200.0, 5000.0}) {
        const Vec3 spin = speed * randomDirection(random);
        const Rotor rotor = spinning(Quat::Identity(), Vec3::Constant(0.3), spin);
        EXPECT_LT(angleBetween(turnedFreely(rotor, kFrame), rotationBy(kFrame * spin)), 1e-13 * (1 + speed * kFrame));
    }
}

TEST(FreeRotation, SymmetricTopPrecessesAtTheKnownRate) {
    // I1 = I2 = I, I3 about z: the axis circles L at |L| / I
    const double i = 2, i3 = 3;
    Rotor rotor = spinning(Quat::Identity(), Vec3(i, i, i3), Vec3(2, 0, 3));
    const Vec3 axisBefore = rotor.orientation * Vec3::UnitZ(), l = rotor.angularMomentum;
    const double time = 1.0;
    const Vec3 expected = rotationBy(time / i * l) * axisBefore;
    rotor.orientation = turnedInFrames(rotor, time, 2000);
    EXPECT_LT((rotor.orientation * Vec3::UnitZ() - expected).norm(), 1e-5);
}

TEST(FreeRotation, SpinAboutAStableAxisStaysThere) {
    Random random(11);
    for (const int stable : {0, 2}) {
        Rotor rotor = spinning(randomOrientation(random), Vec3(1, 2, 3), 50 * Vec3::Unit(stable));
        const Vec3 axis = rotor.orientation * Vec3::Unit(stable);
        for (int i = 0; i < 9000; ++i) rotor.orientation = turnedFreely(rotor, kFrame);
        EXPECT_LT((rotor.orientation * Vec3::Unit(stable) - axis).norm(), 1e-6);
    }
}

TEST(FreeRotation, BodyAtRestStaysToTheLastBit) {
    Random random(6);
    const Quat orientation = randomOrientation(random);
    const Rotor rotor{orientation, Vec3(1, 2, 3), Vec3::Zero()};
    EXPECT_EQ(turnedFreely(rotor, kFrame).coeffs(), orientation.coeffs());
    EXPECT_EQ(withRotationalEnergy(rotor, 5).coeffs(), orientation.coeffs());
    EXPECT_EQ(rotationalEnergy(rotor), 0);
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
double ellipticK(double k) {
    double a = 1, b = std::sqrt(1 - k * k);
    for (int i = 0; i < 40; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / (2 * a);
}

/// Seconds between two flips of a body spinning nearly about its middle axis [landau-mechanics, section 37].
double flipTime(const Vec3& moments, const Vec3& spin) {
    const auto [i1, i2, i3] = std::tuple(moments.x(), moments.y(), moments.z());
    const double twiceEnergy = moments.dot(spin.cwiseAbs2()), squaredL = moments.cwiseProduct(spin).squaredNorm();
    const double low = (i3 - i2) * (squaredL - twiceEnergy * i1), high = (i2 - i1) * (twiceEnergy * i3 - squaredL);
    const double fast = std::max(low, high), slow = std::min(low, high);
    return 2 * ellipticK(std::sqrt(slow / fast)) / std::sqrt(fast / (i1 * i2 * i3));
}

TEST(FreeRotation, WingNutFlipsWithTheAnalyticPeriod) {
    struct Case {
        Vec3 moments;
        double speed;  // rad/s about the middle axis
    };
    for (const auto& [moments, speed] : {Case{{1, 2, 3}, 5}, Case{{1, 2, 3}, 200}, Case{{1, 100, 100.5}, 200}}) {
        const Vec3 spin = speed * Vec3(1e-3, 1, 0);
        const double expected = flipTime(moments, spin);
        Rotor rotor = spinning(Quat::Identity(), moments, spin);
        const double dt = std::min(kFrame, expected / 50);
        double firstFlip = 0, lastFlip = 0, before = 1;
        int flips = 0;
        for (int frame = 1; flips < 11 && frame < 100000; ++frame) {
            rotor.orientation = turnedFreely(rotor, dt);
            const double now = (rotor.orientation.conjugate() * rotor.angularMomentum).y();
            if (now * before < 0) {
                const double when = dt * (frame - now / (now - before));
                if (flips++ == 0) firstFlip = when;
                lastFlip = when;
            }
            before = now;
        }
        ASSERT_EQ(flips, 11);
        EXPECT_NEAR((lastFlip - firstFlip) / 10, expected, 0.01 * expected) << moments.transpose() << ", " << speed;
    }
}

TEST(RotationalEnergy, AnyAllowedEnergyIsReachedFromAnyOrientation) {
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        Random random(7, i);
        Vec3 moments;
        for (double& m : moments) m = std::pow(10.0, random.uniform(-1.5, 1.5));
        const Vec3 l = std::pow(10.0, random.uniform(-3, 3)) * randomDirection(random);
        const double energy = rotationalEnergy({randomOrientation(random), moments, l});
        const Rotor wrong{randomOrientation(random), moments, l};
        const Quat mended = withRotationalEnergy(wrong, energy);
        EXPECT_NEAR(mended.norm(), 1, 1e-15);
        worst = std::max(worst, std::abs(rotationalEnergy({mended, moments, l}) - energy) / energy);
    }
    EXPECT_LE(worst, 1e-11);
    std::printf("worst relative error of 200,000 energies: %.1e\n", worst);
}

TEST(RotationalEnergy, AlignedBodiesLeaveTheirAxis) {
    // omega along L: the first axis has no direction
    const Vec3 moments(1, 2, 3);
    for (int k = 0; k < 3; ++k) {
        const Vec3 l = 6 * Vec3::Unit(k);
        for (const double energy : {6.0, 6.1, 9.0, 12.0, 17.9, 18.0}) {
            const Quat mended = withRotationalEnergy({Quat::Identity(), moments, l}, energy);
            EXPECT_NEAR(rotationalEnergy({mended, moments, l}), energy, 1e-13 * energy) << k << ", " << energy;
        }
    }
}

TEST(RotationalEnergy, ImpossibleEnergiesGoToTheNearest) {
    Random random(8);
    const Vec3 moments(1, 2, 3), l = 6 * randomDirection(random);
    const Rotor rotor{randomOrientation(random), moments, l};
    EXPECT_NEAR(rotationalEnergy({withRotationalEnergy(rotor, 1), moments, l}), 6, 1e-12);
    EXPECT_NEAR(rotationalEnergy({withRotationalEnergy(rotor, 100), moments, l}), 18, 1e-12);
}

TEST(RotationalEnergy, SmallErrorsAreMendedBySmallTurns) {
    for (int i = 0; i < 1000; ++i) {
        Random random(9, i);
        const Vec3 moments(1, 1.5 + random.uniform(), 3), l = randomDirection(random);
        const Quat right = randomOrientation(random);
        const Quat wrong = rotationBy(1e-4 * randomDirection(random)) * right;
        const Quat mended = withRotationalEnergy({wrong, moments, l}, rotationalEnergy({right, moments, l}));
        EXPECT_LT(angleBetween(mended, wrong), 0.03) << i;  // more than 1e-4 only where the energy hardly changes
    }
}

TEST(FreeRotation, SlowBodyCostsLessThanHalfAMicrosecond) {
    Random random(10);
    Rotor rotor = spinning(randomOrientation(random), Vec3(1, 2, 2.5), Vec3(0.3, 0.8, 0.4));
    constexpr int kTurns = 200000;
    const Stopwatch watch;
    for (int i = 0; i < kTurns; ++i) rotor.orientation = turnedFreely(rotor, kFrame);
    const double nanoseconds = 1e9 * watch.cpuSeconds() / kTurns;
    std::printf("%.0f ns per slow body and frame\n", nanoseconds);
#ifdef NDEBUG
    EXPECT_LT(nanoseconds, 2000);  // the aim is 500; a busy machine must not fail
#endif
    EXPECT_TRUE(rotor.orientation.coeffs().allFinite());
}

}  // namespace
}  // namespace sunder::dynamics
