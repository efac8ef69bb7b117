#include "math/sparse/dense_cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace sunder {

SUNDER_SIMD void subtractScaled(double* to, const double* from, double factor, size_t count) {
    for (size_t i = 0; i < count; ++i) to[i] -= factor * from[i];
}

namespace {

constexpr size_t kPanel = 64;    // columns factored at a time
constexpr size_t kTileRows = 8;  // of the result, kept in registers
constexpr size_t kTileColumns = 4;
constexpr size_t kDepth = 192;         // columns multiplied at a time: packed rows stay in the cache
constexpr size_t kRowBlock = 64;       // rows solved at a time
constexpr size_t kForkFromRows = 160;  // rows; smaller ones are done before another thread wakes up

/// tile(i, j) = sum over d of a(d, i) * b(d, j), both packed eight rows side by side.
SUNDER_SIMD void multiplyTile(const double* a, const double* b, size_t depth, double* tile) {
    using Four = double __attribute__((vector_size(32), aligned(8)));
    Four low0{}, low1{}, low2{}, low3{}, high0{}, high1{}, high2{}, high3{};
    for (size_t d = 0; d < depth; ++d) {
        const Four low = *reinterpret_cast<const Four*>(a), high = *reinterpret_cast<const Four*>(a + 4);
        low0 += low * b[0];
        high0 += high * b[0];
        low1 += low * b[1];
        high1 += high * b[1];
        low2 += low * b[2];
        high2 += high * b[2];
        low3 += low * b[3];
        high3 += high * b[3];
        a += kTileRows;
        b += kTileRows;
    }
    // the tile is kept by columns
    Four* out = reinterpret_cast<Four*>(tile);
    out[0] = low0;
    out[1] = high0;
    out[2] = low1;
    out[3] = high1;
    out[4] = low2;
    out[5] = high2;
    out[6] = low3;
    out[7] = high3;
}

/// Rows [begin, end) of some columns, eight rows side by side, column after column; what is missing of the last eight
/// is zero.
void packRows(const DenseLower& matrix, size_t begin, size_t end, size_t firstColumn, size_t depth, double* packed) {
    for (size_t row = begin; row < end; row += kTileRows) {
        const size_t rows = std::min(kTileRows, end - row);
        for (size_t d = 0; d < depth; ++d, packed += kTileRows) {
            const double* from = matrix.column(firstColumn + d) + row;
            for (size_t i = 0; i < rows; ++i) packed[i] = from[i];
            for (size_t i = rows; i < kTileRows; ++i) packed[i] = 0;
        }
    }
}

/// One tile of the result; only its part on and below the diagonal.
void subtractTile(const DenseLower& matrix, size_t row, size_t column, size_t rowEnd, size_t columnEnd,
                  const double* tile) {
    const size_t rows = std::min(kTileRows, rowEnd - row), columns = std::min(kTileColumns, columnEnd - column);
    for (size_t j = 0; j < columns; ++j) {
        double* to = matrix.column(column + j) + row;
        const size_t skip = column + j > row ? std::min(rows, column + j - row) : 0;
        for (size_t i = skip; i < rows; ++i) to[i] -= tile[j * kTileRows + i];
    }
}

void forBlocks(bool fork, size_t count, size_t grain, const std::function<void(const BlockRange&)>& body) {
    if (fork) return parallelFor(count, grain, body);
    body({0, count, 0});
}

/// matrix(i, j) -= sum over the given columns d of matrix(i, d) * matrix(j, d), for columnBegin <= j < columnEnd and
/// i >= j.
void subtractProduct(const DenseLower& matrix, size_t columnBegin, size_t columnEnd, size_t firstDepth,
                     size_t lastDepth) {
    ASSERT(columnBegin <= columnEnd && columnEnd <= matrix.size && lastDepth <= matrix.size);
    const size_t end = matrix.size, rows = end - columnBegin;
    if (rows == 0 || columnBegin == columnEnd) return;
    // in tiles that fit registers, in slices of columns that fit the cache
    const size_t panels = (rows + kTileRows - 1) / kTileRows;
    const size_t columnPanels = (columnEnd - columnBegin + kTileRows - 1) / kTileRows;
    const bool fork = rows >= kForkFromRows;
    std::vector<double> packed(panels * kTileRows * std::min(kDepth, lastDepth - firstDepth));
    // rows of the slice, packed once for all tiles
    for (size_t start = firstDepth; start < lastDepth; start += kDepth) {
        const size_t depth = std::min(kDepth, lastDepth - start);
        forBlocks(fork, panels, 16, [&](const BlockRange& block) {
            packRows(matrix, columnBegin + block.begin * kTileRows, std::min(end, columnBegin + block.end * kTileRows),
                     start, depth, packed.data() + block.begin * kTileRows * depth);
        });
        // a block of columns against all rows below it; rows in turn, so that the columns' packed rows stay near
        forBlocks(fork, columnPanels, 8, [&](const BlockRange& block) {
            alignas(32) double tile[kTileRows * kTileColumns];
            for (size_t p = block.begin; p < panels; ++p) {
                const size_t row = columnBegin + p * kTileRows;
                const double* a = packed.data() + p * kTileRows * depth;
                for (size_t q = block.begin; q < std::min(block.end, p + 1); ++q) {
                    for (size_t half = 0; half < kTileRows; half += kTileColumns) {
                        const size_t column = columnBegin + q * kTileRows + half;
                        if (column >= columnEnd) continue;
                        multiplyTile(a, packed.data() + q * kTileRows * depth + half, depth, tile);
                        subtractTile(matrix, row, column, end, columnEnd, tile);
                    }
                }
            }
        });
    }
}

/// The triangle on the diagonal, column by column. Returns as eliminate() does.
size_t factorDiagonal(const DenseLower& matrix, size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
        double* column = matrix.column(j);
        for (size_t d = begin; d < j; ++d) {
            const double* other = matrix.column(d);
            const double factor = other[j];
            for (size_t i = j; i < end; ++i) column[i] -= factor * other[i];
        }
        if (!(column[j] > 0) || !std::isfinite(column[j])) return j;
        const double pivot = std::sqrt(column[j]);
        column[j] = pivot;
        for (size_t i = j + 1; i < end; ++i) column[i] /= pivot;
    }
    return kAllPivots;
}

