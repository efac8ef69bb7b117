#include "geometry/grid/detail/far_field.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/simd.h"

namespace sunder::detail {

namespace {

/// Offsets and squares of the lattice in any order of axes: the fastest runs along `row`.
struct Field {
    float* squared;
    float* along;  // component of the offset along the row
    float* across;
    float* sweep;  // component along the direction of the sweep
};

/// One row of points against the three rows of the plane before that lie beside it. `step`: where the plane before is,
/// -1 or +1. Strides lead from a row to its neighbours across.
SUNDER_SIMD void sweepRow(const Field& f, size_t row, ptrdiff_t before, ptrdiff_t acrossStride, int count, float step) {
    float* __restrict squared = f.squared + row;
    float* __restrict along = f.along + row;
    float* __restrict across = f.across + row;
    float* __restrict sweep = f.sweep + row;
    for (int side = -1; side <= 1; ++side) {
        const ptrdiff_t from = static_cast<ptrdiff_t>(row) + before + side * acrossStride;
        const float* __restrict alongFrom = f.along + from;
        const float* __restrict acrossFrom = f.across + from;
        const float* __restrict sweepFrom = f.sweep + from;
        const float sideStep = static_cast<float>(side);
        for (int i = 0; i < count; ++i) {
            float best = squared[i], bestAlong = along[i], bestAcross = across[i], bestSweep = sweep[i];
#define SUNDER_CONSIDER(shift)                                            \
    {                                                                     \
        const float u = alongFrom[i + shift] + static_cast<float>(shift); \
        const float v = acrossFrom[i + shift] + sideStep;                 \
        const float w = sweepFrom[i + shift] + step;                      \
        const float candidate = u * u + v * v + w * w;                    \
        const bool nearer = candidate < best;                             \
        best = nearer ? candidate : best;                                 \
        bestAlong = nearer ? u : bestAlong;                               \
        bestAcross = nearer ? v : bestAcross;                             \
        bestSweep = nearer ? w : bestSweep;                               \
    }
            SUNDER_CONSIDER(-1)
            SUNDER_CONSIDER(0)
            SUNDER_CONSIDER(1)
#undef SUNDER_CONSIDER
            squared[i] = best;
            along[i] = bestAlong;
            across[i] = bestAcross;
            sweep[i] = bestSweep;
        }
    }
}

/// A sweep over `planes` planes of `rows` rows of `count` points, forth and back.
struct SweepShape {
    size_t first;  // index of the first point
    int planes, rows, count;
    size_t planeStride, rowStride;
};

void sweepBothWays(const Field& field, const SweepShape& shape) {
    const auto sweepPlane = [&](int plane, int direction) {
        const ptrdiff_t before = -direction * static_cast<ptrdiff_t>(shape.planeStride);
        const size_t start = shape.first + static_cast<size_t>(plane) * shape.planeStride;
        parallelFor(static_cast<size_t>(shape.rows), 64, [&](const BlockRange& block) {
            for (size_t r = block.begin; r < block.end; ++r) {
                sweepRow(field, start + r * shape.rowStride, before, static_cast<ptrdiff_t>(shape.rowStride),
                         shape.count, static_cast<float>(-direction));
            }
        });
    };
    for (int plane = 1; plane < shape.planes; ++plane) sweepPlane(plane, 1);
    for (int plane = shape.planes - 2; plane >= 0; --plane) sweepPlane(plane, -1);
}

/// Swaps x and y in every plane of z of a padded array with rows of the given strides.
std::vector<float> transposed(const std::vector<float>& from, size_t rows, size_t rowStride, size_t columns,
                              size_t columnStride, size_t planes, float padding) {
    constexpr size_t kTile = 16;
    std::vector<float> to(planes * columns * columnStride, padding);
    parallelFor(planes, 4, [&](const BlockRange& block) {
        for (size_t plane = block.begin; plane < block.end; ++plane) {
            const float* in = from.data() + plane * rows * rowStride;
            float* out = to.data() + plane * columns * columnStride;
            for (size_t r0 = 0; r0 < rows; r0 += kTile) {
                for (size_t c0 = 0; c0 < columns; c0 += kTile) {
                    for (size_t r = r0; r < std::min(rows, r0 + kTile); ++r) {
                        for (size_t c = c0; c < std::min(columns, c0 + kTile); ++c)
                            out[c * columnStride + r] = in[r * rowStride + c];
                    }
                }
            }
        }
    });
    return to;
}

}  // namespace

void sweepOutward(NearestOffsets& nearest, Progress& progress) {
    const auto [nx, ny, nz] = nearest.points;
    if (nx == 0 || ny == 0 || nz == 0) return;
    const size_t first = nearest.index(0, 0, 0);
    float* squared = nearest.squared.data();

    // along z: planes of constant z, rows of x
    sweepBothWays({squared, nearest.x.data(), nearest.y.data(), nearest.z.data()},
                  {first, nz, ny, nx, nearest.planeStride, nearest.rowStride});
    progress.advance(1);

    // along y: planes of constant y, rows of x
    sweepBothWays({squared, nearest.x.data(), nearest.z.data(), nearest.y.data()},
                  {first, ny, nz, nx, nearest.rowStride, nearest.planeStride});
    progress.advance(1);

    // along x: with x and y swapped, planes of constant x, rows of y
    const size_t rows = static_cast<size_t>(ny) + 2, columns = static_cast<size_t>(nx) + 2;
    const size_t planes = static_cast<size_t>(nz) + 2, columnStride = (rows + 7) / 8 * 8;
    const auto swap = [&](std::vector<float>& array, float padding) {
        array = transposed(array, rows, nearest.rowStride, columns, columnStride, planes, padding);
    };
    for (auto* offsets : {&nearest.x, &nearest.y, &nearest.z}) swap(*offsets, NearestOffsets::kFarAway);
    swap(nearest.squared, NearestOffsets::kUnknown);
    sweepBothWays({nearest.squared.data(), nearest.y.data(), nearest.z.data(), nearest.x.data()},
                  {1 + columnStride + columns * columnStride, nx, nz, ny, columnStride, columns * columnStride});
    for (auto* offsets : {&nearest.x, &nearest.y, &nearest.z}) *offsets = {};
    nearest.squared =
        transposed(nearest.squared, columns, columnStride, rows, nearest.rowStride, planes, NearestOffsets::kUnknown);
    progress.advance(1);
}

}  // namespace sunder::detail
