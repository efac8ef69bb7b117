#pragma once

#include <vector>

#include "geometry/grid/distance_grid.h"

namespace sunder::detail {

/// For every lattice point the offset to the nearest surface point known so far, in cells. One row of padding on either
/// side of x and y and one plane of z keeps the sweeps free of border cases; padding is never near anything.
class NearestOffsets {
public:
    explicit NearestOffsets(const GridFrame& frame)
        : points(frame.points),
          rowStride((static_cast<size_t>(frame.points[0]) + 2 + 7) / 8 * 8),
          planeStride(rowStride * (static_cast<size_t>(frame.points[1]) + 2)),
          squared(planeStride * (static_cast<size_t>(frame.points[2]) + 2), kUnknown),
          x(squared.size(), kFarAway),
          y(squared.size(), kFarAway),
          z(squared.size(), kFarAway) {}

    size_t index(int i, int j, int k) const {
        return static_cast<size_t>(i + 1) + rowStride * static_cast<size_t>(j + 1) +
               planeStride * static_cast<size_t>(k + 1);
    }
    bool isKnown(size_t n) const { return squared[n] < kUnknown; }

    /// Takes the offset if it is nearer than what is known; of equals the first stays.
    void offer(size_t n, const Vec3& offset) {
        const float candidate =
            static_cast<float>(offset.x() * offset.x() + offset.y() * offset.y() + offset.z() * offset.z());
        if (!(candidate < squared[n])) return;
        squared[n] = candidate;
        x[n] = static_cast<float>(offset.x());
        y[n] = static_cast<float>(offset.y());
        z[n] = static_cast<float>(offset.z());
    }

    // An offset that is not known never wins: its square is above kUnknown, yet finite.
    static constexpr float kFarAway = 1e18f;
    static constexpr float kUnknown = 1e36f;

    Int3 points;
    size_t rowStride;
    size_t planeStride;
    std::vector<float> squared;  // cells^2
    std::vector<float> x, y, z;  // cells
};

}  // namespace sunder::detail
