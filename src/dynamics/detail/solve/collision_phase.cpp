#include "dynamics/detail/solve/collision_phase.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder::dynamics::detail {

namespace {

constexpr int kMaxSweeps = 32;
constexpr int kManifoldSweeps = 12;
constexpr double kLeastApproach =
    1.5;  // times gravity's change of velocity in a substep: slower is rest, not collision

Vec3 get(const float (*from)[8], int lane) { return Vec3(from[0][lane], from[1][lane], from[2][lane]); }
Vec3 get(const float* from) { return Vec3(from[0], from[1], from[2]); }
void put(float* to, const Vec3& v) {
    for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
}

struct Side {
    Vec3 velocity, angular, moved, turned;
    double inverseMass = 0;
    Mat3 inverseInertia = Mat3::Zero();

    Side(const float* motion, const float* displacement, double invMass, const float (*inertia)[8], int lane)
        : velocity(get(motion)),
          angular(get(motion + 3)),
          moved(get(displacement)),
          turned(get(displacement + 3)),
          inverseMass(invMass) {
        inverseInertia << inertia[0][lane], inertia[3][lane], inertia[5][lane], inertia[3][lane], inertia[1][lane],
            inertia[4][lane], inertia[5][lane], inertia[4][lane], inertia[2][lane];
    }
    Vec3 at(const Vec3& arm) const { return velocity + angular.cross(arm); }
    Vec3 travelled(const Vec3& arm) const { return moved + turned.cross(arm); }
    void add(const Vec3& impulse, const Vec3& moment) {
        velocity += inverseMass * impulse;
        angular += inverseInertia * moment;
    }
};

}  // namespace

double clampedScale(double workLinear, double workQuadratic) {
    if (!(workQuadratic > 0)) return 0;
    return std::clamp(-2 * workLinear / workQuadratic, 0.0, 1.0);
}

void CollisionPhase::run(double h, const std::vector<Vec3>& accelerations) {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        bool any = false;
        for (const Restituting& contact : restituting_) any |= collide(contact, h, accelerations);
        if (!any) return;
    }
}

namespace {

/// One point of a manifold that closes within the substep.
struct Meeting {
    Vec3 armA, armB;
    double time = 0;    // s from the start of the substep
    double target = 0;  // m/s, normal velocity to leave with
    double mass = 0, impulse = 0;
};

struct Collision {
    Vec3 normal = Vec3::Zero();
    std::array<Meeting, 4> meetings;
    int count = 0;
    bool hits = false;  // is any of them more than rest?
    double time = 0;    // s, of the first

    void add(const Meeting& meeting, bool isHit) {
        time = count == 0 ? meeting.time : std::min(time, meeting.time);
        meetings[static_cast<size_t>(count++)] = meeting;
        hits |= isHit;
    }
};

double effectiveMass(const Side& A, const Side& B, const Vec3& armA, const Vec3& armB, const Vec3& along) {
    const Vec3 a = armA.cross(along), b = armB.cross(along);
    return 1 / (A.inverseMass + B.inverseMass + a.dot(A.inverseInertia * a) + b.dot(B.inverseInertia * b));
}

/// Time until the centres of two spheres are `reach` apart; negative when they never are.
double meetingTime(const Vec3& offset, const Vec3& relative, double reach) {
    const double square = relative.squaredNorm(), along = offset.dot(relative),
                 gap = offset.squaredNorm() - reach * reach;
    if (gap <= 0) return 0;
    const double root = along * along - square * gap;
    if (root < 0 || along >= 0) return -1;
    return gap / (-along + std::sqrt(root));
}

}  // namespace

