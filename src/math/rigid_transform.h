#pragma once

#include "math/vec.h"

namespace sunder {

/// A rotation, then a translation: `worldFromBody * pointInBody`.
struct RigidTransform {
    Quat rotation = Quat::Identity();  // unit
    Vec3 translation = Vec3::Zero();   // where the origin goes, m

    Vec3 operator*(const Vec3& point) const { return rotation * point + translation; }  // where a point goes
    /// The other one first, then this.
    RigidTransform operator*(const RigidTransform& other) const {
        return {rotation * other.rotation, rotation * other.translation + translation};
    }
    /// Takes points back to where they came from. Needs a rotation of unit length.
    RigidTransform inverse() const {
        const Quat back = rotation.conjugate();
        return {back, -(back * translation)};
    }
};

}  // namespace sunder
