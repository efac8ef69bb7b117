#include "geometry/grid/distance_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace sunder {

namespace {

constexpr size_t kBlockPoints = 1 << 14;  // lattice points per parallel block

/// The cell that holds a point along one axis, and where in it; points outside are taken to the nearest face.
struct AxisPlace {
    int cell = 0;
    double fraction = 0;
    double beyond = 0;  // cells outside, signed
};

AxisPlace placeOnAxis(double inCells, int points) {
    const double last = points - 1;
    const double inside = std::min(std::max(inCells, 0.0), last);  // NaN becomes 0
    const int cell = std::clamp(static_cast<int>(inside), 0, std::max(points - 2, 0));
    return {cell, inside - cell, inCells - inside};
}

double mix(double a, double b, double t) { return a + t * (b - a); }

/// The eight values around a point, x fastest. An axis with one point repeats it.
std::array<double, 8> cornerValues(const DistanceGrid& grid, const std::array<AxisPlace, 3>& place) {
    const GridFrame& frame = grid.frame();
    std::array<double, 8> corner;
    for (int n = 0; n < 8; ++n) {
        const auto at = [&](int axis, int bit) {
            return std::min(place[axis].cell + ((n >> bit) & 1), frame.points[axis] - 1);
        };
        corner[n] = grid.at(at(0, 0), at(1, 1), at(2, 2));
    }
    return corner;
}

std::array<AxisPlace, 3> placeOf(const GridFrame& frame, const Vec3& point) {
    std::array<AxisPlace, 3> place;
    for (int axis = 0; axis < 3; ++axis)
        place[axis] = placeOnAxis((point[axis] - frame.origin[axis]) / frame.cellSize, frame.points[axis]);
    return place;
}

double beyondLength(const std::array<AxisPlace, 3>& place) {
    return std::sqrt(place[0].beyond * place[0].beyond + place[1].beyond * place[1].beyond +
                     place[2].beyond * place[2].beyond);
}

template <class Combine>
DistanceGrid combined(const DistanceGrid& a, const DistanceGrid& b, Combine&& combine) {
    ASSERT(a.frame() == b.frame());
    DistanceGrid result(a.frame());
    const float *x = a.values().data(), *y = b.values().data();
    float* out = result.values().data();
    parallelFor(a.values().size(), kBlockPoints, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) out[i] = combine(x[i], y[i]);
    });
    return result;
}

/// Sets every point of a grid to valueAt(i, j, k), lines of x in parallel.
template <class ValueAt>
void fill(DistanceGrid& grid, ValueAt&& valueAt) {
    const Int3 n = grid.frame().points;
    if (grid.frame().pointCount() == 0) return;
    const size_t lines = static_cast<size_t>(n[1]) * static_cast<size_t>(n[2]);
    parallelFor(lines, std::max<size_t>(1, kBlockPoints / static_cast<size_t>(n[0])), [&](const BlockRange& block) {
        for (size_t line = block.begin; line < block.end; ++line) {
            const int j = static_cast<int>(line % static_cast<size_t>(n[1]));
            const int k = static_cast<int>(line / static_cast<size_t>(n[1]));
            for (int i = 0; i < n[0]; ++i) grid.at(i, j, k) = valueAt(i, j, k);
        }
    });
}

}  // namespace

GridFrame alignedFrame(const Box3& box, double cellSize, int padding) {
    ASSERT(cellSize > 0 && padding >= 0);
    GridFrame frame{Vec3::Zero(), cellSize, {0, 0, 0}};
    if (box.empty()) return frame;
    for (int axis = 0; axis < 3; ++axis) {
        const double first = std::floor(box.min[axis] / cellSize) - padding;
        const double last = std::ceil(box.max[axis] / cellSize) + padding;
        const double points = std::max(last - first + 1, 2.0);
        if (!(points < std::numeric_limits<int>::max()))
            throw std::length_error("distance grid: the cell size is too small for a box of this size");
        frame.origin[axis] = first * cellSize;
        frame.points[axis] = static_cast<int>(points);
    }
    return frame;
}

