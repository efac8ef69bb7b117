#pragma once

#include <cstdint>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "math/rigid_transform.h"

namespace sunder::dynamics {

/// Signed distances of a solid on a lattice, m, negative inside, in sixteen bits each: thousands of bodies with fields
/// of their own have to stay in the cache. Trilinear in between. Outside the lattice the value is a lower bound of the
/// distance: sqrt(value at the nearest lattice point^2 + distance to it^2).
class CompactField {
public:
    CompactField() = default;
    /// The part of a grid that reaches at least one cell around `solid`, a box in the grid's frame.
    CompactField(const DistanceGrid& grid, const RigidTransform& gridFromBody, const Box3& solid);

    /// A distance and its slope at a point.
    struct Sample {
        double value = 0;              // m
        Vec3 gradient = Vec3::Zero();  // of the interpolant: shorter than 1 where directions meet
    };
    /// At a point of the body frame, in or outside the lattice; the gradient has the body's axes.
    Sample at(const Vec3& point) const;
    double value(const Vec3& point) const { return at(point).value; }  // m, of at()

    double cellSize() const { return cellSize_; }                               // m
    const Int3& points() const { return points_; }                              // of the lattice along x, y, z
    const RigidTransform& latticeFromBody() const { return latticeFromBody_; }  // point (0, 0, 0) is the origin
    const Box3& solid() const { return solid_; }                                // m, lattice frame
    double deepest() const { return deepest_; }                                 // m, the lowest value, >= 0
    /// x fastest; times unit() gives metres. One more than there are points, so that two can be read at once.
    const int16_t* counts() const { return counts_.data(); }
    double unit() const { return unit_; }                                    // m
    size_t memoryBytes() const { return counts_.size() * sizeof(int16_t); }  // of the counts alone

private:
    RigidTransform latticeFromBody_;
    Int3 points_{0, 0, 0};
    double cellSize_ = 1, unit_ = 1, deepest_ = 0;
    Box3 solid_;
    std::vector<int16_t> counts_;
};

}  // namespace sunder::dynamics
