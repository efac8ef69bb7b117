#include "dynamics/compact_field.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace sunder::dynamics {

namespace {

constexpr int kLargestCount = 32767;

/// Along each axis the fewest lattice points that reach a cell beyond the solid, aligned with the grid.
GridFrame tightFrame(const GridFrame& grid, const Box3& solid) {
    GridFrame frame = grid;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = (solid.min[axis] - grid.origin[axis]) / grid.cellSize;
        const double high = (solid.max[axis] - grid.origin[axis]) / grid.cellSize;
        const double slack = 1e-6;  // a solid that ends on a lattice point does so in spite of round-off
        const int first = static_cast<int>(std::floor(low + slack)) - 1;
        const int last = static_cast<int>(std::ceil(high - slack)) + 1;
        frame.origin[axis] = grid.origin[axis] + grid.cellSize * first;
        frame.points[axis] = last - first + 1;
    }
    return frame;
}

}  // namespace

CompactField::CompactField(const DistanceGrid& grid, const RigidTransform& gridFromBody, const Box3& solid) {
    ASSERT(!solid.empty() && grid.frame().pointCount() > 0);
    const DistanceGrid window = windowed(grid, tightFrame(grid.frame(), solid));
    const GridFrame& frame = window.frame();
    latticeFromBody_ = RigidTransform{Quat::Identity(), -frame.origin} * gridFromBody;
    points_ = frame.points;
    cellSize_ = frame.cellSize;
    solid_ = {solid.min - frame.origin, solid.max - frame.origin};

    float largest = 0, lowest = 0;
    for (const float v : window.values()) {
        largest = std::max(largest, std::abs(v));
        lowest = std::min(lowest, v);
    }
    deepest_ = -lowest;
    unit_ = largest > 0 ? double{largest} / kLargestCount : 1;
    counts_.reserve(window.values().size() + 1);
    for (const float v : window.values()) counts_.push_back(static_cast<int16_t>(std::lround(v / unit_)));
    counts_.push_back(0);
}

CompactField::Sample CompactField::at(const Vec3& point) const {
    // the cell, and how far beyond the lattice the point lies
    const Vec3 inCells = (latticeFromBody_ * point) / cellSize_;
    Int3 cell;
    Vec3 f, beyond;
    for (int axis = 0; axis < 3; ++axis) {
        const double inside = std::clamp(inCells[axis], 0.0, static_cast<double>(points_[axis] - 1));
        cell[axis] = std::min(static_cast<int>(inside), points_[axis] - 2);
        f[axis] = inside - cell[axis];
        beyond[axis] = (inCells[axis] - inside) * cellSize_;
    }
    // between the eight corners
    const size_t row = static_cast<size_t>(points_[0]), layer = row * static_cast<size_t>(points_[1]);
    const int16_t* c = counts_.data() + cell[0] + row * cell[1] + layer * cell[2];
    const double dx0 = c[1] - c[0], dx1 = c[row + 1] - c[row];
    const double dx2 = c[layer + 1] - c[layer], dx3 = c[layer + row + 1] - c[layer + row];
    const double v0 = c[0] + f[0] * dx0, v1 = c[row] + f[0] * dx1;
    const double v2 = c[layer] + f[0] * dx2, v3 = c[layer + row] + f[0] * dx3;
    const double low = v0 + f[1] * (v1 - v0), high = v2 + f[1] * (v3 - v2);
    const double dxLow = dx0 + f[1] * (dx1 - dx0), dxHigh = dx2 + f[1] * (dx3 - dx2);
    const double dyLow = v1 - v0, dyHigh = v3 - v2;

    Sample sample;
    sample.value = unit_ * (low + f[2] * (high - low));
    Vec3 gradient(dxLow + f[2] * (dxHigh - dxLow), dyLow + f[2] * (dyHigh - dyLow), high - low);
    gradient *= unit_ / cellSize_;
    // beyond the lattice distances grow as from a ball
    const double squaredBeyond = beyond.squaredNorm();
    if (squaredBeyond > 0) {
        const double value = std::sqrt(sample.value * sample.value + squaredBeyond);
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] = beyond[axis] != 0 ? beyond[axis] / value : gradient[axis] * sample.value / value;
        sample.value = value;
    }
    sample.gradient = latticeFromBody_.rotation.conjugate() * gradient;
    return sample;
}

}  // namespace sunder::dynamics