SUNDER_SIMD void scale(double* values, double factor, size_t count) {
    for (size_t i = 0; i < count; ++i) values[i] *= factor;
}

/// X = X L^-T for the rows below the diagonal block, in blocks of rows that fit the first cache.
void solveBelow(const DenseLower& matrix, size_t begin, size_t end) {
    const size_t rows = matrix.size - end;
    forBlocks(rows >= kForkFromRows, (rows + kRowBlock - 1) / kRowBlock, 1, [&](const BlockRange& blocks) {
        for (size_t b = blocks.begin; b < blocks.end; ++b) {
            const size_t row = end + b * kRowBlock, count = std::min(kRowBlock, matrix.size - row);
            for (size_t j = begin; j < end; ++j) {
                double* column = matrix.column(j) + row;
                for (size_t d = begin; d < j; ++d) {
                    subtractScaled(column, matrix.column(d) + row, matrix.column(d)[j], count);
                }
                scale(column, 1 / matrix.column(j)[j], count);
            }
        }
    });
}

}  // namespace

size_t eliminate(const DenseLower& matrix, size_t pivots) {
    for (size_t begin = 0; begin < pivots; begin += kPanel) {
        const size_t end = std::min(pivots, begin + kPanel);
        const size_t failed = factorDiagonal(matrix, begin, end);
        if (failed != kAllPivots) return failed;
        solveBelow(matrix, begin, end);
        subtractProduct(matrix, end, pivots, begin, end);
    }
    subtractProduct(matrix, pivots, matrix.size, 0, pivots);
    return kAllPivots;
}

}  // namespace sunder
