#pragma once

#include <algorithm>
#include <vector>

#include "geometry/grid/distance_grid.h"

namespace sunder::detail {

/// How lattice points lie in memory: rows along x or y, padded by one point before and at least nine after, planes of
/// constant z with one more row and plane on either side. Sweeps then need not care for borders.
struct PaddedLayout {
    enum class Rows { AlongX, AlongY };

    PaddedLayout(const Int3& points, Rows rows) {
        const size_t fast = rows == Rows::AlongX ? 0 : 1, slow = 1 - fast;
        count = {points[fast], points[slow], points[2]};
        rowStride = (static_cast<size_t>(points[fast]) + 10 + 7) / 8 * 8;
        planeStride = rowStride * (static_cast<size_t>(points[slow]) + 2);
        size = planeStride * (static_cast<size_t>(points[2]) + 2);
        stride[fast] = 1;
        stride[slow] = rowStride;
        stride[2] = planeStride;
        first = 1 + rowStride + planeStride;
    }

    Int3 count;  // points per row, rows per plane, planes
    size_t rowStride, planeStride;
    size_t size;                   // with padding
    std::array<size_t, 3> stride;  // along x, y, z
    size_t first;                  // index of point (0, 0, 0)
};

/// For every lattice point the offset to the nearest surface point known so far, in cells.
class NearestOffsets {
public:
    static constexpr float kUnknown = 1e18f;  // its square is finite

    explicit NearestOffsets(const Int3& points)
        : alongX(points, PaddedLayout::Rows::AlongX),
          alongY(points, PaddedLayout::Rows::AlongY),
          layout(alongY),
          x(std::max(alongX.size, alongY.size), kUnknown),
          y(x.size(), kUnknown),
          z(x.size(), kUnknown) {}

    size_t index(int i, int j, int k) const {
        return layout.first + static_cast<size_t>(i) * layout.stride[0] + static_cast<size_t>(j) * layout.stride[1] +
               static_cast<size_t>(k) * layout.stride[2];
    }
    bool isKnown(size_t n) const { return x[n] < 0.5f * kUnknown; }
    float squared(size_t n) const { return x[n] * x[n] + y[n] * y[n] + z[n] * z[n]; }

    /// Takes the offset if it is nearer than what is known; of equals the first stays.
    void offer(size_t n, const Vec3& offset) {
        const float dx = static_cast<float>(offset.x()), dy = static_cast<float>(offset.y()),
                    dz = static_cast<float>(offset.z());
        if (!(dx * dx + dy * dy + dz * dz < squared(n))) return;
        x[n] = dx;
        y[n] = dy;
        z[n] = dz;
    }

    PaddedLayout alongX, alongY;
    PaddedLayout layout;         // which of the two holds now; rows along y at first
    std::vector<float> x, y, z;  // cells
};

}  // namespace sunder::detail
