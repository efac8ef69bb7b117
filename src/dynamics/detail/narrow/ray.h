#pragma once

#include <optional>

#include "dynamics/shape.h"

namespace sunder::dynamics::detail {

/// Where a ray meets a shape.
struct ShapeHit {
    double distance = 0;         // m, along the ray
    Vec3 normal = Vec3::Zero();  // unit, outward, body frame
};

/// First point of the solid on the ray, in the body frame; `direction` need not be of unit length. A ray that starts
/// inside hits at once, with the normal against it. Spheres, capsules and cylinders are as round as they are.
std::optional<ShapeHit> castRay(const Shape& shape, const Vec3& origin, const Vec3& direction, double maxDistance);

}  // namespace sunder::dynamics::detail
