#include "geometry/mesh/triangulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/assert.h"
#include "math/predicates.h"

namespace sunder {

namespace {

/// Twice the area vector [newell, in sutherland1974].
Vec3 newellNormal(std::span<const Vec3> corners) {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec3 a = corners[i] - corners[0], b = corners[(i + 1) % corners.size()] - corners[0];
        sum += a.cross(b);
    }
    return sum;
}

/// The corners scaled by a power of two to a size of about one: the same shape to the last bit, and no product of
/// coordinates can overflow or vanish.
std::vector<Vec3> normalised(std::span<const Vec3> corners) {
    double largest = 0;
    for (const Vec3& p : corners) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    std::vector<Vec3> result(corners.begin(), corners.end());
    if (!(largest > 0) || !std::isfinite(largest)) return result;
    const int exponent = -std::ilogb(largest);
    for (Vec3& p : result) {
        for (int axis = 0; axis < 3; ++axis) p[axis] = std::scalbn(p[axis], exponent);
    }
    return result;
}

/// Leaves out the axis the polygon faces most. Coordinates are not rounded, so flat stays flat and straight stays
/// straight; a positive turn stays positive.
std::vector<Vec2> projected(std::span<const Vec3> corners) {
    const std::vector<Vec3> shape = normalised(corners);
    const Vec3 normal = newellNormal(shape);
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const int u = normal[axis] >= 0 ? (axis + 1) % 3 : (axis + 2) % 3;
    const int v = 3 - axis - u;
    std::vector<Vec2> result;
    result.reserve(shape.size());
    for (const Vec3& p : shape) result.emplace_back(p[u], p[v]);
    return result;
}

/// The corners that may stand in an ear's way, sorted into square cells.
class ObstacleGrid {
public:
    ObstacleGrid(const std::vector<Vec2>& points, const std::vector<uint32_t>& obstacles) {
        // cells so large that about two obstacles fall into one
        if (obstacles.empty()) return;
        Vec2 max = points[obstacles[0]];
        min_ = max;
        for (const uint32_t i : obstacles) {
            min_ = min_.cwiseMin(points[i]);
            max = max.cwiseMax(points[i]);
        }
        side_ = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(obstacles.size()) / 2)));
        for (int axis = 0; axis < 2; ++axis) {
            const double size = max[axis] - min_[axis];
            cellsPerLength_[axis] = size > 0 ? std::min(side_ / size, 1e300) : 0;
        }
        // counting sort
        start_.assign(static_cast<size_t>(side_) * side_ + 1, 0);
        for (const uint32_t i : obstacles) ++start_[cellOf(points[i]) + 1];
        for (size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
        items_.resize(obstacles.size());
        std::vector<uint32_t> next(start_.begin(), start_.end() - 1);
        for (const uint32_t i : obstacles) items_[next[cellOf(points[i])]++] = i;
    }

    /// Does test(obstacle) hold for any obstacle near the triangle? Asks for those in the cells that it covers, and a
    /// few around it.
    template <class Test>
    bool any(const std::array<Vec2, 3>& triangle, Test&& test) const {
        if (items_.empty()) return false;
        const auto [low, high] = std::minmax({triangle[0].y(), triangle[1].y(), triangle[2].y()});
        const int firstRow = row(low), lastRow = row(high);
        for (int y = firstRow; y <= lastRow; ++y) {
            const auto [left, right] = extentInRow(triangle, y);
            const size_t rowStart = static_cast<size_t>(y) * side_;
            const uint32_t begin = start_[rowStart + std::max(column(left) - 1, 0)];
            const uint32_t end = start_[rowStart + std::min(column(right) + 1, side_ - 1) + 1];
            for (uint32_t k = begin; k < end; ++k) {
                if (test(items_[k])) return true;
            }
        }
        return false;
    }

private:
    struct Extent {
        double left, right;
    };

    int cell(double distance, int axis) const {
        return static_cast<int>(std::clamp(distance * cellsPerLength_[axis], 0.0, side_ - 1.0));
    }
    int column(double x) const { return cell(x - min_.x(), 0); }
    int row(double y) const { return cell(y - min_.y(), 1); }
    size_t cellOf(const Vec2& p) const { return static_cast<size_t>(row(p.y())) * side_ + column(p.x()); }

    /// From where to where the triangle reaches within a row of cells; up to rounding, which the caller allows for. The
    /// first and the last row also stand for all beyond them.
    Extent extentInRow(const std::array<Vec2, 3>& triangle, int y) const {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const double height = cellsPerLength_.y() > 0 ? 1 / cellsPerLength_.y() : kInfinity;
        const double bottom = y == 0 ? -kInfinity : min_.y() + (y - 0.1) * height;
        const double top = y == side_ - 1 ? kInfinity : min_.y() + (y + 1.1) * height;
        Extent extent{kInfinity, -kInfinity};
        // what of the triangle lies in the row: its corners, and where its sides cross the row's borders
        const auto reach = [&](double x) {
            extent.left = std::min(extent.left, x);
            extent.right = std::max(extent.right, x);
        };
        for (size_t k = 0; k < 3; ++k) {
            const Vec2 &a = triangle[k], &b = triangle[(k + 1) % 3];
            if (a.y() >= bottom && a.y() <= top) reach(a.x());
            for (const double level : {bottom, top}) {
                if ((a.y() < level) == (b.y() < level)) continue;
                reach(a.x() + (b.x() - a.x()) * ((level - a.y()) / (b.y() - a.y())));
            }
        }
        return extent;
    }

    Vec2 min_ = Vec2::Zero();
    Vec2 cellsPerLength_ = Vec2::Zero();
    int side_ = 1;
    std::vector<uint32_t> start_, items_;
};

