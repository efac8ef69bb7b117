#pragma once

#include "math/vec.h"

namespace sunder {

/// A rotation, then a translation: `worldFromBody * pointInBody`.
struct RigidTransform {
    Quat rotation = Quat::Identity();
    Vec3 translation = Vec3::Zero();

    Vec3 operator*(const Vec3& point) const { return rotation * point + translation; }
    RigidTransform operator*(const RigidTransform& other) const {
        return {rotation * other.rotation, rotation * other.translation + translation};
    }
    RigidTransform inverse() const {
        const Quat back = rotation.conjugate();
        return {back, -(back * translation)};
    }
};

}  // namespace sunder
