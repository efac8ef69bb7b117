#include "dynamics/detail/collision_phase.h"

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

    Side(const SolverBody& s, double invMass, const float (*inertia)[8], int lane)
        : velocity(get(s.velocity)),
          angular(get(s.angular)),
          moved(get(s.displacement)),
          turned(get(s.rotation)),
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

bool CollisionPhase::collide(const Restituting& contact, double h, const std::vector<Vec3>& accelerations) {
    WideManifold& m = groups_[contact.group];
    const int lane = contact.lane;
    const auto a = static_cast<size_t>(m.a[lane]), b = static_cast<size_t>(m.b[lane]);
    Side A(solver_[a], m.invMassA[lane], m.invInertiaA, lane), B(solver_[b], m.invMassB[lane], m.invInertiaB, lane);
    const Vec3 n = get(m.normal, lane), toB = get(m.fromAToB, lane);
    const Vec3 kick = h * ((bodies_[b].yields() ? accelerations[b] : Vec3(Vec3::Zero())) -
                           (bodies_[a].yields() ? accelerations[a] : Vec3(Vec3::Zero())));
    const double threshold = kLeastApproach * kick.norm() +
                             kLeastApproach * h * (bodies_[a].yields() ? accelerations[a] : accelerations[b]).norm();

    // which points meet in this substep, and how fast
    struct Meeting {
        Vec3 arm;
        double target = 0;  // m/s, normal velocity to leave with
        double mass = 0, impulse = 0;
        int point = 0;
    };
    std::array<Meeting, 4> meetings;
    int count = 0;
    bool collides = false;
    for (int i = 0; i < m.pointCount; ++i) {
        if (!(m.points[i].mass[lane] > 0)) continue;
        const Vec3 arm = get(m.points[i].arm, lane);
        const double speed = n.dot(B.at(arm + toB) - A.at(arm));
        const double gap = m.points[i].separation[lane] + n.dot(B.travelled(arm + toB) - A.travelled(arm));
        if (gap + h * (speed + n.dot(kick)) >= 0) continue;
        const bool hits = speed < -threshold && speed < 0;
        collides |= hits;
        meetings[size_t(count++)] = {arm, hits ? -contact.restitution * speed : std::min(speed, 0.0),
                                     m.points[i].mass[lane], 0, i};
    }
    if (!collides) return false;
    ++count_;

    // the pair alone: normals to their targets, friction within its cone
    const Side beforeA = A, beforeB = B;
    const Vec3 middle = get(m.middle, lane), t1 = get(m.tangent, lane), t2 = n.cross(t1);
    Eigen::Vector2d slide = Eigen::Vector2d::Zero();
    for (int sweep = 0; sweep < kManifoldSweeps; ++sweep) {
        double pressed = 0;
        for (int i = 0; i < count; ++i) {
            Meeting& at = meetings[size_t(i)];
            const double speed = n.dot(B.at(at.arm + toB) - A.at(at.arm));
            const double fresh = std::max(0.0, at.impulse - at.mass * (speed - at.target));
            const Vec3 impulse = (fresh - at.impulse) * n;
            at.impulse = fresh;
            pressed += fresh;
            A.add(-impulse, -at.arm.cross(impulse));
            B.add(impulse, (at.arm + toB).cross(impulse));
        }
        if (!options_.friction || m.friction[lane] <= 0) {
            if (count == 1) break;
            continue;
        }
        const Vec3 relative = B.at(middle + toB) - A.at(middle);
        const double u1 = t1.dot(relative), u2 = t2.dot(relative);
        Eigen::Vector2d fresh = slide - Eigen::Vector2d(m.tangentMass[0][lane] * u1 + m.tangentMass[1][lane] * u2,
                                                        m.tangentMass[1][lane] * u1 + m.tangentMass[2][lane] * u2);
        const double limit = m.friction[lane] * pressed, length = fresh.norm();
        if (length > limit) fresh *= limit / length;
        const Vec3 impulse = (fresh.x() - slide.x()) * t1 + (fresh.y() - slide.y()) * t2;
        slide = fresh;
        A.add(-impulse, -middle.cross(impulse));
        B.add(impulse, (middle + toB).cross(impulse));
    }

    // no collision may raise the energy of its pair
    const Vec3 friction = slide.x() * t1 + slide.y() * t2;
    Vec3 impulse = friction, momentA = middle.cross(friction);
    for (int i = 0; i < count; ++i) {
        impulse += meetings[size_t(i)].impulse * n;
        momentA += meetings[size_t(i)].arm.cross(meetings[size_t(i)].impulse * n);
    }
    const Vec3 momentB = momentA + toB.cross(impulse);
    const double linear =
        impulse.dot(beforeB.velocity - beforeA.velocity) + momentB.dot(beforeB.angular) - momentA.dot(beforeA.angular);
    const double quadratic = impulse.squaredNorm() * (A.inverseMass + B.inverseMass) +
                             momentA.dot(A.inverseInertia * momentA) + momentB.dot(B.inverseInertia * momentB);
    // a kinematic partner may do work: energies are those seen from it
    double scale = 1;
    if (options_.clampImpulses) {
        Vec3 frame = Vec3::Zero();
        if (A.inverseMass == 0) frame = beforeA.at(middle);
        if (B.inverseMass == 0) frame = beforeB.at(middle + toB);
        const double seen = A.inverseMass == 0 ? impulse.dot(beforeB.velocity - frame) + momentB.dot(beforeB.angular)
                            : B.inverseMass == 0
                                ? -(impulse.dot(beforeA.velocity - frame) + momentA.dot(beforeA.angular))
                                : linear;
        scale = clampedScale(seen, quadratic);
        if (scale < 1) {
            lostInClamping_ += (seen + 0.5 * quadratic) - scale * (seen + 0.5 * scale * quadratic);
        }
        if (scale <= 0) return false;
    }
    A = beforeA;
    B = beforeB;
    A.add(-scale * impulse, -scale * momentA);
    B.add(scale * impulse, scale * momentB);
    const Vec3 shiftA = A.moved.cross(scale * impulse), shiftB = B.moved.cross(scale * impulse);
    for (int k = 0; k < 3; ++k) {
        m.shiftA[k][lane] += static_cast<float>(shiftA[k]);
        m.shiftB[k][lane] += static_cast<float>(shiftB[k]);
    }
    for (int i = 0; i < count; ++i)
        m.points[meetings[size_t(i)].point].total[lane] += static_cast<float>(scale * meetings[size_t(i)].impulse);
    m.frictionTotal[0][lane] += static_cast<float>(scale * slide.x());
    m.frictionTotal[1][lane] += static_cast<float>(scale * slide.y());
    const auto write = [&](size_t body, const Side& side) {
        if (side.inverseMass == 0) return;
        put(solver_[body].velocity, side.velocity);
        put(solver_[body].angular, side.angular);
    };
    write(a, A);
    write(b, B);
    return true;
}

}  // namespace sunder::dynamics::detail
