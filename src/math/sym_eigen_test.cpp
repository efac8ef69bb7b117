#include "math/sym_eigen.h"

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "base/random.h"

namespace sunder {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Worst figures over many tensors, all in units of epsilon times the largest entry (or epsilon, for directions).
struct Quality {
    double residual = 0;        // |A v - l v|
    double orthonormality = 0;  // |V^T V - 1|
    double difference = 0;      // values beside Eigen's iterative solver
    bool ascending = true;
    bool rightHanded = true;

    void add(const SymMat3& m) {
        const SymEigen ours = symmetricEigen(m);
        // the checks themselves must neither overflow nor underflow
        const double size = m.matrix().cwiseAbs().maxCoeff();
        int exponent = 0;
        if (size > 0) std::frexp(size, &exponent);
        const auto scale = [&](double x) { return std::ldexp(x, -exponent); };
        const Mat3 a = m.matrix().unaryExpr(scale);
        const Vec3 values = ours.values.unaryExpr(scale);
        const double unit = kEpsilon * (size > 0 ? scale(size) : 1);

        residual = std::max(residual, (a * ours.vectors - ours.vectors * values.asDiagonal()).norm() / unit);
        orthonormality =
            std::max(orthonormality, (ours.vectors.transpose() * ours.vectors - Mat3::Identity()).norm() / kEpsilon);
        const Eigen::SelfAdjointEigenSolver<Mat3> reference(a, Eigen::EigenvaluesOnly);
        difference = std::max(difference, (values - reference.eigenvalues()).norm() / unit);
        ascending &= values[0] <= values[1] && values[1] <= values[2];
        rightHanded &= ours.vectors.determinant() > 0.5;
    }
    void expectGood() const {
        EXPECT_LT(residual, 24);
        EXPECT_LT(orthonormality, 12);
        EXPECT_LT(difference, 24);
        EXPECT_TRUE(ascending);
        EXPECT_TRUE(rightHanded);
    }
};

double signedUniform(Random& random) { return random.uniform(-1, 1); }

Mat3 randomRotation(Random& random) {
    Quat q(signedUniform(random), signedUniform(random), signedUniform(random), signedUniform(random));
    return q.normalized().toRotationMatrix();
}

SymMat3 withValues(const Vec3& values, const Mat3& rotation) {
    return SymMat3::from(rotation * values.asDiagonal() * rotation.transpose());
}

TEST(SymmetricEigen, KnownTensors) {
    const SymEigen zero = symmetricEigen({});
    EXPECT_EQ(zero.values, Vec3(0, 0, 0));
    EXPECT_EQ(zero.vectors, Mat3::Identity());

    const SymEigen identity = symmetricEigen(SymMat3::identity());
    EXPECT_EQ(identity.values, Vec3(1, 1, 1));

    const SymEigen diagonal = symmetricEigen({3, 1, 2, 0, 0, 0});
    EXPECT_EQ(diagonal.values, Vec3(1, 2, 3));
    EXPECT_NEAR(std::abs(diagonal.vectors(1, 0)), 1, 4 * kEpsilon);

    // [[2,1,0],[1,2,0],[0,0,5]]: 1, 3, 5
    const Vec3 values = symmetricEigenvalues({2, 2, 5, 1, 0, 0});
    EXPECT_NEAR(values[0], 1, 8 * kEpsilon);
    EXPECT_NEAR(values[1], 3, 8 * kEpsilon);
    EXPECT_NEAR(values[2], 5, 8 * kEpsilon);
}

TEST(SymmetricEigen, RandomTensorsMatchEigen) {
    Random random(21);
    Quality quality;
    for (int i = 0; i < 500000; ++i) {
        SymMat3 m{signedUniform(random), signedUniform(random), signedUniform(random),
                  signedUniform(random), signedUniform(random), signedUniform(random)};
        quality.add(m);
    }
    quality.expectGood();
}

TEST(SymmetricEigen, RepeatedAndNearlyRepeatedValues) {
    Random random(22);
    Quality quality;
    for (int i = 0; i < 300000; ++i) {
        const double gap = i % 3 == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(random.below(60)));
        const double a = signedUniform(random),
                     b = i % 5 == 0 ? a + gap * signedUniform(random) : signedUniform(random);
        quality.add(withValues({a, a + gap, b}, randomRotation(random)));
    }
    quality.expectGood();
}

TEST(SymmetricEigen, RankOneAndRankTwo) {
    Random random(23);
    Quality quality;
    for (int i = 0; i < 100000; ++i) {
        const Vec3 v(signedUniform(random), signedUniform(random), signedUniform(random));
        quality.add(SymMat3::from(v * v.transpose()));
        quality.add(withValues({signedUniform(random), signedUniform(random), 0}, randomRotation(random)));
    }
    quality.expectGood();
}

TEST(SymmetricEigen, EntriesOfVeryDifferentSize) {
    Random random(24);
    Quality quality;
    const auto entry = [&] {
        return random.below(4) == 0 ? 0 : std::ldexp(signedUniform(random), -static_cast<int>(random.below(120)));
    };
    for (int i = 0; i < 200000; ++i) {
        SymMat3 m{entry(), entry(), entry(), entry(), entry(), entry()};
        quality.add(m);
    }
    quality.expectGood();
}

TEST(SymmetricEigen, AnyScaleFromSubnormalToHuge) {
    Random random(25);
    Quality quality;
    for (int i = 0; i < 100000; ++i) {
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(2000)) - 1000);
        const SymMat3 m =
            withValues({signedUniform(random), signedUniform(random), signedUniform(random)}, randomRotation(random));
        quality.add(scale * m);
    }
    for (const double scale : {1e-300, 1e-308, 1e300, 1.7e308})
        quality.add(scale * SymMat3{1, 0.5, 0.25, 0.1, -0.3, 0.2});
    quality.expectGood();
}

TEST(SymmetricEigen, AxisSwapsOnlySwapTheAnswer) {
    Random random(26);
    for (int i = 0; i < 1000; ++i) {
        const SymMat3 m{signedUniform(random), signedUniform(random), signedUniform(random),
                        signedUniform(random), signedUniform(random), signedUniform(random)};
        const SymMat3 turned{m.yy, m.zz, m.xx, m.yz, m.zx, m.xy};
        EXPECT_LT((symmetricEigenvalues(m) - symmetricEigenvalues(turned)).norm(), 20 * kEpsilon);
    }
}

}  // namespace
}  // namespace sunder
