#pragma once

#include <limits>

#include "math/vec.h"

namespace sunder {

/// Axis-aligned box; empty (min > max) until something is added.
struct Box3 {
    /// Corner of the least coordinates.
    Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
    /// Corner of the largest coordinates.
    Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

    /// Nothing was added yet. A box around one point has no size, but is not empty.
    bool empty() const { return (min.array() > max.array()).any(); }
    /// Grows as little as it must to hold the point.
    void add(const Vec3& point) {
        min = min.cwiseMin(point);
        max = max.cwiseMax(point);
    }
    /// An empty box changes nothing.
    void add(const Box3& box) {
        min = min.cwiseMin(box.min);
        max = max.cwiseMax(box.max);
    }
    /// Lengths of the edges; zero when empty.
    Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(max - min); }
    Vec3 centre() const { return 0.5 * (min + max); }  // NaN when empty
    double diagonal() const { return size().norm(); }  // length; zero when empty
    /// All six sides together; zero when empty.
    double surfaceArea() const {
        const Vec3 s = size();
        return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
    }
    /// The boundary belongs to the box. An empty box contains nothing.
    bool contains(const Vec3& point) const {
        return (point.array() >= min.array()).all() && (point.array() <= max.array()).all();
    }
    /// A common point of their boundaries is enough. An empty box overlaps nothing.
    bool overlaps(const Box3& other) const {
        return (min.array() <= other.max.array()).all() && (other.min.array() <= max.array()).all();
    }
    /// Every side moved outwards by `margin`; inwards when that is negative. An empty box stays empty.
    Box3 expanded(double margin) const { return {Vec3(min.array() - margin), Vec3(max.array() + margin)}; }
    /// Zero inside.
    double squaredDistance(const Vec3& point) const {
        const Vec3 outside = (min - point).cwiseMax(point - max).cwiseMax(Vec3(Vec3::Zero()));
        return outside.squaredNorm();
    }
};

}  // namespace sunder
