#include "geometry/surface/detail/cell_field.h"

#include <algorithm>
#include <cmath>

namespace sunder::detail {

namespace {

// A gradient whose length is off by more than this mixes two faces, or the field is no distance.
constexpr double kEikonalTolerance = 0.1;
// Residual, and second difference, at which a plane has lost half its say.
constexpr double kEikonalSpread = 0.02;
constexpr double kBendingSpread = 0.25;

// A surface point deeper than this in a ball that should be empty is none.
constexpr double kEmptyTolerance = 0.03;  // cells

// A gradient this far from unit length is not a distance's, even next to creases.
constexpr double kDistanceTolerance = 0.4;

/// Slope at the middle of five values a step apart, and the second difference of the three it was taken from.
struct Slope {
    double slope = 0;
    double bending = 0;
};
Slope straightestSlope(double m2, double m1, double c, double p1, double p2) {
    const double left = std::abs(m2 - 2 * m1 + c), middle = std::abs(m1 - 2 * c + p1),
                 right = std::abs(c - 2 * p1 + p2);
    // central differences are twice as accurate on smooth ground, so they win unless clearly bent
    if (middle <= 2 * std::min(left, right) + 1e-3) return {0.5 * (p1 - m1), middle};
    return left < right ? Slope{0.5 * (3 * c - 4 * m1 + m2), left} : Slope{0.5 * (-3 * c + 4 * p1 - p2), right};
}

}  // namespace

CellField::CellField(const DistanceGrid& grid, const Int3& cell) : grid_(&grid), cell_(cell) { load(-1, 2); }

void CellField::load(int low, int high) {
    const GridFrame& frame = grid_->frame();
    const double scale = 1 / frame.cellSize;
    constexpr double kFar = 1e6;  // cells; keeps arithmetic on infinities finite
    const auto inCells = [&](float metres) {
        const double v = metres * scale;
        return static_cast<float>(v < kFar ? std::max(v, -kFar) : kFar);
    };
    // the lattice's border counts as outside; rows that do not touch it are copied as they are
    const int first = cell_[0] + low, last = cell_[0] + high;
    const bool innerRow = first > 0 && last < frame.points[0] - 1;
    for (int z = low; z <= high; ++z) {
        const int k = std::clamp(cell_[2] + z, 0, frame.points[2] - 1);
        for (int y = low; y <= high; ++y) {
            const int j = std::clamp(cell_[1] + y, 0, frame.points[1] - 1);
            const bool borderRow = j == 0 || k == 0 || j == frame.points[1] - 1 || k == frame.points[2] - 1;
            const float* from = grid_->values().data() + frame.index(0, j, k);
            float* to = &values_[slot({low, y, z})];
            if (innerRow && !borderRow) {
                for (int i = first; i <= last; ++i) *to++ = inCells(from[i]);
                continue;
            }
            // beyond the lattice its border goes on
            for (int i = first; i <= last; ++i) {
                const int inside = std::clamp(i, 0, frame.points[0] - 1);
                const float v = inCells(from[inside]);
                *to++ = borderRow || inside == 0 || inside == frame.points[0] - 1 ? std::max(v, 0.0F) : v;
            }
        }
    }
}

bool CellField::changesSign() const {
    int inside = 0;
    for (int c = 0; c < 8; ++c) inside += corner(c) < 0 ? 1 : 0;
    return inside != 0 && inside != 8;
}

bool CellField::cellIsAll(bool inside, const Int3& offset) const {
    for (int c = 0; c < 8; ++c) {
        const Int3 p{offset[0] + (c & 1), offset[1] + (c >> 1 & 1), offset[2] + (c >> 2)};
        if ((value(p) < 0) != inside) return false;
    }
    return true;
}

double CellField::bending() const {
    double most = 0;
    for (int c = 0; c < 8; ++c) {
        const Int3 p{c & 1, c >> 1 & 1, c >> 2};
        for (size_t axis = 0; axis < 3; ++axis) {
            Int3 below = p, above = p;
            --below[axis];
            ++above[axis];
            most = std::max(most, std::abs(value(below) - 2 * value(p) + value(above)));
        }
    }
    return most;
}

Vec3 CellField::centralGradient(const Int3& p) const {
    Vec3 gradient;
    for (size_t axis = 0; axis < 3; ++axis) {
        Int3 below = p, above = p;
        --below[axis];
        ++above[axis];
        gradient[static_cast<int>(axis)] = 0.5 * (value(above) - value(below));
    }
    return gradient;
}

CellField::OneSided CellField::oneSidedGradient(const Int3& p) const {
    const float* v = &values_[slot(p)];
    OneSided result;
    int step = 1;
    for (int axis = 0; axis < 3; ++axis, step *= kSide) {
        const Slope slope = straightestSlope(v[-2 * step], v[-step], v[0], v[step], v[2 * step]);
        result.gradient[axis] = slope.slope;
        result.bending = std::max(result.bending, slope.bending);
    }
    return result;
}

Vec3 CellField::edgeGradient(int lowCorner, int highCorner, double t) const {
    const auto at = [&](int c) { return centralGradient({c & 1, c >> 1 & 1, c >> 2}); };
    return (1 - t) * at(lowCorner) + t * at(highCorner);
}

bool CellField::joinsAcross(const std::array<int, 4>& faceCorners) {
    load(-3, 4);
    std::array<int, 4> corners = faceCorners;  // in one order, whichever way round the face was given
    std::sort(corners.begin(), corners.end());
    Vec3 middle = Vec3::Zero();
    for (const int c : corners) middle += 0.25 * Vec3(c & 1, c >> 1 & 1, c >> 2);

    // a distance: what do the corners' tangent planes say of the middle? Sharp edges run along diagonals unhurt.
    double predicted = 0;
    bool isDistance = true;
    for (const int c : corners) {
        const Int3 p{c & 1, c >> 1 & 1, c >> 2};
        const Vec3 gradient = oneSidedGradient(p).gradient;
        const Vec3 step = middle - Vec3(p[0], p[1], p[2]);
        predicted += value(p) + (gradient.x() * step.x() + gradient.y() * step.y() + gradient.z() * step.z());
        isDistance = isDistance && std::abs(gradient.norm() - 1) < kDistanceTolerance;
    }
    if (isDistance) return predicted < 0;

    // any other field: the bilinear saddle [nielson1991]; inside corners share a sign, so their product is the rule
    const double first = corner(corners[0]) * corner(corners[3]), second = corner(corners[1]) * corner(corners[2]);
    return corner(corners[0]) < 0 ? first > second : second > first;
}

int CellField::clearSide(const Vec3& point, double tolerance) const {
    // squared distances along each axis first: what is left per lattice point is two sums and a comparison
    std::array<std::array<float, 4>, 3> squared{};
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 4; ++i) {
            const float d = static_cast<float>(point[axis]) - static_cast<float>(i - 1);
            squared[static_cast<size_t>(axis)][static_cast<size_t>(i)] = d * d;
        }
    }
    const float slack = static_cast<float>(tolerance);
    // a point inside a ball that no surface reaches is on the ball's side
    for (int z = 0; z < 4; ++z) {
        for (int y = 0; y < 4; ++y) {
            const float* row = &values_[slot({-1, y - 1, z - 1})];
            const float across = squared[1][static_cast<size_t>(y)] + squared[2][static_cast<size_t>(z)];
            bool hit = false;
            for (size_t x = 0; x < 4; ++x) {
                const float radius = std::max(std::abs(row[x]) - slack, 0.0F);
                hit |= across + squared[0][x] < radius * radius;
            }
            // which ball it was decides, and hits are rare
            if (!hit) continue;
            for (size_t x = 0; x < 4; ++x) {
                const float radius = std::max(std::abs(row[x]) - slack, 0.0F);
                if (across + squared[0][x] < radius * radius) return row[x] < 0 ? -1 : 1;
            }
        }
    }
    return 0;
}

