#pragma once

#include <array>
#include <cstdint>

#include "math/vec.h"

namespace sunder::dynamics {

/// Up to four points at which two bodies touch, or nearly, with one normal. A pair of bodies has one manifold for each
/// direction in which they touch.
struct Manifold {
    static constexpr int kMaxPoints = 4;  // where more touch, the deepest and those that span most area stay
    /// A place where the two surfaces meet, or nearly.
    struct Point {
        Vec3f fromA = Vec3f::Zero();  // from A's centre of mass, m, world axes; halfway between the surfaces
        float separation = 0;         // m, negative when they overlap
        uint32_t key = 0;             // names the features that touch, the same from frame to frame
    };
    Vec3f normal = Vec3f::Zero();          // unit, world, from A to B
    int count = 0;                         // of points in use, the first ones; what stands behind them means nothing
    std::array<Point, kMaxPoints> points;  // in no order that means anything
};

}  // namespace sunder::dynamics
