#include "dynamics/detail/sleep/sleep.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "dynamics/detail/account/energy.h"

namespace sunder::dynamics::detail {

namespace {

constexpr double kStillShare = 0.04;  // of the radius: how far a still body may move
constexpr double kStillTime = 0.5;    // s, until it sleeps
constexpr double kStillSpeed = 0.3;   // radii per second, of its fastest point: more is moving, however little it came
/// What hangs between two points swings for ever: nothing there takes its energy. It sleeps too, later.
constexpr double kSwingShare = 0.15;
constexpr double kSwingTime = 1.5;   // s
constexpr double kSwingSpeed = 0.8;  // radii per second
/// Wider swings, and what rolls to and fro, come to that by and by, as if the points were not quite points. In units of
/// the body's radius and the time it takes to fall that far: what the slightest slope sets going is not touched.
constexpr double kLingerShare = 0.6;
constexpr double kLingerSpeed = 0.2;
constexpr double kLingerTime = 10;
constexpr double kTrembleTime = 25;   // what is then still there, wedged in and trembling, sleeps too
constexpr double kSlowingTime = 0.5;  // s, in which it loses most of its speed

/// Counts, or begins anew where the body is now.
void stay(Body::Stay& stay, const Body& body, double share, bool fast, double dt) {
    const double radius = body.shape->radius();
    const double sine = (stay.orientation.conjugate() * body.orientation).vec().norm();
    const double moved = (body.position - stay.position).norm() + 2 * sine * radius;
    if (moved > share * radius || fast) {
        stay = {0, body.position, body.orientation};
    } else {
        stay.time += dt;
    }
}

/// How long it has been about one place, in times it takes to fall by its radius.
double lingering(const Body& body, double gravity) {
    return body.lingerPlace.time * std::sqrt(gravity / body.shape->radius());
}

/// Returns the energy taken, J.
double slowDown(Body& body, double dt) {
    const double before = kineticEnergy(body), kept = std::max(0.0, 1 - dt / kSlowingTime);
    body.velocity *= kept;
    body.angularMomentum *= kept;
    body.angularVelocity *= kept;
    return before - kineticEnergy(body);
}

}  // namespace

double fallAsleep(Bodies& bodies, const PairTable& table, double dt, double gravity) {
    // how long each body has been where it is
    for (Body& body : bodies) {
        if (!body.alive || !body.mobile()) continue;
        const double radius = body.shape->radius();
        const double speed = body.velocity.norm() + body.angularVelocity.norm() * radius;
        const double before = body.restPlace.time;
        stay(body.restPlace, body, kStillShare, speed > kStillSpeed * radius, dt);
        stay(body.swingPlace, body, kSwingShare, speed > kSwingSpeed * radius, dt);
        stay(body.lingerPlace, body, kLingerShare, speed > kLingerSpeed * std::sqrt(gravity * radius), dt);
        body.still = body.restPlace.time > before ? body.still + dt : 0;
        if (body.still == 0) body.wakeShare = kWakeShare;
        if (body.swingPlace.time >= kSwingTime || lingering(body, gravity) >= kTrembleTime)
            body.still = std::max(body.still, kStillTime);
    }

    // neighbours of what moves stay awake, and whatever lies, however indirectly, on a scripted body that moves
    std::vector<uint8_t> restless(bodies.size(), 0), touched(bodies.size(), 0);
    DisjointSets touching(bodies.size());
    for (const ContactPatch& patch : table.patches) {
        const Body &a = bodies[patch.a], &b = bodies[patch.b];
        touched[patch.a] = touched[patch.b] = 1;
        if (a.mobile() && b.mobile()) {
            touching.join(patch.a, patch.b);
            if (a.still < kNeighbourTime) restless[patch.b] = 1;
            if (b.still < kNeighbourTime) restless[patch.a] = 1;
        }
    }
    std::vector<uint8_t> carried(bodies.size(), 0);
    for (const ContactPatch& patch : table.patches) {
        const Body &a = bodies[patch.a], &b = bodies[patch.b];
        if (a.kind == BodyKind::Kinematic && a.moves()) carried[touching.root(patch.b)] = 1;
        if (b.kind == BodyKind::Kinematic && b.moves()) carried[touching.root(patch.a)] = 1;
    }

    // slow down what lingers, put to rest what is still
    double lost = 0;
    for (size_t i = 0; i < bodies.size(); ++i) {
        Body& body = bodies[i];
        if (!body.alive || !body.mobile() || carried[touching.root(static_cast<uint32_t>(i))]) continue;
        if (touched[i] && lingering(body, gravity) >= kLingerTime) lost += slowDown(body, dt);
        if (body.still < kStillTime || restless[i]) continue;
        lost += kineticEnergy(body);
        body.asleep = true;
        body.swingPlace.time = 0;
        body.velocity = body.angularVelocity = body.angularMomentum = Vec3::Zero();
    }
    return lost;
}

void noteLoads(Bodies& bodies, const std::vector<PatchResult>& results, double dt, double gravity, PairTable& table) {
    ASSERT(results.size() == table.patches.size());
    for (Pair& pair : table.pairs) {
        if (pair.patchCount == 0) continue;
        Body &a = bodies[pair.a], &b = bodies[pair.b];
        if (!a.mobile() && !b.mobile()) continue;
        double load = 0;
        for (uint32_t p = 0; p < pair.patchCount; ++p) load += results[pair.firstPatch + p].normalImpulse / dt;
        if (!a.asleep && !b.asleep) {
            pair.load = static_cast<float>(load);
            continue;
        }
        Body& sleeper = a.asleep ? a : b;
        if (std::abs(load - double{pair.load}) <= sleeper.wakeShare * (sleeper.mass * gravity + double{pair.load}))
            continue;
        sleeper.asleep = false;
        sleeper.still = kNeighbourTime;
        // Loads in a pile have many solutions: what is woken finds another one and wakes others, round and round.
        // Unless it moves now, it will not be woken by so little again.
        sleeper.wakeShare *= 2;
    }
}

}  // namespace sunder::dynamics::detail
