#include "scene/rotations.h"

#include <cmath>
#include <numbers>

#include "dynamics/free_rotation.h"

namespace sunder::scene {

namespace {

constexpr double kRadians = std::numbers::pi / 180;

/// In [-180, 180]: large angles lose no digits on the way to radians.
double reduced(double degrees) { return std::remainder(degrees, 360.0); }

}  // namespace

Quat quaternionOf(const Rotation& rotation) {
    if (const auto* turn = std::get_if<AxisAngle>(&rotation.given)) {
        return dynamics::turnAbout(turn->axis, kRadians * reduced(turn->degrees));
    }
    if (const auto* parts = std::get_if<QuaternionParts>(&rotation.given)) {
        return Quat(parts->w, parts->x, parts->y, parts->z).normalized();
    }
    const Vec3& degrees = std::get<EulerAngles>(rotation.given).degrees;
    Quat turned = Quat::Identity();
    for (int axis = 0; axis < 3; ++axis) {
        turned = dynamics::turnAbout(Vec3::Unit(axis), kRadians * reduced(degrees[axis])) * turned;
    }
    return turned;
}

}  // namespace sunder::scene
