#include "math/sparse/conjugate_gradient.h"

#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

namespace {

constexpr size_t kVectorGrain = 4096;
constexpr int kProjectEvery = 20;  // iterations

double dot(std::span<const Vec3> a, std::span<const Vec3> b) {
    return parallelReduce(
        a.size(), kVectorGrain, 0.0,
        [&](const BlockRange& block) {
            double sum = 0;
            for (size_t i = block.begin; i < block.end; ++i) sum += a[i].dot(b[i]);
            return sum;
        },
        [](double x, double y) { return x + y; });
}

}  // namespace

Preconditioner byDiagonal(const BlockMatrix& matrix) {
    return [inverse = inverseDiagonal(matrix)](std::span<const Vec3> residual, std::span<Vec3> result) {
        parallelFor(residual.size(), kVectorGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) result[i] = inverse[i] * residual[i];
        });
    };
}

IterationResult conjugateGradient(const BlockMatrix& matrix, std::span<const Vec3> right, std::span<Vec3> x,
                                  const IterationLimits& limits, const Preconditioner& precondition,
                                  const std::function<void(std::span<Vec3>)>& project) {
    const size_t size = matrix.size();
    ASSERT(right.size() == size && x.size() == size);

    // from the guess in x
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
    // rounding brings back what the matrix cannot see: it is taken out now and then
    for (result.iterations = 0;; ++result.iterations) {
        if (project && result.iterations % kProjectEvery == 0) project(residual);
        result.residual = std::sqrt(dot(residual, residual)) / scale;
        if (result.residual <= limits.tolerance || result.iterations == limits.maxIterations) return result;
        // the next direction, conjugate to all before
        precondition(residual, preconditioned);
        const double now = dot(residual, preconditioned);
        const double kept = before > 0 ? now / before : 0;
        before = now;
        parallelFor(size, kVectorGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) direction[i] = preconditioned[i] + kept * direction[i];
        });
        // the least energy along it
        matrix.times(direction, product);
        const double step = now / dot(direction, product);
        parallelFor(size, kVectorGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                x[i] += step * direction[i];
                residual[i] -= step * product[i];
            }
        });
    }
}

}  // namespace sunder
