#pragma once

#include <limits>

#include "math/vec.h"

namespace sunder {

/// Axis-aligned box; empty (min > max) until something is added.
struct Box3 {
    Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

    bool empty() const { return (min.array() > max.array()).any(); }
    void add(const Vec3& point) {
        min = min.cwiseMin(point);
        max = max.cwiseMax(point);
    }
    void add(const Box3& box) {
        min = min.cwiseMin(box.min);
        max = max.cwiseMax(box.max);
    }
    Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(max - min); }
    Vec3 centre() const { return 0.5 * (min + max); }
    double diagonal() const { return size().norm(); }
    double surfaceArea() const {
        const Vec3 s = size();
        return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
    }
    bool contains(const Vec3& point) const {
        return (point.array() >= min.array()).all() && (point.array() <= max.array()).all();
    }
    bool overlaps(const Box3& other) const {
        return (min.array() <= other.max.array()).all() && (other.min.array() <= max.array()).all();
    }
    Box3 expanded(double margin) const { return {Vec3(min.array() - margin), Vec3(max.array() + margin)}; }
    /// Zero inside.
    double squaredDistance(const Vec3& point) const {
        const Vec3 outside = (min - point).cwiseMax(point - max).cwiseMax(Vec3(Vec3::Zero()));
        return outside.squaredNorm();
    }
};

}  // namespace sunder
