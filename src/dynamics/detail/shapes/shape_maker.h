#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "dynamics/shape.h"

namespace sunder::dynamics {

/// Everything a Shape holds, in the open, for the functions that make shapes.
struct ShapeParts {
    ShapeKind kind = ShapeKind::Sphere;
    std::variant<ConvexCore, FieldSolid, HalfSpace, Compound> geometry;  // body frame
    double volume = 0;                                                   // m^3
    Vec3 moments = Vec3::Zero();                                         // m^5
    RigidTransform bodyFromGiven;
    double radius = 0, innerRadius = 0, thickness = 0;  // m
    double roundRadius = 0, halfLength = 0;             // m
    const TriangleTree* givenTree = nullptr;            // of a field's surface in the given frame, if there is one
};

struct ShapeMaker {
    static ShapePtr make(ShapeParts parts);
};

namespace detail {

/// Where a solid's body frame is: origin at the centre of mass, axes along the principal ones. The given axes stay
/// when inertia is diagonal in them already, but for round-off.
struct BodyFrame {
    RigidTransform bodyFromGiven;
    Vec3 moments = Vec3::Zero();  // m^5
};
BodyFrame bodyFrame(const MassProperties& solid);

/// Throws std::invalid_argument unless 0 < value < infinity.
void requireLength(double value, const char* what);

}  // namespace detail

}  // namespace sunder::dynamics
