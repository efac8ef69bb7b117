#include "math/sparse/block_matrix.h"

#include <Eigen/LU>

#include "base/parallel.h"

namespace sunder {

void BlockMatrix::times(std::span<const Vec3> x, std::span<Vec3> result) const {
    parallelFor(size(), 1024, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) {
            Vec3 sum = diagonal[n] * x[n];
            for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) {
                sum.noalias() += others[i] * x[graph.neighbours[i]];
            }
            result[n] = sum;
        }
    });
}

std::vector<Mat3> inverseDiagonal(const BlockMatrix& matrix) {
    std::vector<Mat3> inverse(matrix.size(), Mat3::Identity());
    for (size_t n = 0; n < matrix.size(); ++n) {
        if (matrix.diagonal[n].determinant() > 0) inverse[n] = matrix.diagonal[n].inverse();
    }
    return inverse;
}

}  // namespace sunder
