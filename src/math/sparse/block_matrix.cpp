#include "math/sparse/block_matrix.h"

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

}  // namespace sunder
