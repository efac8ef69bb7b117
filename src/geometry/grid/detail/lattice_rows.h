#pragma once

#include "base/parallel.h"
#include "geometry/grid/distance_grid.h"

namespace sunder::detail {

/// Calls body(j, k) for every row of x, in parallel, `grain` rows at a time.
template <class Body>
void forEachRow(const GridFrame& frame, Body&& body, size_t grain = 64) {
    const size_t rows = static_cast<size_t>(frame.points[1]);
    parallelFor(rows * static_cast<size_t>(frame.points[2]), grain, [&](const BlockRange& block) {
        for (size_t row = block.begin; row < block.end; ++row)
            body(static_cast<int>(row % rows), static_cast<int>(row / rows));
    });
}

/// Makes the values [begin, end) of a row negative, except zeros: the surface itself is +0, whatever the sign there.
inline void negate(float* row, int begin, int end) {
    for (int i = begin; i < end; ++i) row[i] = row[i] > 0 ? -row[i] : row[i];
}

}  // namespace sunder::detail
