#include "geometry/surface/detail/wall_field.h"

#include <algorithm>
#include <cmath>

#include "geometry/surface/detail/sheet_table.h"

namespace sunder::detail {

namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;
constexpr double kDerivativeStep = 0.01;  // cells

/// Root of a continuous function between 0 and 1, by false position with the Illinois rule [dowell1971].
template <class Function>
double rootBetween(const Function& f, double valueAt0, double valueAt1) {
    double low = 0, high = 1, lowValue = valueAt0, highValue = valueAt1, t = 0.5;
    int kept = 0;  // which end stayed in the last round
    for (int round = 0; round < 8; ++round) {
        const double drop = highValue - lowValue;
        t = drop != 0 ? std::clamp(low - lowValue * (high - low) / drop, low, high) : 0.5 * (low + high);
        const double value = f(t);
        if (std::abs(value) <= 1e-6 * std::abs(valueAt1 - valueAt0)) break;
        if ((value < 0) == (lowValue < 0)) {
            low = t;
            lowValue = value;
            if (kept == 1) highValue *= 0.5;
            kept = 1;
        } else {
            high = t;
            highValue = value;
            if (kept == 0) lowValue *= 0.5;
            kept = 0;
        }
    }
    return t;
}

}  // namespace

bool WallField::hasDifference(uint32_t partA, uint32_t partB) const {
    return regions_->difference && parts_->components[partA].label != parts_->components[partB].label;
}

double WallField::difference(const Int3& cell, const Vec3& point, uint32_t partA, uint32_t partB) const {
    const GridFrame& frame = regions_->solid->frame();
    const Vec3 at = frame.origin + frame.cellSize * (Vec3(cell[0], cell[1], cell[2]) + point);
    return regions_->difference(at, parts_->components[partA].label, parts_->components[partB].label);
}

std::vector<Wall> WallField::wallsIn(const Int3& cell, const CellLabels& labels) const {
    std::vector<Wall> walls;
    for (int e = 0; e < 12; ++e) {
        const CellEdge edge = cellEdge(e);
        const uint32_t low = labels[static_cast<size_t>(edge.low)], high = labels[static_cast<size_t>(edge.high)];
        if (low == high || low == kOutside || high == kOutside) continue;
        const std::array<uint32_t, 2> both{std::min(low, high), std::max(low, high)};
        if (std::none_of(walls.begin(), walls.end(), [&](const Wall& wall) { return wall.parts == both; })) {
            walls.push_back({both, hasDifference(both[0], both[1]), {}});
        }
    }
    for (Wall& wall : walls) {
        for (int c = 0; c < 8 && wall.known; ++c) {
            const uint32_t part = labels[static_cast<size_t>(c)];
            if (part != wall.parts[0] && part != wall.parts[1]) continue;
            const double value = difference(cell, cornerPoint(c), wall.parts[0], wall.parts[1]);
            wall.atCorner[static_cast<size_t>(c)] = value;
            wall.known = part == wall.parts[0] ? value <= 0 : value >= 0;
        }
    }
    return walls;
}

std::optional<TangentPlane> WallField::planeNear(const Int3& cell, const Wall& wall, const Vec3& point) const {
    const auto value = [&](const Vec3& p) { return difference(cell, p, wall.parts[0], wall.parts[1]); };
    const double here = value(point);
    Vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
        gradient[axis] = (value(point + kDerivativeStep * Vec3::Unit(axis)) - here) / kDerivativeStep;
    }
    const double squared = gradient.squaredNorm();
    if (!(squared > 0) || !std::isfinite(squared) || !std::isfinite(here)) return std::nullopt;
    // a flat spot must not throw the point out of the neighbourhood
    const double step = std::clamp(here / std::sqrt(squared), -1.0, 1.0);
    const Vec3 normal = gradient / std::sqrt(squared);
    return TangentPlane{Vec3(point - step * normal), normal, 1};
}

double WallField::crossing(const Int3& cell, const CellLabels& labels, int from, int to) const {
    const uint32_t partFrom = labels[static_cast<size_t>(from)], partTo = labels[static_cast<size_t>(to)];
    if (partFrom == kOutside) return 1 - crossing(cell, labels, to, from);
    if (partTo == kOutside) {
        const DistanceGrid& solid = *regions_->solid;
        const auto at = [&](int c) {
            return double{solid.at(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2))};
        };
        const double inside = at(from), outside = at(to);
        if (outside < 0) return 1;  // only the border of the lattice ends the solid
        const double t = inside / (inside - outside);
        return std::isfinite(t) ? t : 0.5;
    }
    if (!hasDifference(partFrom, partTo)) return 0.5;
    const Vec3 start = cornerPoint(from), way = cornerPoint(to) - start;
    const auto value = [&](double t) { return difference(cell, start + t * way, partFrom, partTo); };
    const double atFrom = value(0), atTo = value(1);
    if (!(atFrom <= 0 && atTo >= 0 && atTo - atFrom > 0)) return 0.5;
    return rootBetween(value, atFrom, atTo);
}

}  // namespace sunder::detail
