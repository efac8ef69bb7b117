#include "sim/detail/rigid_motion.h"

#include <cmath>

#include <Eigen/LU>

namespace sunder::sim::detail {

namespace {

/// So that cross(v) * w = v x w.
Mat3 cross(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

}  // namespace

double RigidMotion::yielding(const Vec3& point, const Vec3& along) const {
    const Vec3 arm = (point - centre).cross(along);
    return 1 / mass + arm.dot(inertia.inverse() * arm);
}

void RigidMotion::push(const Vec3& impulse, const Vec3& point) {
    velocity += impulse / mass;
    angularMomentum += (point - centre).cross(impulse);
    angularVelocity = inertia.inverse() * angularMomentum;
}

RigidMotion atRest(const dynamics::Shape& shape, double mass, const RigidTransform& pose) {
    const RigidTransform worldFromBody = pose * shape.bodyFromGiven().inverse();
    const Mat3 axes = worldFromBody.rotation.normalized().toRotationMatrix();
    RigidMotion motion;
    motion.mass = mass;
    motion.centre = worldFromBody.translation;
    motion.inertia = axes * (mass / shape.volume() * shape.moments()).asDiagonal() * axes.transpose();
    return motion;
}

RigidMotion motionOf(const dynamics::World& world, dynamics::BodyId id, double mass) {
    const dynamics::BodyState state = world.state(id);
    RigidMotion motion = atRest(world.shape(id), state.mass > 0 ? state.mass : mass, state.pose);
    if (state.anchored || state.kind == dynamics::BodyKind::Static) return motion;
    motion.velocity = state.velocity;
    motion.angularVelocity = state.angularVelocity;
    motion.angularMomentum = state.kind == dynamics::BodyKind::Dynamic ? state.angularMomentum
                                                                       : Vec3(motion.inertia * state.angularVelocity);
    return motion;
}

void shareMotion(const RigidMotion& whole, std::span<RigidMotion> pieces) {
    double mass = 0;
    Vec3 centre = Vec3::Zero();  // from the whole's
    for (const RigidMotion& piece : pieces) {
        mass += piece.mass;
        centre += piece.mass * (piece.centre - whole.centre);
    }
    centre /= mass;
    Mat3 inertia = Mat3::Zero();
    for (const RigidMotion& piece : pieces) {
        const Mat3 arm = cross(piece.centre - whole.centre - centre);
        inertia += piece.inertia - piece.mass * arm * arm;
    }
    const Vec3 velocity = whole.mass * whole.velocity / mass;
    const Vec3 spinning = whole.angularMomentum - mass * centre.cross(velocity);
    const Mat3 inverse = inertia.inverse();
    Vec3 spin = inverse * spinning;
    spin += inverse * (spinning - inertia * spin);  // slender bodies: the inverse alone is not exact enough
    for (RigidMotion& piece : pieces) {
        piece.velocity = velocity + spin.cross(piece.centre - whole.centre - centre);
        piece.angularVelocity = spin;
        piece.angularMomentum = piece.inertia * spin;
    }
}

Momentum momentumOf(std::span<const RigidMotion> bodies, const Vec3& about) {
    Momentum sum;
    for (const RigidMotion& body : bodies) {
        const Vec3 arm = body.centre - about;
        sum.linear += body.mass * body.velocity;
        sum.angular += body.mass * arm.cross(body.velocity) + body.angularMomentum;
        sum.linearScale += body.mass * body.velocity.norm();
        sum.angularScale += body.mass * arm.norm() * body.velocity.norm() + body.angularMomentum.norm();
    }
    return sum;
}

double impulseThatTakes(double energy, double approach, double yielding) {
    if (!(approach > 0) || !(energy > 0) || !(yielding > 0)) return 0;
    const double rest = approach * approach - 2 * yielding * energy;
    return rest <= 0 ? approach / yielding : (approach - std::sqrt(rest)) / yielding;
}

}  // namespace sunder::sim::detail
