#include "dynamics/detail/account/energy.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "base/parallel.h"

namespace sunder::dynamics::detail {

double rotationalEnergy(const Body& body) { return 0.5 * body.angularMomentum.dot(body.angularVelocity); }
double kineticEnergy(const Body& body) {
    return 0.5 * body.mass * body.velocity.squaredNorm() + rotationalEnergy(body);
}

Vec3 uniformAcceleration(const Vec3& gravity, const std::vector<ForceField>& fields) {
    Vec3 sum = gravity;
    for (const ForceField& field : fields) {
        if (const auto* uniform = std::get_if<UniformField>(&field)) sum += uniform->acceleration;
    }
    return sum;
}

MotionBefore motionBefore(const Bodies& bodies) {
    const size_t count = bodies.size();
    MotionBefore before{std::vector<double>(count, 0), std::vector<Vec3>(count, Vec3::Zero()),
                        std::vector<Vec3>(count, Vec3::Zero()), std::vector<Vec3>(count, Vec3::Zero()),
                        std::vector<Quat>(count, Quat::Identity())};
    for (size_t i = 0; i < count; ++i) {
        const Body& body = bodies[i];
        if (!body.alive) continue;
        before.position[i] = body.position;
        before.orientation[i] = body.orientation;
        if (!body.moves()) continue;
        before.velocity[i] = body.velocity;
        before.angularVelocity[i] = body.angularVelocity;
        if (body.kind == BodyKind::Dynamic) before.kinetic[i] = kineticEnergy(body);
    }
    return before;
}

namespace {

constexpr double kPushPrice = 0.1;  // of a group's kinetic energy: what pushing apart may cost it in a pass

constexpr double kAccepted = 0.02;      // of the smaller radius: overlap that is left alone before patience ends
constexpr float kFirstPatience = 0.2f;  // s: a pair that was pushed that long and parted no farther may stay so
constexpr float kPatience = 1;          // s: the same however deep they are
constexpr float kParting = 0.7f;        // of the overlap: what is less than that is on its way out

/// Touching bodies, and what is allowed to change their energy.
struct Group {
    double gained = 0;   // J, mechanical, over the frame
    double work = 0;     // J, done by fields and moving bodies
    double kinetic = 0;  // J, now
    bool free = true;    // touches only what is mobile
    std::vector<uint32_t> members;
};

void setSpin(Body& body, const Vec3& angularMomentum) {
    body.angularMomentum = angularMomentum;
    body.angularVelocity = body.applyInverseInertia(angularMomentum);
}

/// Takes energy out of a group's motion; a free group keeps its momentum and angular momentum. Returns what was taken.
double takeEnergy(Bodies& bodies, const Group& group, double excess) {
    // the motion that a free group must keep: as one rigid body
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero(), centre = Vec3::Zero();
    double mass = 0;
    Vec3 drift = Vec3::Zero(), spin = Vec3::Zero();
    if (group.free) {
        for (const uint32_t i : group.members) {
            mass += bodies[i].mass;
            centre += bodies[i].mass * bodies[i].position;
            momentum += bodies[i].mass * bodies[i].velocity;
        }
        ASSERT(mass > 0);
        centre /= mass;
        drift = momentum / mass;
        Mat3 inertia = Mat3::Zero();
        for (const uint32_t i : group.members) {
            const Body& body = bodies[i];
            const Vec3 r = body.position - centre;
            angular += r.cross(body.mass * (body.velocity - drift)) + body.angularMomentum;
            inertia += body.rotation * body.moments.asDiagonal() * body.rotation.transpose() +
                       body.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        }
        spin = inertia.ldlt().solve(angular);
    }

    // the rest can be taken; all of it is scaled alike
    double available = 0;
    for (const uint32_t i : group.members) {
        const Body& body = bodies[i];
        const Vec3 v = body.velocity - drift - spin.cross(body.position - centre);
        const Vec3 l = body.angularMomentum - body.applyInertia(spin);
        available += 0.5 * body.mass * v.squaredNorm() + 0.5 * l.dot(body.applyInverseInertia(l));
    }
    if (!(available > 0) || !(excess > 0)) return 0;
    const double taken = std::min(excess, available), scale = std::sqrt(1 - taken / available);
    for (const uint32_t i : group.members) {
        Body& body = bodies[i];
        const Vec3 carried = drift + spin.cross(body.position - centre), turned = body.applyInertia(spin);
        body.velocity = carried + scale * (body.velocity - carried);
        setSpin(body, turned + scale * (body.angularMomentum - turned));
    }
    return taken;
}

/// What moving each member by way(i) gave in height, J.
template <class Way>
double lift(const Bodies& bodies, const Group& group, const Vec3& uniform, Way&& way) {
    double sum = 0;
    for (const uint32_t i : group.members) sum -= bodies[i].mass * uniform.dot(way(i));
    return sum;
}

/// Takes a share of way(i) back from the members' positions, as much as pays `excess` by the height it gives away.
/// Returns what it paid.
template <class Way>
double goBack(Bodies& bodies, const Group& group, const Vec3& uniform, double excess, Way&& way) {
    const double gained = lift(bodies, group, uniform, way);
    if (!(excess > 0) || !(gained > 0)) return 0;
    const double share = std::min(1.0, excess / gained);
    for (const uint32_t i : group.members) bodies[i].position -= share * way(i);
    return share * gained;
}

struct Payment {
    double paid = 0;  // J
    bool pushesTakenBack = false;
};

/// What contacts gained by error is paid by motion. Pushing apart may cost the group a little of its motion, no more: a
/// stone that rolls on a pile must not stop because stones below are pushed. The rest of the pushes is taken back. What
/// then is left is paid by all motion there is, and at last by going back along the way.
Payment pay(Bodies& bodies, const Group& group, double excess, const Vec3& uniform, const std::vector<Vec3>& start,
            const std::vector<Vec3>& pushes) {
    const auto push = [&](uint32_t i) { return pushes[i]; };
    const auto way = [&](uint32_t i) { return Vec3(bodies[i].position - start[i]); };
    double paid = takeEnergy(bodies, group, excess - std::max(0.0, lift(bodies, group, uniform, push)));
    const double back = goBack(bodies, group, uniform, excess - paid - kPushPrice * (group.kinetic - paid), push);
    paid += back;
    paid += takeEnergy(bodies, group, excess - paid);
    paid += goBack(bodies, group, uniform, excess - paid, way);
    return {paid, back > 0};
}

/// Pushing again and again what nobody can pay, or what is held from all sides, would keep the bodies stirring. Not for
/// every little more: a wall that leans is held by the overlap at its foot.
void leaveOverlapAlone(const Bodies& bodies, const std::vector<uint8_t>& cannotPay, double dt, PairTable& table) {
    for (Pair& pair : table.pairs) {
        if (pair.patchCount == 0 || (!bodies[pair.a].mobile() && !bodies[pair.b].mobile())) continue;
        float overlap = 0;
        for (uint32_t p = 0; p < pair.patchCount; ++p)
            overlap = std::max(overlap, table.patches[pair.firstPatch + p].overlap());
        const bool pushed = overlap > 1.1f * pair.grace;
        if (!pushed || overlap < kParting * pair.resistedAt) {
            pair.resisted = 0;
            pair.resistedAt = overlap;
        } else {
            pair.resisted += static_cast<float>(dt);
            pair.resistedAt = std::max(pair.resistedAt, overlap);
        }
        const bool poor = cannotPay[pair.a] != 0 || cannotPay[pair.b] != 0;
        if (!pushed || (!poor && pair.resisted < kFirstPatience)) continue;
        const double smaller = std::min(bodies[pair.a].shape->radius(), bodies[pair.b].shape->radius());
        const float most = pair.resisted < kPatience ? static_cast<float>(kAccepted * smaller) : overlap;
        pair.grace = std::max(pair.grace, std::min(overlap, most));
    }
}

}  // namespace

void sumUp(const Bodies& bodies, const Vec3& uniform, EnergyAccount& energy) {
    energy.linear = energy.rotational = energy.potential = 0;
    energy.momentum = energy.angularMomentum = Vec3::Zero();
    for (const Body& body : bodies) {
        if (!body.alive || body.kind != BodyKind::Dynamic) continue;
        energy.linear += 0.5 * body.mass * body.velocity.squaredNorm();
        energy.rotational += rotationalEnergy(body);
        energy.potential -= body.mass * uniform.dot(body.position);
        energy.momentum += body.mass * body.velocity;
        energy.angularMomentum += body.position.cross(body.mass * body.velocity) + body.angularMomentum;
    }
}

void addContactWork(const Bodies& bodies, const PairTable& table, const MotionBefore& before, FrameSolution& solution,
                    EnergyAccount& energy) {
    // means of the velocities before and after the impulses
    struct Mean {
        Vec3 velocity, spin;
        bool mobile;
    };
    std::vector<Mean> means(bodies.size());
    parallelFor(bodies.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const Body& body = bodies[i];
            means[i] = {before.velocity[i], before.angularVelocity[i], body.mobile()};
            if (!body.alive || !body.mobile()) continue;
            means[i].velocity = 0.5 * (before.velocity[i] + body.velocity);
            means[i].spin = 0.5 * (before.angularVelocity[i] + body.applyInverseInertia(body.angularMomentum));
        }
    });
    struct Work {
        double ofWalls = 0, friction = 0, contact = 0;  // J
    };
    const auto add = [&](const BlockRange& block) {
        Work work;
        for (size_t p = block.begin; p < block.end; ++p) {
            PatchResult& result = solution.patches[p];
            if (result.impulse.isZero() && result.momentOnA.isZero() && result.momentOnB.isZero()) continue;
            const Mean &a = means[table.patches[p].a], &b = means[table.patches[p].b];
            const double onA = result.impulse.dot(a.velocity) + result.momentOnA.dot(a.spin),
                         onB = result.impulse.dot(b.velocity) + result.momentOnB.dot(b.spin);
            const double friction = result.friction.dot(b.velocity - a.velocity) + result.frictionOnB.dot(b.spin) -
                                    result.frictionOnA.dot(a.spin);
            if (!a.mobile) result.workOfWall = onA;
            if (!b.mobile) result.workOfWall = -onB;
            work.ofWalls += result.workOfWall;
            work.friction += friction;
            work.contact += onB - onA - friction;
        }
        return work;
    };
    const Work all = parallelReduce(table.patches.size(), 1024, Work{}, add, [](Work x, Work y) {
        return Work{x.ofWalls + y.ofWalls, x.friction + y.friction, x.contact + y.contact};
    });
    energy.workOfKinematic += all.ofWalls;
    energy.lostInFriction -= all.friction;
    energy.lostInContact -= all.contact;
}

