#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/box.h"
#include "math/rigid_transform.h"
#include "math/vec.h"

namespace sunder {

/// A regular lattice of points: position(i, j, k) = origin + cellSize * (i, j, k).
struct GridFrame {
    Vec3 origin = Vec3::Zero();  // m, of point (0, 0, 0)
    double cellSize = 1;         // m
    Int3 points{0, 0, 0};        // per axis, at least 2 for interpolation

    /// The product over the three axes.
    size_t pointCount() const {
        return static_cast<size_t>(points[0]) * static_cast<size_t>(points[1]) * static_cast<size_t>(points[2]);
    }
    /// x runs fastest.
    size_t index(int i, int j, int k) const {
        return static_cast<size_t>(i) +
               static_cast<size_t>(points[0]) *
                   (static_cast<size_t>(j) + static_cast<size_t>(points[1]) * static_cast<size_t>(k));
    }
    /// m; whole numbers outside the lattice may be asked for too.
    Vec3 position(int i, int j, int k) const { return origin + cellSize * Vec3(i, j, k); }
    /// From the first point to the last; for a lattice that has points.
    Box3 bounds() const { return {origin, position(points[0] - 1, points[1] - 1, points[2] - 1)}; }
    /// Whether there is such a point.
    bool contains(int i, int j, int k) const {
        return i >= 0 && j >= 0 && k >= 0 && i < points[0] && j < points[1] && k < points[2];
    }
    friend bool operator==(const GridFrame&, const GridFrame&) = default;
};

/// A frame that covers the box with `padding` cells on every side and whose points lie on multiples of the cell size,
/// so that grids of one cell size are aligned with each other. No points for an empty box; throws std::length_error
/// when the box is too many cells long to be numbered.
GridFrame alignedFrame(const Box3& box, double cellSize, int padding);

/// Signed distance to a surface, m, negative inside, sampled on a lattice.
class DistanceGrid {
public:
    DistanceGrid() = default;
    /// The same value at each point, m.
    explicit DistanceGrid(const GridFrame& frame, float value = 0)
        : frame_(frame), values_(frame.pointCount(), value) {}

    const GridFrame& frame() const { return frame_; }                          // where its points are
    float& at(int i, int j, int k) { return values_[frame_.index(i, j, k)]; }  // must be a point of the frame
    float at(int i, int j, int k) const { return values_[frame_.index(i, j, k)]; }
    std::span<float> values() { return values_; }  // of all points, x fastest
    std::span<const float> values() const { return values_; }
    size_t memoryBytes() const { return values_.size() * sizeof(float); }  // of the values

    /// Trilinear. Outside the lattice: the value at the nearest point of its bounds plus the distance to it, an upper
    /// bound. Infinite without points.
    double value(const Vec3& point) const;
    /// Gradient of the trilinear interpolant (not normalised); outside, of the extended field.
    Vec3 gradient(const Vec3& point) const;

    /// Distance and gradient at one point, in single precision.
    struct Sample {
        float value = 0;                 // m
        Vec3f gradient = Vec3f::Zero();  // not normalised
    };
    /// Many points at once, eight side by side; same numbers as one by one in float.
    void sample(std::span<const Vec3f> points, std::span<Sample> samples) const;

private:
    GridFrame frame_;
    std::vector<float> values_;
};

/// max(a, b) = intersection, min(a, b) = union of solids, point by point. Frames must be equal.
DistanceGrid intersection(const DistanceGrid& a, const DistanceGrid& b);
/// The smaller of both values at each point. Frames must be equal.
DistanceGrid unionOf(const DistanceGrid& a, const DistanceGrid& b);
/// What was outside is inside: the sign of each value changes.
DistanceGrid complement(const DistanceGrid& grid);

/// The part of a grid inside `window` (aligned with it); points the grid does not have get the extended value.
DistanceGrid windowed(const DistanceGrid& grid, const GridFrame& window);

/// The grid of the moved solid: value(x) = grid.value(oldFromNew * x) on a new frame.
DistanceGrid resampled(const DistanceGrid& grid, const GridFrame& frame, const RigidTransform& oldFromNew);

}  // namespace sunder
