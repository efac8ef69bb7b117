#include "geometry/grid/detail/far_field.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "base/simd.h"

namespace sunder::detail {

namespace {

constexpr int kLanes = 8;
// A carried offset must be nearer by this part of the squared distance: exact offsets do not yield to rounding.
constexpr float kClearlyNearer = 1 - 1e-5f;
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));

/// Offsets in any order of axes.
struct Field {
    float* along;   // component along the rows
    float* across;  // component from row to row of a plane
    float* sweep;   // component along the sweep
};

/// A sweep over `planes` planes of `rows` rows of `count` points.
struct SweepShape {
    size_t first;  // index of the first point
    int planes, rows, count;
    size_t planeStride, rowStride;
};

/// One row of points against the nine points of the plane before: three rows, three places along each. `step`: on which
/// side the plane before lies, -1 or +1. Runs past the row's end into its padding, whose points are as good as any.
SUNDER_SIMD void sweepRow(const Field& field, size_t row, ptrdiff_t before, ptrdiff_t rowStride, int count,
                          float step) {
    for (int i = 0; i < count; i += kLanes) {
        const size_t here = row + static_cast<size_t>(i);
        Lanes along, across, sweep;
        std::memcpy(&along, field.along + here, sizeof along);
        std::memcpy(&across, field.across + here, sizeof across);
        std::memcpy(&sweep, field.sweep + here, sizeof sweep);
        // what is there stays unless another is clearly nearer: rounding must not pass offsets back and forth
        Lanes best = (along * along + across * across + sweep * sweep) * kClearlyNearer;
        for (int side = -1; side <= 1; ++side) {
            const size_t there = here + static_cast<size_t>(before + side * rowStride);
            for (int shift = -1; shift <= 1; ++shift) {
                const size_t from = there + static_cast<size_t>(static_cast<ptrdiff_t>(shift));
                // the offset of a point beside, seen from here
                Lanes u, v, w;
                std::memcpy(&u, field.along + from, sizeof u);
                std::memcpy(&v, field.across + from, sizeof v);
                std::memcpy(&w, field.sweep + from, sizeof w);
                u += static_cast<float>(shift);
                v += static_cast<float>(side);
                w += step;
                const Lanes candidate = u * u + v * v + w * w;
                const auto nearer = candidate < best;
                best = nearer ? candidate * kClearlyNearer : best;
                along = nearer ? u : along;
                across = nearer ? v : across;
                sweep = nearer ? w : sweep;
            }
        }
        std::memcpy(field.along + here, &along, sizeof along);
        std::memcpy(field.across + here, &across, sizeof across);
        std::memcpy(field.sweep + here, &sweep, sizeof sweep);
    }
}

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

/// An 8x8 square from rows to columns.
SUNDER_SIMD void transposeSquare(const float* from, size_t fromStride, float* to, size_t toStride) {
    Lanes r[8], s[8];
    // eight rows of eight
    for (size_t i = 0; i < 8; ++i) std::memcpy(&r[i], from + i * fromStride, sizeof r[i]);
    // three rounds of exchanging halves: of single numbers, pairs, fours
    for (size_t i = 0; i < 8; i += 2) {
        s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (size_t i = 0; i < 8; i += 4) {
        for (size_t j = 0; j < 2; ++j) {
            r[i + j] = __builtin_shufflevector(s[i + j], s[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            r[i + j + 2] = __builtin_shufflevector(s[i + j], s[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (size_t j = 0; j < 4; ++j) {
        s[j] = __builtin_shufflevector(r[j], r[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        s[j + 4] = __builtin_shufflevector(r[j], r[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (size_t i = 0; i < 8; ++i) std::memcpy(to + i * toStride, &s[i], sizeof s[i]);
}

/// Every padding point of the layout becomes unknown.
void clearPadding(std::vector<float>& array, const PaddedLayout& layout) {
    const auto [count, rows, planes] = layout.count;
    const auto clear = [&](size_t begin, size_t end) {
        std::fill(array.begin() + static_cast<ptrdiff_t>(begin), array.begin() + static_cast<ptrdiff_t>(end),
                  NearestOffsets::kUnknown);
    };
    const size_t lastPlane = layout.planeStride * (static_cast<size_t>(planes) + 1);
    clear(0, layout.planeStride);
    clear(lastPlane, lastPlane + layout.planeStride);
    for (size_t plane = layout.planeStride; plane < lastPlane; plane += layout.planeStride) {
        const size_t lastRow = plane + layout.rowStride * (static_cast<size_t>(rows) + 1);
        clear(plane, plane + layout.rowStride);
        clear(lastRow, lastRow + layout.rowStride);
        for (size_t row = plane + layout.rowStride; row < lastRow; row += layout.rowStride) {
            clear(row, row + 1);
            clear(row + 1 + static_cast<size_t>(count), row + layout.rowStride);
        }
    }
}

/// Turns rows along y into rows along x; `spare` is memory of the same size, exchanged with the array's.
void turnRows(std::vector<float>& array, std::vector<float>& spare, const PaddedLayout& from, const PaddedLayout& to) {
    const size_t width = static_cast<size_t>(from.count[0]), height = static_cast<size_t>(from.count[1]);
    parallelFor(static_cast<size_t>(from.count[2]), 4, [&](const BlockRange& block) {
        for (size_t k = block.begin; k < block.end; ++k) {
            const float* in = array.data() + from.first + k * from.planeStride;
            float* out = spare.data() + to.first + k * to.planeStride;
            // whole squares, then the strips that are left
            const size_t wide = width / 8 * 8, high = height / 8 * 8;
            for (size_t j = 0; j < high; j += 8) {
                for (size_t i = 0; i < wide; i += 8) {
                    transposeSquare(in + j * from.rowStride + i, from.rowStride, out + i * to.rowStride + j,
                                    to.rowStride);
                }
            }
            for (size_t j = 0; j < height; ++j) {
                for (size_t i = j < high ? wide : 0; i < width; ++i)
                    out[i * to.rowStride + j] = in[j * from.rowStride + i];
            }
        }
    });
    clearPadding(spare, to);
    array.swap(spare);
}

SweepShape shapeAcrossRows(const PaddedLayout& layout) {
    return {layout.first, layout.count[1], layout.count[2], layout.count[0], layout.rowStride, layout.planeStride};
}
SweepShape shapeAcrossPlanes(const PaddedLayout& layout) {
    return {layout.first, layout.count[2], layout.count[1], layout.count[0], layout.planeStride, layout.rowStride};
}

}  // namespace

void sweepOutward(NearestOffsets& nearest, Progress& progress) {
    // along x, while rows run along y
    sweepBothWays({nearest.y.data(), nearest.z.data(), nearest.x.data()}, shapeAcrossRows(nearest.alongY));
    std::vector<float> spare(nearest.x.size());
    for (auto* offsets : {&nearest.x, &nearest.y, &nearest.z})
        turnRows(*offsets, spare, nearest.alongY, nearest.alongX);
    nearest.layout = nearest.alongX;
    progress.advance(1);

    // along y and z, with rows along x
    sweepBothWays({nearest.x.data(), nearest.z.data(), nearest.y.data()}, shapeAcrossRows(nearest.alongX));
    progress.advance(1);
    sweepBothWays({nearest.x.data(), nearest.y.data(), nearest.z.data()}, shapeAcrossPlanes(nearest.alongX));
    progress.advance(1);
}

}  // namespace sunder::detail