void addMotion(Bodies& bodies, PairTable& table, const MotionBefore& before, const Forces& forces, double dt,
               const FrameSolution& solution, bool guard, EnergyAccount& energy) {
    ASSERT(before.kinetic.size() == bodies.size());
    ASSERT(solution.patches.size() == table.patches.size());

    // which touched or pushed which
    const auto acted = [&](size_t p) {
        const ContactPatch& patch = table.patches[p];
        const bool pushed = !solution.push[patch.a].isZero() || !solution.push[patch.b].isZero();
        return !solution.patches[p].impulse.isZero() || pushed;
    };
    DisjointSets sets(bodies.size());
    for (size_t p = 0; p < table.patches.size(); ++p) {
        const ContactPatch& patch = table.patches[p];
        if (acted(p) && bodies[patch.a].mobile() && bodies[patch.b].mobile()) sets.join(patch.a, patch.b);
    }

    // what each group gained, and what was done to it
    std::vector<Group> groups(bodies.size());
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive || !body.mobile()) continue;
        Group& group = groups[sets.root(i)];
        const Vec3 moved = body.position - before.position[i];
        const double kinetic = kineticEnergy(body);
        group.gained += kinetic - before.kinetic[i] - body.mass * forces.uniform.dot(moved);
        group.kinetic += kinetic;
        const double field = body.mass * (forces.linear[i] - forces.uniform).dot(moved) +
                             dt * body.applyInertia(forces.angular[i]).dot(body.angularVelocity);
        group.work += field;
        energy.workOfFields += field;
        energy.depenetration -= body.mass * forces.linear[i].dot(solution.push[i]);
        // Contacts bend the path within the pass: what gravity does along it differs from what it does to the mean of
        // the velocities, and contacts have paid the difference.
        const Vec3 straight = 0.5 * dt * (before.velocity[i] + body.velocity);
        energy.lostInContact -= body.mass * forces.linear[i].dot(straight - (moved - solution.push[i]));
        group.members.push_back(i);
    }
    if (!guard) return;

    // groups that lean on what is not mobile are not free, and it may have done work on them
    for (size_t p = 0; p < table.patches.size(); ++p) {
        const PatchResult& result = solution.patches[p];
        const ContactPatch& patch = table.patches[p];
        if (!acted(p)) continue;
        const bool a = bodies[patch.a].mobile(), b = bodies[patch.b].mobile();
        if (a == b) continue;
        Group& group = groups[sets.root(a ? patch.a : patch.b)];
        group.free = false;
        group.work += result.workOfWall;
    }

    // each group pays for what it gained
    std::vector<uint8_t> cannotPay(bodies.size(), 0);
    for (const Group& group : groups) {
        if (group.members.empty()) continue;
        const double excess = group.gained - group.work;
        // a body alone in free flight is exact; rounding is not worth a change
        if (excess <= 1e-12 * (group.kinetic + std::abs(group.gained)) ||
            (group.members.size() == 1 && !solution.touched[group.members[0]] &&
             solution.push[group.members[0]].isZero()))
            continue;
        const Payment payment = pay(bodies, group, excess, forces.uniform, before.position, solution.push);
        energy.lostInClamping += payment.paid;
        if (!payment.pushesTakenBack) continue;
        for (const uint32_t i : group.members) cannotPay[i] = 1;
    }
    leaveOverlapAlone(bodies, cannotPay, dt, table);
}

}  // namespace sunder::dynamics::detail