std::vector<NearbyPlane> CellField::planesNear(double margin) {
    load(-3, 4);
    const Box3 cell{Vec3::Zero(), Vec3::Ones()};
    const Box3 widened = cell.expanded(margin);
    std::vector<NearbyPlane> planes;
    planes.reserve(32);
    for (int z = -1; z <= 2; ++z) {
        for (int y = -1; y <= 2; ++y) {
            for (int x = -1; x <= 2; ++x) {
                // could the nearest surface point, |distance| away, lie in the widened cell at all?
                const Vec3 point(x, y, z);
                const double distance = value({x, y, z});
                const Vec3 farthest = (point - widened.min).cwiseAbs().cwiseMax((widened.max - point).cwiseAbs());
                const double squared = distance * distance;
                if (squared > farthest.squaredNorm() || squared < widened.squaredDistance(point)) continue;

                // the tangent plane there: where a difference is no distance, the length of the gradient says so
                const OneSided estimate = oneSidedGradient({x, y, z});
                const double length = estimate.gradient.norm();
                const double residual = std::abs(length - 1);
                if (!(residual < kEikonalTolerance)) continue;
                const Vec3 normal = estimate.gradient / length;
                // the foot must be where a surface can be
                const Vec3 foot = point - distance * normal;
                if (!widened.contains(foot) || clearSide(foot, kEmptyTolerance) != 0) continue;
                const double doubt =
                    std::pow(residual / kEikonalSpread, 2) + std::pow(estimate.bending / kBendingSpread, 2);
                const double weight = 1 / ((1 + doubt) * (1 + doubt));
                planes.push_back({{foot, normal, weight}, std::sqrt(cell.squaredDistance(foot))});
            }
        }
    }
    return planes;
}

}  // namespace sunder::detail
