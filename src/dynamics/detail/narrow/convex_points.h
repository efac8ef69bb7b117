#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/shape.h"

namespace sunder::dynamics::detail {

/// Points of a convex solid that are looked up in a field: its corners and points along its edges. Made for each
/// question, near the field only: a floor of a kilometre has a million of them.
struct ConvexPoints {
    using Cluster = FieldSolid::Cluster;
    std::vector<Cluster> clusters;  // padded by repeating the last point
    std::vector<uint32_t> keys;     // one per point; the same from frame to frame, below 2^30
};

struct FloatBox {
    Vec3f min, max;
};

/// Corners, and points along edges `spacing` apart counted from the edge's first corner, as far as they lie in the box.
/// Box and points are in the frame that rotation and translation lead to.
void placePoints(const ConvexCore& core, const Eigen::Matrix3f& rotation, const Vec3f& translation, const FloatBox& box,
                 float spacing, ConvexPoints& points);

}  // namespace sunder::dynamics::detail
