#include "math/sparse/conjugate_gradient.h"

#include <cmath>

#include <Eigen/LU>

#include "base/parallel.h"

namespace sunder {

namespace {

constexpr size_t kGrain = 4096;
constexpr int kProjectEvery = 20;  // iterations

double dot(std::span<const Vec3> a, std::span<const Vec3> b) {
    return parallelReduce(
        a.size(), kGrain, 0.0,
        [&](const BlockRange& block) {
            double sum = 0;
            for (size_t i = block.begin; i < block.end; ++i) sum += a[i].dot(b[i]);
            return sum;
        },
        [](double x, double y) { return x + y; });
}

std::vector<Mat3> inverseDiagonal(const BlockMatrix& matrix) {
    std::vector<Mat3> inverse(matrix.size(), Mat3::Identity());
    for (size_t n = 0; n < matrix.size(); ++n) {
        if (matrix.diagonal[n].determinant() > 0) inverse[n] = matrix.diagonal[n].inverse();
    }
    return inverse;
}

}  // namespace

IterationResult conjugateGradient(const BlockMatrix& matrix, std::span<const Vec3> right, std::span<Vec3> x,
                                  const IterationLimits& limits, const std::function<void(std::span<Vec3>)>& project) {
    const size_t size = matrix.size();
    const std::vector<Mat3> inverse = inverseDiagonal(matrix);
    std::vector<Vec3> residual(size), direction(size, Vec3::Zero()), product(size), preconditioned(size);
    matrix.times(x, residual);
    for (size_t i = 0; i < size; ++i) residual[i] = right[i] - residual[i];
    const double scale = std::sqrt(dot(right, right));
    IterationResult result;
    if (scale == 0) {
        for (Vec3& value : x) value = Vec3::Zero();
        return result;
    }
    double before = 0;
    for (result.iterations = 0;; ++result.iterations) {
        if (project && result.iterations % kProjectEvery == 0) project(residual);
        result.residual = std::sqrt(dot(residual, residual)) / scale;
        if (result.residual <= limits.tolerance || result.iterations == limits.maxIterations) return result;
        parallelFor(size, kGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) preconditioned[i] = inverse[i] * residual[i];
        });
        const double now = dot(residual, preconditioned);
        const double kept = before > 0 ? now / before : 0;
        before = now;
        parallelFor(size, kGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) direction[i] = preconditioned[i] + kept * direction[i];
        });
        matrix.times(direction, product);
        const double step = now / dot(direction, product);
        parallelFor(size, kGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                x[i] += step * direction[i];
                residual[i] -= step * product[i];
            }
        });
    }
}

}  // namespace sunder
