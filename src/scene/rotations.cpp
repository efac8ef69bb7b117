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

Quat turnAbout(const Vec3& axis, double radians) {
    const double length = axis.norm();
    if (!(length > 0)) return Quat::Identity();
    return dynamics::rotationBy((std::remainder(radians, 2 * std::numbers::pi) / length) * axis).normalized();
}

double sineOfTurns(double turns) {
    // a rotation by the double angle about z has the sine in its quaternion
    const double angle = 2 * std::numbers::pi * std::remainder(turns, 1.0);
    return dynamics::rotationBy(Vec3(0, 0, 2 * angle)).z();
}

Quat quaternionOf(const Rotation& rotation) {
    if (const auto* turn = std::get_if<AxisAngle>(&rotation.given)) {
        return turnAbout(turn->axis, kRadians * reduced(turn->degrees));
    }
    if (const auto* parts = std::get_if<QuaternionParts>(&rotation.given)) {
        return Quat(parts->w, parts->x, parts->y, parts->z).normalized();
    }
    const Vec3& degrees = std::get<EulerAngles>(rotation.given).degrees;
    Quat turned = Quat::Identity();
    for (int axis = 0; axis < 3; ++axis) {
        turned = turnAbout(Vec3::Unit(axis), kRadians * reduced(degrees[axis])) * turned;
    }
    return turned;
}

}  // namespace sunder::scene
