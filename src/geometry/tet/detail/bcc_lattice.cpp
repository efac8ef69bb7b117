#include "geometry/tet/detail/bcc_lattice.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"

namespace sunder::detail {

namespace {

constexpr int kPadding = 2;              // layers of cubes round the box, so that neighbours of neighbours exist
constexpr double kMaxPoints = 1u << 31;  // a byte and a double each

constexpr int floorHalf(int i) { return i >= 0 ? i / 2 : -((1 - i) / 2); }

}  // namespace

BccLattice::BccLattice(const Box3& box, double cellSize) : cellSize_(cellSize) {
    ASSERT(cellSize > 0);
    const Vec3 low = (box.min / cellSize).array().floor();
    const Vec3 high = (box.max / cellSize).array().floor();
    const Vec3 count = high - low + Vec3::Constant(1 + 2 * kPadding);
    if (!(2 * count.prod() <= kMaxPoints)) {
        throw std::length_error(
            fmt::format("a lattice of {:.0f} x {:.0f} x {:.0f} cells of {} m is too large; choose larger cells (at "
                        "most {:.0f} points)",
                        count.x(), count.y(), count.z(), cellSize, kMaxPoints));
    }
    base_ = low.array() - kPadding;
    // the padding leaves every point that is looked at with all its neighbours
    cubes_ = {static_cast<int>(count.x()), static_cast<int>(count.y()), static_cast<int>(count.z())};
    layerSize_ = static_cast<size_t>(cubes_[0]) * static_cast<size_t>(cubes_[1]);

    // steps as differences of point numbers: they depend on whether a corner or a centre takes them
    for (int direction = 0; direction < kDirections; ++direction) {
        const Int3 step = stepOf(direction);
        const Int3 fromCentre{step[0] + 1, step[1] + 1, step[2] + 1};
        offset_[0][static_cast<size_t>(direction)] = offsetOf(step);
        offset_[1][static_cast<size_t>(direction)] = offsetOf(fromCentre) - 1;
    }
    for (size_t shape = 0; shape < 12; ++shape) {
        for (size_t corner = 0; corner < 4; ++corner) {
            tetOffset_[shape][corner] = offsetOf(kTetShapes[shape].corners[corner]);
        }
    }
}

ptrdiff_t BccLattice::offsetOf(const Int3& halfCells) const {
    const bool centre = halfCells[0] % 2 != 0;  // all odd, or all even
    const auto row = static_cast<ptrdiff_t>(cubes_[0]);
    const auto layer = static_cast<ptrdiff_t>(layerSize_);
    const ptrdiff_t cubes = floorHalf(halfCells[0]) + row * floorHalf(halfCells[1]) + layer * floorHalf(halfCells[2]);
    return 2 * cubes + (centre ? 1 : 0);
}

}  // namespace sunder::detail
