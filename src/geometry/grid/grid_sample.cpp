#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "geometry/grid/distance_grid.h"

namespace sunder {

namespace {

constexpr int kLanes = 8;
constexpr size_t kBlockSamples = 4096;

/// Eight points side by side, one array per quantity, so that every stage below is a plain vector loop.
struct Lanes {
    alignas(32) float position[3][kLanes];  // in cells from the lattice's origin
    alignas(32) int cell[3][kLanes];
    alignas(32) float fraction[3][kLanes];
    alignas(32) float beyond[3][kLanes];
    alignas(32) float corner[8][kLanes];
    alignas(32) float value[kLanes];
    alignas(32) float gradient[3][kLanes];
};

void gatherCorners(Lanes& lanes, const GridFrame& frame, const float* values) {
    const Int3 step{frame.points[0] > 1 ? 1 : 0, frame.points[1] > 1 ? 1 : 0, frame.points[2] > 1 ? 1 : 0};
    std::array<size_t, 8> offset;
    for (int n = 0; n < 8; ++n)
        offset[static_cast<size_t>(n)] = frame.index((n & 1) * step[0], ((n >> 1) & 1) * step[1], (n >> 2) * step[2]);
    for (int lane = 0; lane < kLanes; ++lane) {
        const float* base = values + frame.index(lanes.cell[0][lane], lanes.cell[1][lane], lanes.cell[2][lane]);
        for (int n = 0; n < 8; ++n) lanes.corner[n][lane] = base[offset[static_cast<size_t>(n)]];
    }
}

SUNDER_SIMD void placeInCells(Lanes& lanes, const GridFrame& frame) {
    for (int axis = 0; axis < 3; ++axis) {
        const float last = static_cast<float>(frame.points[static_cast<size_t>(axis)] - 1);
        const float lastCell = last > 1 ? last - 1 : 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            const float x = lanes.position[axis][lane];
            float inside = x > 0 ? x : 0.0f;  // NaN becomes 0
            inside = inside < last ? inside : last;
            const float floored = inside < lastCell ? inside : lastCell;
            const int cell = static_cast<int>(floored);
            lanes.cell[axis][lane] = cell;
            lanes.fraction[axis][lane] = inside - static_cast<float>(cell);
            lanes.beyond[axis][lane] = x - inside;
        }
    }
}

SUNDER_SIMD void interpolate(Lanes& lanes, float cellSize) {
    ASSERT(cellSize > 0);
    const auto& c = lanes.corner;
    const float perCell = 1 / cellSize;
    for (int lane = 0; lane < kLanes; ++lane) {
        // along x on the cell's four edges, then along y on its two sides
        const float x = lanes.fraction[0][lane], y = lanes.fraction[1][lane], z = lanes.fraction[2][lane];
        const float dx0 = c[1][lane] - c[0][lane], dx1 = c[3][lane] - c[2][lane];
        const float dx2 = c[5][lane] - c[4][lane], dx3 = c[7][lane] - c[6][lane];
        const float v0 = c[0][lane] + x * dx0, v1 = c[2][lane] + x * dx1;
        const float v2 = c[4][lane] + x * dx2, v3 = c[6][lane] + x * dx3;
        const float dyLow = v1 - v0, dyHigh = v3 - v2;
        const float low = v0 + y * dyLow, high = v2 + y * dyHigh;
        const float dxLow = dx0 + y * (dx1 - dx0), dxHigh = dx2 + y * (dx3 - dx2);
        // points beyond the grid are sampled on its border, and the way there is added
        const float bx = lanes.beyond[0][lane], by = lanes.beyond[1][lane], bz = lanes.beyond[2][lane];
        const float beyond = std::sqrt(bx * bx + by * by + bz * bz);
        const float unit = beyond > 0 ? 1 / beyond : 0.0f;
        lanes.value[lane] = low + z * (high - low) + beyond * cellSize;
        // the interpolant's own gradient, not a smoothed one; beyond the grid the way there counts instead
        const float gx = (dxLow + z * (dxHigh - dxLow)) * perCell;
        const float gy = (dyLow + z * (dyHigh - dyLow)) * perCell;
        const float gz = (high - low) * perCell;
        lanes.gradient[0][lane] = bx != 0 ? bx * unit : gx;
        lanes.gradient[1][lane] = by != 0 ? by * unit : gy;
        lanes.gradient[2][lane] = bz != 0 ? bz * unit : gz;
    }
}

}  // namespace

void DistanceGrid::sample(std::span<const Vec3f> points, std::span<Sample> samples) const {
    ASSERT(points.size() == samples.size());
    if (values_.empty()) {
        std::fill(samples.begin(), samples.end(), Sample{std::numeric_limits<float>::infinity(), Vec3f::Zero()});
        return;
    }
    // lanes side by side; the last ones repeat the last point
    const double perCell = 1 / frame_.cellSize;
    parallelFor(points.size(), kBlockSamples, [&](const BlockRange& block) {
        Lanes lanes;
        for (size_t begin = block.begin; begin < block.end; begin += kLanes) {
            const int count = static_cast<int>(std::min<size_t>(kLanes, block.end - begin));
            for (int lane = 0; lane < kLanes; ++lane) {
                const Vec3f& p = points[begin + static_cast<size_t>(std::min(lane, count - 1))];
                for (int axis = 0; axis < 3; ++axis)
                    lanes.position[axis][lane] = static_cast<float>((p[axis] - frame_.origin[axis]) * perCell);
            }
            placeInCells(lanes, frame_);
            gatherCorners(lanes, frame_, values_.data());
            interpolate(lanes, static_cast<float>(frame_.cellSize));
            for (int lane = 0; lane < count; ++lane) {
                samples[begin + static_cast<size_t>(lane)] = {
                    lanes.value[lane],
                    Vec3f(lanes.gradient[0][lane], lanes.gradient[1][lane], lanes.gradient[2][lane])};
            }
        }
    });
}

}  // namespace sunder