class EarClipper {
public:
    explicit EarClipper(std::vector<Vec2> points)
        : points_(std::move(points)),
          count_(static_cast<uint32_t>(points_.size())),
          previous_(count_),
          next_(count_),
          version_(count_, 0),
          gone_(count_, 0),
          convex_(linkAndClassify()),
          obstacles_(points_, reflexCorners()) {}

    std::vector<PolygonTriangle> clip() {
        std::vector<PolygonTriangle> result;
        result.reserve(count_ - 2);
        for (uint32_t i = 0; i < count_; ++i) enqueue(i);
        while (result.size() + 2 < count_) {
            const uint32_t tip = takeBestTip();
            const uint32_t before = previous_[tip], after = next_[tip];
            result.push_back({before, tip, after});
            gone_[tip] = 1;
            next_[before] = after;
            previous_[after] = before;
            for (const uint32_t neighbour : {before, after}) {
                convex_[neighbour] = turnAt(neighbour) > 0;
                enqueue(neighbour);
            }
        }
        return result;
    }

private:
    /// Ears first; a simple polygon always has two. Then, for polygons that cross themselves, corners that at least
    /// turn the right way.
    enum class Rank : uint8_t { Ear, Blocked, NotConvex };

    struct Tip {
        Rank rank;
        double squaredDiagonal;
        uint32_t corner;
        uint32_t version;
        friend bool operator>(const Tip& a, const Tip& b) {
            return std::tie(a.rank, a.squaredDiagonal, a.corner) > std::tie(b.rank, b.squaredDiagonal, b.corner);
        }
    };

    std::vector<uint8_t> linkAndClassify() {
        for (uint32_t i = 0; i < count_; ++i) {
            previous_[i] = i == 0 ? count_ - 1 : i - 1;
            next_[i] = i + 1 == count_ ? 0 : i + 1;
        }
        std::vector<uint8_t> convex(count_);
        for (uint32_t i = 0; i < count_; ++i) convex[i] = turnAt(i) > 0;
        return convex;
    }

    std::vector<uint32_t> reflexCorners() const {
        std::vector<uint32_t> result;
        for (uint32_t i = 0; i < count_; ++i) {
            if (!convex_[i]) result.push_back(i);
        }
        return result;
    }

    int turnAt(uint32_t i) const { return orient2d(points_[previous_[i]], points_[i], points_[next_[i]]); }

    Rank rankOf(uint32_t tip) const {
        if (!convex_[tip]) return Rank::NotConvex;
        const Vec2 &a = points_[previous_[tip]], &b = points_[tip], &c = points_[next_[tip]];
        const Vec2 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        const bool blocked = obstacles_.any({a, b, c}, [&](uint32_t i) {
            if (gone_[i] || convex_[i]) return false;
            const Vec2& p = points_[i];
            if ((p.array() < low.array()).any() || (p.array() > high.array()).any()) return false;
            // the ear's own corners, and corners of a slit that lie on them
            if (p == a || p == b || p == c) return false;
            return orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0;
        });
        return blocked ? Rank::Blocked : Rank::Ear;
    }

    void enqueue(uint32_t corner) {
        const double squaredDiagonal = (points_[next_[corner]] - points_[previous_[corner]]).squaredNorm();
        tips_.push({rankOf(corner), squaredDiagonal, corner, ++version_[corner]});
    }

    uint32_t takeBestTip() {
        for (;;) {
            ASSERT(!tips_.empty());
            const Tip best = tips_.top();
            tips_.pop();
            if (!gone_[best.corner] && version_[best.corner] == best.version) return best.corner;
        }
    }

    std::vector<Vec2> points_;
    uint32_t count_;
    std::vector<uint32_t> previous_, next_, version_;
    std::vector<uint8_t> gone_, convex_;
    ObstacleGrid obstacles_;
    std::priority_queue<Tip, std::vector<Tip>, std::greater<>> tips_;
};

}  // namespace

std::vector<PolygonTriangle> triangulatePolygon(std::span<const Vec3> corners) {
    ASSERT(corners.size() >= 3);
    if (corners.size() == 3) return {{0, 1, 2}};
    return EarClipper(projected(corners)).clip();
}

}  // namespace sunder