double DistanceGrid::value(const Vec3& point) const {
    if (values_.empty()) return std::numeric_limits<double>::infinity();
    const auto place = placeOf(frame_, point);
    const auto c = cornerValues(*this, place);
    const double x = place[0].fraction, y = place[1].fraction, z = place[2].fraction;
    const double low = mix(mix(c[0], c[1], x), mix(c[2], c[3], x), y);
    const double high = mix(mix(c[4], c[5], x), mix(c[6], c[7], x), y);
    return mix(low, high, z) + beyondLength(place) * frame_.cellSize;
}

Vec3 DistanceGrid::gradient(const Vec3& point) const {
    if (values_.empty()) return Vec3::Zero();
    const auto place = placeOf(frame_, point);
    const auto c = cornerValues(*this, place);
    const double x = place[0].fraction, y = place[1].fraction, z = place[2].fraction;
    Vec3 gradient(mix(mix(c[1] - c[0], c[3] - c[2], y), mix(c[5] - c[4], c[7] - c[6], y), z),
                  mix(mix(c[2] - c[0], c[3] - c[1], x), mix(c[6] - c[4], c[7] - c[5], x), z),
                  mix(mix(c[4] - c[0], c[5] - c[1], x), mix(c[6] - c[2], c[7] - c[3], x), y));
    gradient /= frame_.cellSize;
    const double beyond = beyondLength(place);
    for (int axis = 0; axis < 3; ++axis) {
        if (place[axis].beyond != 0) gradient[axis] = place[axis].beyond / beyond;
    }
    return gradient;
}

DistanceGrid intersection(const DistanceGrid& a, const DistanceGrid& b) {
    return combined(a, b, [](float x, float y) { return x > y ? x : y; });
}

DistanceGrid unionOf(const DistanceGrid& a, const DistanceGrid& b) {
    return combined(a, b, [](float x, float y) { return x < y ? x : y; });
}

DistanceGrid complement(const DistanceGrid& grid) {
    DistanceGrid result = grid;
    for (float& value : result.values()) value = -value;
    return result;
}

DistanceGrid windowed(const DistanceGrid& grid, const GridFrame& window) {
    const GridFrame& frame = grid.frame();
    ASSERT(window.cellSize == frame.cellSize);
    DistanceGrid result(window);
    if (frame.pointCount() == 0) {
        // nothing known: everything is far away
        std::fill(result.values().begin(), result.values().end(), std::numeric_limits<float>::infinity());
        return result;
    }
    // lattices of one cell size are aligned: a whole number of cells apart
    Int3 shift;
    for (int axis = 0; axis < 3; ++axis) {
        const double cells = (window.origin[axis] - frame.origin[axis]) / frame.cellSize;
        shift[axis] = static_cast<int>(std::lround(cells));
        ASSERT(std::abs(cells - shift[axis]) < 1e-3);
    }
    // beyond the grid: its nearest point's value and the way there
    fill(result, [&](int i, int j, int k) {
        const Int3 wanted{i + shift[0], j + shift[1], k + shift[2]};
        Int3 nearest;
        double squaredCells = 0;
        for (int axis = 0; axis < 3; ++axis) {
            nearest[axis] = std::clamp(wanted[axis], 0, frame.points[axis] - 1);
            const double beyond = wanted[axis] - nearest[axis];
            squaredCells += beyond * beyond;
        }
        const float value = grid.at(nearest[0], nearest[1], nearest[2]);
        if (squaredCells == 0) return value;
        return static_cast<float>(value + std::sqrt(squaredCells) * frame.cellSize);
    });
    return result;
}

DistanceGrid resampled(const DistanceGrid& grid, const GridFrame& frame, const RigidTransform& oldFromNew) {
    DistanceGrid result(frame);
    fill(result,
         [&](int i, int j, int k) { return static_cast<float>(grid.value(oldFromNew * frame.position(i, j, k))); });
    return result;
}

}  // namespace sunder
