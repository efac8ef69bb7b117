#include "geometry/surface/detail/wall_field.h"

#include <algorithm>
#include <cmath>

namespace sunder::detail {

namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;
constexpr double kDerivativeStep = 0.01;  // cells
// Crossings stay clear of the corners, so that no two vertices coincide there.
constexpr double kInset = 0.01;

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

uint32_t WallField::label(const Int3& cell, const CellLabels& parts, int corner) const {
    if (corner == kCentre) return parts_->components[parts[kCentre]].label;
    return regions_->labels[regions_->solid->frame().index(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                                                           cell[2] + (corner >> 2))];
}

/// With the sign that goes with the component: the border of the lattice and what is no number are outside.
double WallField::solidAt(const Int3& cell, const CellLabels& parts, int corner) const {
    const auto at = static_cast<size_t>(corner);
    double value = 0;
    if (corner == kCentre) {
        for (int c = 0; c < 8; ++c) value += 0.125 * solidAt(cell, parts, c);
    } else {
        value = regions_->solid->at(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2));
    }
    const double h = regions_->solid->frame().cellSize;
    if (!std::isfinite(value)) value = parts[at] == kOutside ? h : -h;
    return parts[at] == kOutside ? std::max(value, 0.0) : std::min(value, 0.0);
}

uint32_t WallField::partAmid(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const {
    Vec3 middle = Vec3::Zero();
    double depth = 0;
    int outside = 0;
    for (const uint8_t c : corners) {
        middle += cornerPoint(c) / static_cast<double>(corners.size());
        depth += solidAt(cell, parts, c);
        outside += parts[c] == kOutside ? 1 : 0;
    }
    if (outside > 0 && depth >= 0) return kOutside;
    uint32_t best = kOutside;
    int bestVotes = 0, bestCorner = 0;
    for (const uint8_t c : corners) {
        if (parts[c] == kOutside || parts[c] == best) continue;
        const auto votes = static_cast<int>(
            std::count_if(corners.begin(), corners.end(), [&](uint8_t other) { return parts[other] == parts[c]; }));
        bool better = best == kOutside || votes > bestVotes || (votes == bestVotes && parts[c] < best);
        if (best != kOutside && regions_->difference) {
            const uint32_t mine = label(cell, parts, c), other = label(cell, parts, bestCorner);
            if (mine != other) better = value(cell, middle, mine, other) < 0;
        }
        if (!better) continue;
        best = parts[c];
        bestVotes = votes;
        bestCorner = c;
    }
    return best;
}

double WallField::value(const Int3& cell, const Vec3& point, uint32_t labelA, uint32_t labelB) const {
    const GridFrame& frame = regions_->solid->frame();
    const Vec3 at = frame.origin + frame.cellSize * (Vec3(cell[0], cell[1], cell[2]) + point);
    return regions_->difference(at, labelA, labelB);
}

std::vector<Wall> WallField::wallsOn(const Int3& cell, const CellLabels& parts,
                                     std::span<const CornerPair> edges) const {
    std::vector<Wall> walls;
    for (const CornerPair& edge : edges) {
        if (parts[edge.from] == parts[edge.to] || parts[edge.from] == kOutside || parts[edge.to] == kOutside) continue;
        const uint32_t from = label(cell, parts, edge.from), to = label(cell, parts, edge.to);
        const std::array<uint32_t, 2> both{std::min(from, to), std::max(from, to)};
        if (std::none_of(walls.begin(), walls.end(), [&](const Wall& wall) { return wall.labels == both; })) {
            walls.push_back({both, regions_->difference && from != to, {}});
        }
    }
    for (Wall& wall : walls) {
        for (int c = 0; c < 8 && wall.known; ++c) {
            if (parts[static_cast<size_t>(c)] == kOutside) continue;
            const uint32_t here = label(cell, parts, c);
            if (here != wall.labels[0] && here != wall.labels[1]) continue;
            const double difference = value(cell, cornerPoint(c), wall.labels[0], wall.labels[1]);
            wall.atCorner[static_cast<size_t>(c)] = difference;
            wall.known = here == wall.labels[0] ? difference <= 0 : difference >= 0;
        }
    }
    return walls;
}

std::optional<TangentPlane> WallField::planeNear(const Int3& cell, const Wall& wall, const Vec3& point) const {
    const auto at = [&](const Vec3& p) { return value(cell, p, wall.labels[0], wall.labels[1]); };
    const double here = at(point);
    Vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
        gradient[axis] = (at(point + kDerivativeStep * Vec3::Unit(axis)) - here) / kDerivativeStep;
    }
    const double length = gradient.norm();
    if (!(length > 0) || !std::isfinite(length) || !std::isfinite(here)) return std::nullopt;
    const Vec3 normal = gradient / length;
    // a flat spot must not throw the point out of the neighbourhood
    const double step = std::clamp(here / length, -1.0, 1.0);
    return TangentPlane{Vec3(point - step * normal), normal, 1};
}

double WallField::shareOfEdge(const Int3& cell, const CellLabels& parts, CornerPair edge) const {
    if (parts[edge.from] == kOutside) return 1 - shareOfEdge(cell, parts, {edge.to, edge.from});
    if (parts[edge.to] == kOutside) {
        const double inside = solidAt(cell, parts, edge.from), outside = solidAt(cell, parts, edge.to);
        if (inside == 0 && outside == 0) return edge.to == kCentre || edge.from == kCentre ? 0.5 : 1;
        const double t = inside / (inside - outside);
        return std::isfinite(t) ? t : 0.5;
    }
    const uint32_t from = label(cell, parts, edge.from), to = label(cell, parts, edge.to);
    if (!regions_->difference || from == to) return 0.5;
    const Vec3 start = cornerPoint(edge.from), way = cornerPoint(edge.to) - start;
    const auto at = [&](double t) { return value(cell, start + t * way, from, to); };
    const double atFrom = at(0), atTo = at(1);
    if (!(atFrom <= 0 && atTo >= 0 && atTo - atFrom > 0)) return 0.5;
    return rootBetween(at, atFrom, atTo);
}

Vec3 WallField::crossing(const Int3& cell, const CellLabels& parts, CornerPair edge) const {
    const double t = std::clamp(shareOfEdge(cell, parts, edge), kInset, 1 - kInset);
    return cornerPoint(edge.from) + t * (cornerPoint(edge.to) - cornerPoint(edge.from));
}

}  // namespace sunder::detail
