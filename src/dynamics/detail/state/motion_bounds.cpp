#include "dynamics/detail/state/motion_bounds.h"

#include <algorithm>

namespace sunder::dynamics::detail {

double relativeSpeed(const Body& a, const Body& b) {
    struct Turn {
        Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
        explicit Turn(const Body& body) {
            if (body.moves()) velocity = body.velocity, spin = body.angularVelocity;
        }
    };
    const Turn ofA(a), ofB(b);
    // of the points of `of`, seen from the frame that moves and turns with `from`; where a ball turns, its surface
    // stays
    const auto seen = [](const Body& of, const Turn& motion, const Body& from, const Turn& frame) {
        const double turning = of.shape->kind() == ShapeKind::Sphere ? 0 : (motion.spin - frame.spin).norm();
        const Vec3 carried = frame.velocity + frame.spin.cross(of.position - from.position);
        return (motion.velocity - carried).norm() + (turning > 0 ? turning * sizeOf(of) : 0);
    };
    return std::min(seen(a, ofA, b, ofB), seen(b, ofB, a, ofA));
}

}  // namespace sunder::dynamics::detail
