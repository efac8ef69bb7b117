#pragma once

#include <functional>
#include <span>

#include "math/sparse/block_matrix.h"

namespace sunder {

/// When to stop iterating, whichever comes first.
struct IterationLimits {
    double tolerance = 1e-8;   // of the residual, relative to the right-hand side
    int maxIterations = 5000;  // the answer is then as good as it has become
};

/// What iterating came to. It has converged when the residual is within the tolerance.
struct IterationResult {
    int iterations = 0;   // 0: where it began was good enough
    double residual = 0;  // relative
};

/// result = M residual, M symmetric and positive and somewhat like the matrix' inverse.
using Preconditioner = std::function<void(std::span<const Vec3> residual, std::span<Vec3> result)>;

/// By the inverses of the diagonal blocks [jacobi1845].
Preconditioner byDiagonal(const BlockMatrix& matrix);

/// Preconditioned conjugate gradients. `matrix` may be singular as long as the right-hand side is in its range;
/// `project`, if any, removes from a residual what rounding puts outside it. The same bits for any number of threads.
/// `x`: where to begin, and the answer.
IterationResult conjugateGradient(const BlockMatrix& matrix, std::span<const Vec3> right, std::span<Vec3> x,
                                  const IterationLimits& limits, const Preconditioner& precondition,
                                  const std::function<void(std::span<Vec3>)>& project = {});

}  // namespace sunder
