#include "dynamics/detail/energy.h"

#include <algorithm>
#include <cmath>

#include "base/disjoint_sets.h"

namespace sunder::dynamics::detail {

double rotationalEnergy(const Body& body) { return 0.5 * body.angularMomentum.dot(body.angularVelocity); }
double kineticEnergy(const Body& body) {
    return 0.5 * body.mass * body.velocity.squaredNorm() + rotationalEnergy(body);
}

EnergyBefore energyBefore(const Bodies& bodies, const Vec3& gravity, const std::vector<ForceField>& fields) {
    EnergyBefore before;
    before.uniform = gravity;
    for (const ForceField& field : fields) {
        if (const auto* uniform = std::get_if<UniformField>(&field)) before.uniform += uniform->acceleration;
    }
    before.kinetic.resize(bodies.size());
    before.position.resize(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive || body.kind != BodyKind::Dynamic) continue;
        before.kinetic[i] = kineticEnergy(body);
        before.position[i] = body.position;
        before.mechanical += before.kinetic[i] - body.mass * before.uniform.dot(body.position);
    }
    return before;
}

namespace {

/// Touching bodies, and what is allowed to change their energy.
struct Group {
    double gained = 0;   // J, mechanical, over the frame
    double work = 0;     // J, done by fields and moving bodies
    double kinetic = 0;  // J, now
    bool free = true;    // touches nothing that does not yield
    std::vector<uint32_t> members;
};

void setSpin(Body& body, const Vec3& angularMomentum) {
    body.angularMomentum = angularMomentum;
    body.angularVelocity = body.applyInverseInertia(angularMomentum);
}

/// Takes energy out of a group's motion; a free group keeps its momentum and angular momentum. Returns what was taken.
double takeEnergy(Bodies& bodies, const Group& group, double excess) {
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero(), centre = Vec3::Zero();
    double mass = 0;
    Vec3 drift = Vec3::Zero(), spin = Vec3::Zero();
    if (group.free) {
        for (const uint32_t i : group.members) {
            mass += bodies[i].mass;
            centre += bodies[i].mass * bodies[i].position;
            momentum += bodies[i].mass * bodies[i].velocity;
        }
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
    double available = 0;
    for (const uint32_t i : group.members) {
        const Body& body = bodies[i];
        const Vec3 v = body.velocity - drift - spin.cross(body.position - centre);
        const Vec3 l = body.angularMomentum - body.applyInertia(spin);
        available += 0.5 * body.mass * v.squaredNorm() + 0.5 * l.dot(body.applyInverseInertia(l));
    }
    if (!(available > 0)) return 0;
    const double taken = std::min(excess, available), scale = std::sqrt(1 - taken / available);
    for (const uint32_t i : group.members) {
        Body& body = bodies[i];
        const Vec3 carried = drift + spin.cross(body.position - centre), turned = body.applyInertia(spin);
        body.velocity = carried + scale * (body.velocity - carried);
        setSpin(body, turned + scale * (body.angularMomentum - turned));
    }
    return taken;
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

EnergyAccount account(Bodies& bodies, const PairTable& table, const FrameSolution& solution, const EnergyBefore& before,
                      const std::vector<Vec3>& accelerations, const WorldOptions& options,
                      const std::vector<ForceField>& fields) {
    EnergyAccount energy;
    energy.mechanicalBefore = before.mechanical;

    // who touched whom
    DisjointSets sets(bodies.size());
    for (size_t p = 0; p < table.patches.size(); ++p) {
        const ContactPatch& patch = table.patches[p];
        if (solution.patches[p].impulse.isZero() || !bodies[patch.a].yields() || !bodies[patch.b].yields()) continue;
        sets.join(patch.a, patch.b);
    }
    std::vector<Group> groups(bodies.size());
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive || !body.yields()) continue;
        Group& group = groups[sets.root(i)];
        const Vec3 moved = body.position - before.position[i];
        const double kinetic = kineticEnergy(body), fall = body.mass * before.uniform.dot(moved);
        group.gained += kinetic - before.kinetic[i] - fall;
        group.kinetic += kinetic;
        const double field = body.mass * (accelerations[i] - before.uniform).dot(moved);
        if (!fields.empty()) group.work += field, energy.workOfFields += field;
        const double lifted = -body.mass * before.uniform.dot(solution.push[i]);
        energy.depenetration += lifted;
        group.members.push_back(i);
    }
    for (size_t p = 0; p < table.patches.size(); ++p) {
        const PatchResult& result = solution.patches[p];
        if (result.impulse.isZero()) continue;
        const ContactPatch& patch = table.patches[p];
        const Body &a = bodies[patch.a], &b = bodies[patch.b];
        energy.lostInFriction += result.slid;
        if (a.yields() && b.yields()) continue;
        const Body &wall = a.yields() ? b : a, &body = a.yields() ? a : b;
        if (!body.yields()) continue;
        Group& group = groups[sets.root(a.yields() ? patch.a : patch.b)];
        group.free = false;
        if (wall.kind != BodyKind::Kinematic) continue;
        const Vec3 impulse = a.yields() ? Vec3(-result.impulse) : result.impulse,
                   moment = a.yields() ? Vec3(-result.moment) : result.moment;
        const double work = impulse.dot(wall.velocity + wall.angularVelocity.cross(result.point - wall.position)) +
                            moment.dot(wall.angularVelocity);
        group.work += work;
        energy.workOfKinematic += work;
    }
    if (options.step.energyGuard) {
        for (const Group& group : groups) {
            if (group.members.empty()) continue;
            const double excess = group.gained - group.work;
            // a body alone in free flight is exact; rounding is not worth a change
            if (excess <= 1e-12 * (group.kinetic + std::abs(group.gained)) ||
                (group.members.size() == 1 && !solution.touched[group.members[0]]))
                continue;
            energy.lostInClamping += takeEnergy(bodies, group, excess);
        }
    }

    sumUp(bodies, before.uniform, energy);
    energy.lostInClamping += solution.lostInClamping;
    energy.lostInContact = energy.mechanicalBefore + energy.workOfFields + energy.workOfKinematic +
                           energy.depenetration - energy.lostInFriction - energy.lostInClamping - energy.mechanical();
    return energy;
}

}  // namespace sunder::dynamics::detail
