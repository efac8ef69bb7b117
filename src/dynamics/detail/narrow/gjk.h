#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vec.h"

namespace sunder::dynamics::detail {

/// A few points of the difference of two convex sets, whose hull comes nearer to the origin with every point added.
class DifferenceSimplex {
public:
    explicit DifferenceSimplex(const Vec3& first) : points_{first}, nearest_(first) {}

    /// The hull's point nearest to the origin, m.
    const Vec3& nearest() const { return nearest_; }
    bool holds(const Vec3& point) const;
    /// Adds a point and forgets those that the nearest place does not need. False when the origin is inside.
    bool add(const Vec3& point);

private:
    int count_ = 1;
    Vec3 points_[4];
    Vec3 nearest_;
};

/// When to stop looking.
struct SearchGoal {
    double size = 0;                                          // of both sets together, about, m
    double enough = std::numeric_limits<double>::infinity();  // m: no need to know more than that it is at least this
    double accuracy = 1e-10;                                  // relative
};

/// Distance between two convex sets by the iteration of [gilbert1988]; 0 when they touch or overlap. support(direction)
/// returns a set's farthest point that way. Never more than the true distance
/// but for round-off. Less only where nearly touching sets with long thin features make the search stall, and then by
/// about 1e-9 of the size: it returns its best lower bound.
///
/// Differs from the source: the nearest point of a simplex is found by looking at all its triangles, which cannot fail
/// for flat ones.
template <class SupportA, class SupportB>
double convexDistance(const SupportA& supportA, const SupportB& supportB, const Vec3& guess, const SearchGoal& goal) {
    constexpr int kMaxSteps = 128;
    DifferenceSimplex simplex(supportA(-guess) - supportB(guess));
    double lower = 0, squared = simplex.nearest().squaredNorm();
    for (int step = 0; step < kMaxSteps; ++step) {
        if (squared <= 1e-28 * goal.size * goal.size) return 0;
        const Vec3 direction = simplex.nearest();
        const double distance = std::sqrt(squared);
        const Vec3 next = supportA(-direction) - supportB(direction);
        lower = std::max(lower, direction.dot(next) / distance);
        if (lower >= goal.enough) return lower;
        if (distance - lower <= goal.accuracy * distance) return goal.accuracy > 1e-9 ? lower : distance;
        if (simplex.holds(next)) return distance;
        if (!simplex.add(next)) return 0;
        const double nearer = simplex.nearest().squaredNorm();
        if (nearer >= squared) return lower;
        squared = nearer;
    }
    return lower;
}

}  // namespace sunder::dynamics::detail