bool CollisionPhase::collide(const Restituting& contact, double h, const std::vector<Vec3>& accelerations) {
    const WideManifold& m = groups_[contact.group];
    const int lane = contact.lane;
    const auto slotA = static_cast<size_t>(m.a[lane]), slotB = static_cast<size_t>(m.b[lane]);
    const Body &bodyA = bodies_[contact.a], &bodyB = bodies_[contact.b];
    Side A(solver_.velocity[slotA].row, solver_.displacement[slotA].row, m.inverseMassA[lane], m.inverseInertiaA, lane),
        B(solver_.velocity[slotB].row, solver_.displacement[slotB].row, m.inverseMassB[lane], m.inverseInertiaB, lane);
    const Vec3 fallA = bodyA.mobile() ? accelerations[contact.a] : Vec3(Vec3::Zero()),
               fallB = bodyB.mobile() ? accelerations[contact.b] : Vec3(Vec3::Zero());
    const Vec3 kick = h * (fallB - fallA);
    const double threshold = kLeastApproach * h * (std::max(fallA.norm(), fallB.norm()) + (fallB - fallA).norm());

    // which points meet in this substep, when, and how fast
    Collision hit;
    const auto consider = [&](const Vec3& n, const Vec3& armA, const Vec3& armB, double gap, double time) {
        const double speed = n.dot(B.at(armB) - A.at(armA));
        if (gap + h * (speed + n.dot(kick)) >= 0) return;
        const bool isHit = speed < -threshold;
        hit.add({armA, armB, time, isHit ? -contact.restitution * speed : std::min(speed, 0.0),
                 effectiveMass(A, B, armA, armB, n), 0},
                isHit);
    };
    if (bodyA.shape->kind() == ShapeKind::Sphere && bodyB.shape->kind() == ShapeKind::Sphere) {
        const Vec3 offset = bodyB.position + B.moved - bodyA.position - A.moved, relative = B.velocity - A.velocity;
        const double reach = bodyA.shape->radius() + bodyB.shape->radius(), time = meetingTime(offset, relative, reach);
        if (time >= 0 && time <= h) {
            hit.normal = (offset + time * relative).normalized();
            consider(hit.normal, bodyA.shape->radius() * hit.normal, -bodyB.shape->radius() * hit.normal,
                     std::min(0.0, -h * hit.normal.dot(kick)), time);
        }
    }
    if (hit.count == 0) {
        // what the sweeps would stop: also balls that by their contact, but not quite in truth, meet now
        hit.normal = get(m.normal, lane);
        const Vec3 toB = get(m.fromAToB, lane);
        for (int i = 0; i < contact.count; ++i) {
            const Vec3 arm = contact.arms[static_cast<size_t>(i)].cast<double>();
            const double gap =
                contact.separations[static_cast<size_t>(i)] + hit.normal.dot(B.travelled(arm + toB) - A.travelled(arm));
            const double speed = hit.normal.dot(B.at(arm + toB) - A.at(arm));
            consider(hit.normal, arm, arm + toB, gap, std::clamp(speed < 0 ? -gap / speed : 0.0, 0.0, h));
        }
    }
    if (!hit.hits) return false;
    ++count_;
    if (bodyA.mobile() && bodyB.mobile()) {
        // one point of the world for both, where the bodies are when they meet: that keeps the angular momentum
        const Vec3 apart =
            (bodyA.position + A.moved + hit.time * A.velocity) - (bodyB.position + B.moved + hit.time * B.velocity);
        for (int i = 0; i < hit.count; ++i) {
            Meeting& at = hit.meetings[static_cast<size_t>(i)];
            at.armB = at.armA + apart;
            at.mass = effectiveMass(A, B, at.armA, at.armB, hit.normal);
        }
    }

    // the pair alone: normals to their targets, friction within its cone
    const Side beforeA = A, beforeB = B;
    const Vec3 n = hit.normal;
    Vec3 middleA = Vec3::Zero(), middleB = Vec3::Zero(), friction = Vec3::Zero();
    for (int i = 0; i < hit.count; ++i) {
        middleA += hit.meetings[static_cast<size_t>(i)].armA / hit.count;
        middleB += hit.meetings[static_cast<size_t>(i)].armB / hit.count;
    }
    const bool rubs = options_.friction && m.friction[lane] > 0;
    for (int sweep = 0; sweep < kManifoldSweeps; ++sweep) {
        double pressed = 0;
        for (int i = 0; i < hit.count; ++i) {
            Meeting& at = hit.meetings[static_cast<size_t>(i)];
            const double speed = n.dot(B.at(at.armB) - A.at(at.armA));
            const double fresh = std::max(0.0, at.impulse - at.mass * (speed - at.target));
            const Vec3 impulse = (fresh - at.impulse) * n;
            at.impulse = fresh;
            pressed += fresh;
            A.add(-impulse, -at.armA.cross(impulse));
            B.add(impulse, at.armB.cross(impulse));
        }
        if (!rubs && hit.count == 1) break;
        if (!rubs) continue;
        Vec3 slip = B.at(middleB) - A.at(middleA);
        slip -= n.dot(slip) * n;
        const double speed = slip.norm();
        if (speed == 0) continue;
        Vec3 fresh = friction - effectiveMass(A, B, middleA, middleB, slip / speed) * slip;
        const double limit = m.friction[lane] * pressed, length = fresh.norm();
        if (length > limit) fresh *= limit / length;
        A.add(friction - fresh, middleA.cross(friction - fresh));
        B.add(fresh - friction, middleB.cross(fresh - friction));
        friction = fresh;
    }

    // no collision may raise the energy of its pair; a moving partner may do work, so energy is that seen from it
    CollisionImpulse given;
    given.impulse = given.friction = friction;
    given.momentOnA = given.frictionOnA = middleA.cross(friction);
    given.momentOnB = given.frictionOnB = middleB.cross(friction);
    for (int i = 0; i < hit.count; ++i) {
        const Meeting& at = hit.meetings[static_cast<size_t>(i)];
        given.impulse += at.impulse * n;
        given.momentOnA += at.armA.cross(at.impulse * n);
        given.momentOnB += at.armB.cross(at.impulse * n);
    }
    if (options_.clampImpulses) {
        const Vec3 frame = A.inverseMass == 0   ? beforeA.at(middleA)
                           : B.inverseMass == 0 ? beforeB.at(middleB)
                                                : Vec3(Vec3::Zero());
        const double ofA =
            A.inverseMass == 0 ? 0 : given.impulse.dot(beforeA.velocity - frame) + given.momentOnA.dot(beforeA.angular);
        const double ofB =
            B.inverseMass == 0 ? 0 : given.impulse.dot(beforeB.velocity - frame) + given.momentOnB.dot(beforeB.angular);
        const double linear = ofB - ofA;
        const double quadratic = given.impulse.squaredNorm() * (A.inverseMass + B.inverseMass) +
                                 given.momentOnA.dot(A.inverseInertia * given.momentOnA) +
                                 given.momentOnB.dot(B.inverseInertia * given.momentOnB);
        const double scale = clampedScale(linear, quadratic);
        if (scale <= 0) return false;
        for (Vec3* part : {&given.impulse, &given.momentOnA, &given.momentOnB, &given.friction, &given.frictionOnA,
                           &given.frictionOnB})
            *part *= scale;
    }

    // Until the bodies meet they move as before; the drift of the substep will take the new velocity for all of it.
    A = beforeA;
    B = beforeB;
    A.add(-given.impulse, -given.momentOnA);
    B.add(given.impulse, given.momentOnB);
    given.shiftA = (A.moved + hit.time * beforeA.velocity).cross(given.impulse);
    given.shiftB = (B.moved + hit.time * beforeB.velocity).cross(given.impulse);
    impulses_[contact.patch] += given;
    const auto write = [&](size_t slot, const Side& side, const Side& before) {
        if (side.inverseMass == 0) return;
        float *velocity = solver_.velocity[slot].row, *displacement = solver_.displacement[slot].row;
        put(velocity, side.velocity);
        put(velocity + 3, side.angular);
        put(displacement, side.moved + hit.time * (before.velocity - side.velocity));
        put(displacement + 3, side.turned + hit.time * (before.angular - side.angular));
    };
    write(slotA, A, beforeA);
    write(slotB, B, beforeB);
    return true;
}

}  // namespace sunder::dynamics::detail
