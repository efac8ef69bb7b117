#pragma once

#include <cstddef>
#include <limits>

namespace sunder {

/// Columns one after the other, `stride` apart; only the lower triangle is read and written.
struct DenseLower {
    double* values = nullptr;  // not owned; size * stride of them
    size_t size = 0;           // rows and columns
    size_t stride = 0;         // >= size

    double* column(size_t j) const { return values + j * stride; }  // from row 0; rows above j hold nothing
};

inline constexpr size_t kAllPivots = std::numeric_limits<size_t>::max();  // eliminate(): none failed

/// Eliminates the first `pivots` columns: A = [A11 .; A21 A22] becomes [L11 .; L21 S] with A11 = L11 L11^T,
/// L21 = A21 L11^-T and S = A22 - L21 L21^T. The same bits for any number of threads, with AVX2 and without. Returns
/// kAllPivots, or the first pivot that is not positive.
size_t eliminate(const DenseLower& matrix, size_t pivots);

/// to[i] -= factor * from[i]; the two do not overlap.
void subtractScaled(double* to, const double* from, double factor, size_t count);

}  // namespace sunder
