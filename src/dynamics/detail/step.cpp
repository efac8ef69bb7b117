#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "dynamics/detail/account/energy.h"
#include "dynamics/detail/account/impacts.h"
#include "dynamics/detail/broad/find_pairs.h"
#include "dynamics/detail/contacts/continuous.h"
#include "dynamics/detail/contacts/find_contacts.h"
#include "dynamics/detail/sleep/sleep.h"
#include "dynamics/detail/state/motion_bounds.h"
#include "dynamics/detail/validate.h"
#include "dynamics/detail/world_state.h"
#include "dynamics/free_rotation.h"

namespace sunder::dynamics {

using detail::Body;

namespace {

/// Kinematic bodies get the velocity that takes them where their script says.
void followScripts(detail::Bodies& bodies, double time, double dt) {
    for (Body& body : bodies) {
        if (!body.alive || body.kind != BodyKind::Kinematic || !body.motion) continue;
        const RigidTransform target = poseAt(*body.motion, time + dt) * body.shape->bodyFromGiven().inverse();
        body.velocity = (target.translation - body.position) / dt;
        body.angularVelocity = rotationVector(target.rotation * body.orientation.conjugate()) / dt;
    }
}

/// By multiplication: libm's pow differs between machines.
double power(double x, int exponent) {
    double result = 1;
    for (int i = 0; i < std::abs(exponent); ++i) result *= x;
    return exponent < 0 ? 1 / result : result;
}

detail::Forces forcesOn(const detail::Bodies& bodies, const Vec3& gravity, const std::vector<ForceField>& fields,
                        double dt) {
    detail::Forces all{detail::uniformAcceleration(gravity, fields), std::vector<Vec3>(bodies.size(), Vec3::Zero()),
                       std::vector<Vec3>(bodies.size(), Vec3::Zero())};
    for (size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive || !body.mobile()) continue;
        Vec3 linear = gravity, angular = Vec3::Zero();
        for (const ForceField& field : fields) {
            if (const auto* uniform = std::get_if<UniformField>(&field)) {
                linear += uniform->acceleration;
            } else if (const auto* radial = std::get_if<RadialField>(&field)) {
                const Vec3 away =
                    body.position + 0.5 * dt * body.velocity - radial->centre;  // halfway through the frame
                const double r = away.norm();
                if (r > 0 && (radial->reach <= 0 || r <= radial->reach))
                    linear += radial->strength / power(r, radial->falloff + 1) * away;
            } else if (const auto* drag = std::get_if<DragField>(&field)) {
                const Vec3 wind = body.velocity - drag->wind;
                // what it loses in the frame, at most all of it, however strong
                const double rate = drag->linear + drag->quadratic * wind.norm();
                linear -= std::min(rate, 1 / dt) * wind;
                angular -= std::min(drag->angular, 1 / dt) * body.angularVelocity;
            }
        }
        all.linear[i] = linear;
        all.angular[i] = angular;
    }
    return all;
}

/// Moves everything to the end of the frame.
void integrate(detail::Bodies& bodies, const detail::Forces& a, const detail::FrameSolution& solution, double dt,
               double time, bool conserving) {
    parallelFor(bodies.size(), 128, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            Body& body = bodies[i];
            if (!body.alive || !body.moves()) {
                body.lastMotion = 0;
                continue;
            }
            if (body.kind == BodyKind::Kinematic) {
                // exactly where its script says, or on with its velocity
                if (body.motion) {
                    const RigidTransform target =
                        poseAt(*body.motion, time + dt) * body.shape->bodyFromGiven().inverse();
                    body.position = target.translation;
                    body.setOrientation(target.rotation);
                } else {
                    body.position += dt * body.velocity;
                    body.setOrientation(rotationBy(dt * body.angularVelocity) * body.orientation);
                }
                body.lastMotion = dt * (body.velocity.norm() + body.angularVelocity.norm() * body.shape->radius());
                continue;
            }
            Vec3 step;
            double turn;
            if (!solution.touched[i] && solution.push[i].isZero()) {
                // free flight: velocity is that at the end of the frame
                step = dt * (body.velocity - 0.5 * dt * a.linear[i]);
                const Rotor rotor{body.orientation, body.moments, body.angularMomentum};
                turn = dt * body.angularVelocity.norm();
                body.setOrientation(conserving ? turnedFreely(rotor, dt)
                                               : rotationBy(dt * body.angularVelocity) * body.orientation);
            } else {
                // contacts: the sum of the substeps
                step = solution.displacement[i] + solution.push[i];
                turn = solution.rotation[i].norm();
                Rotor rotor{body.orientation, body.moments, body.angularMomentum};
                const double energy = rotationalEnergy(rotor);
                rotor.orientation = (rotationBy(solution.rotation[i]) * body.orientation).normalized();
                if (conserving && turn > 1e-4) {
                    // A small turn needs a small correction. Near an extremum of the energy there may be only a large
                    // one, which would show.
                    const Quat corrected = withRotationalEnergy(rotor, energy);
                    if (2 * (corrected * rotor.orientation.conjugate()).vec().norm() <= turn)
                        rotor.orientation = corrected;
                }
                body.setOrientation(rotor.orientation);
            }
            body.position += step;
            body.angularVelocity = body.applyInverseInertia(body.angularMomentum);
            body.lastMotion = step.norm() + turn * body.shape->radius();
        }
    });
}

/// How deep points overlap where the bodies are now.
void measureOverlap(const detail::Bodies& bodies, const detail::PairTable& table, StepResult& result) {
    struct Overlap {
        double worst = 0, sum = 0;  // m
        size_t count = 0;
    };
    const auto measure = [&](const BlockRange& block) {
        Overlap overlap;
        for (size_t p = block.begin; p < block.end; ++p) {
            const detail::ContactPatch& patch = table.patches[p];
            const Body &a = bodies[patch.a], &b = bodies[patch.b];
            if (patch.swept()) continue;
            const Vec3 inA = patch.normal.cast<double>(), normal = a.rotation * inA;
            const Vec3 inB = b.rotation.transpose() * normal;
            const double apart = normal.dot(b.position - a.position);
            for (int i = 0; i < patch.count; ++i) {
                const detail::ContactPatch::Point& point = patch.points[static_cast<size_t>(i)];
                const double depth = inA.dot(point.onA.cast<double>()) - inB.dot(point.onB.cast<double>()) - apart;
                if (depth <= 0) continue;
                overlap.worst = std::max(overlap.worst, depth);
                overlap.sum += depth;
                ++overlap.count;
            }
        }
        return overlap;
    };
    const Overlap all = parallelReduce(table.patches.size(), 1024, Overlap{}, measure, [](Overlap x, Overlap y) {
        return Overlap{std::max(x.worst, y.worst), x.sum + y.sum, x.count + y.count};
    });
    result.worstPenetration = all.worst;
    if (all.count > 0) result.meanPenetration = all.sum / static_cast<double>(all.count);
}

constexpr double kShare = 0.5;  // of the smaller thickness, per pass: contacts stay what they are

/// How far each body moves in the frame against those it may meet, in thicknesses of the thinner of the two: counted
/// where it is more than kShare, and for the faster of the two. Largest first; the slow ones are 0.
std::vector<float> fastMoves(const detail::Bodies& bodies, const detail::PairTable& table, double dt) {
    // most pairs need no second look: both are slow, and bodies are large and lie far apart in memory
    struct Glance {
        float motion = 0, thickness = 1;  // m
    };
    std::vector<Glance> glances(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive) continue;
        const double speed =
            body.moves() ? body.velocity.norm() + body.angularVelocity.norm() * body.shape->radius() : 0;
        glances[i] = {static_cast<float>(dt * speed), static_cast<float>(body.shape->thickness())};
    }
    // the fast pairs
    struct Move {
        uint32_t body;
        float thicknesses;
    };
    using Moves = std::vector<Move>;
    const auto find = [&](const BlockRange& block) {
        Moves fast;
        for (size_t i = block.begin; i < block.end; ++i) {
            const detail::Pair& pair = table.pairs[i];
            const Glance &a = glances[pair.a], &b = glances[pair.b];
            const double thinner = std::min(a.thickness, b.thickness);
            if (a.motion + b.motion <= 0.99 * kShare * thinner) continue;
            const double moved = dt * detail::relativeSpeed(bodies[pair.a], bodies[pair.b]) / thinner;
            if (moved > kShare) fast.push_back({a.motion >= b.motion ? pair.a : pair.b, static_cast<float>(moved)});
        }
        return fast;
    };
    const Moves fast = parallelReduce(table.pairs.size(), 4096, Moves{}, find, [](Moves all, const Moves& some) {
        all.insert(all.end(), some.begin(), some.end());
        return all;
    });
    // each body by the worst of its pairs
    std::vector<float> most(bodies.size(), 0);
    for (const Move& move : fast) most[move.body] = std::max(most[move.body], move.thicknesses);
    std::sort(most.begin(), most.end(), std::greater<>());
    return most;
}

/// How often a frame looks for contacts: once, and more often when pairs that may meet move against each other by more
/// than a share of their thickness. What is thrown off its course meets others then where they are. One body in a
/// hundred may be faster, as long as it does not jump over others: it is swept, and a piece that rolls off a pile shall
/// not cost as much as the pile.
int collisionPasses(const detail::Bodies& bodies, const detail::PairTable& table, double dt) {
    constexpr double kFarShare = 2;  // instead of kShare for the few, and beyond eight passes: only tunnelling matters
    constexpr size_t kOneIn = 100;
    constexpr size_t kEffort = 16'384;  // pairs looked at in a frame; small scenes may have more passes
    const std::vector<float> moves = fastMoves(bodies, table, dt);
    if (moves.empty()) return 1;
    const auto awake = static_cast<size_t>(
        std::count_if(bodies.begin(), bodies.end(), [](const Body& body) { return body.alive && body.mobile(); }));
    const double fastest = moves.front(), many = moves[awake / kOneIn];
    const auto limit = static_cast<int>(std::clamp<size_t>(kEffort / std::max<size_t>(1, table.pairs.size()), 8, 64));
    int passes = 1;
    while (2 * passes <= limit && (fastest > kFarShare * passes || (passes < 8 && many > kShare * passes))) passes *= 2;
    return passes;
}

/// Sums of the account that are no numbers show that a body is somewhere, or moves, beyond all numbers.
void checkNumbers(const detail::Bodies& bodies, const EnergyAccount& energy) {
    if (std::isfinite(energy.mechanical()) && energy.momentum.allFinite() && energy.angularMomentum.allFinite()) return;
    // the first that is nowhere; else the one that is most beyond
    uint32_t worst = 0;
    double most = -1;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!body.alive) continue;
        const double extent = std::max({body.position.norm(), body.velocity.norm(), body.angularVelocity.norm()});
        if (extent <= most) continue;
        worst = i;
        most = extent;
        if (!std::isfinite(extent)) break;
    }
    throw StepError({worst, bodies[worst].generation},
                    fmt::format("has a place or a speed that is no number any more ({:g} m from the origin at {:g} "
                                "m/s); look at its size, mass and speed, and at what pushes it",
                                bodies[worst].position.norm(), bodies[worst].velocity.norm()));
}

}  // namespace

StepResult World::State::step(double dt) {
    StepResult result;
    const bool anchored =
        std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.alive && body.anchor >= 0; });
    if (!anchored) {
        tryStep(dt, result);
        return result;
    }
    // an anchor that gives way does so from the start of the frame: solve it again without
    for (const State before = *this;;) {
        if (tryStep(dt, result)) return result;
        const std::vector<BodyId> released = result.released;
        *this = before;
        for (const BodyId id : released) body(id).anchor = -1;
    }
}

/// False when an anchor gave way: result.released has all that did so far.
bool World::State::tryStep(double dt, StepResult& result) {
    // a fresh account: what there is at the start
    const std::vector<BodyId> releasedBefore = result.released;
    result = {};
    result.released = releasedBefore;
    impacts.clear();
    const Vec3 uniform = detail::uniformAcceleration(options.gravity, fields);
    detail::sumUp(bodies, uniform, result.energy);
    result.energy.mechanicalBefore = result.energy.mechanical();
    if constexpr (detail::kValidates) detail::validateBodies(bodies, freeSlots);

    // move, in as many passes as the fastest pairs ask for
    followScripts(bodies, time, dt);
    detail::findPairs(bodies, dt, options.gravity, table);
    const int passes = options.step.continuous ? collisionPasses(bodies, table, dt) : 1;
    const double start = time;
    for (int pass = 0; pass < passes; ++pass) {
        if (pass > 0) detail::findPairs(bodies, dt / passes, options.gravity, table);
        advance(dt / passes, std::max(1, options.step.substeps / passes), result);
        time = start + dt * (pass + 1) / passes;
    }
    detail::mergeImpacts(impacts);
    lastFrame = dt;
    if constexpr (detail::kValidates) detail::validateImpacts(bodies, impacts);

    // anchors that were hit too hard give way: the frame is void
    for (const Impact& impact : impacts) {
        for (const BodyId id : {impact.a, impact.b}) {
            const Body& hit = bodies[id.index];
            if (hit.anchor >= 0 && impact.impulse.norm() > hit.anchor) result.released.push_back(id);
        }
    }
    if (result.released.size() > releasedBefore.size()) {
        std::sort(result.released.begin(), result.released.end());
        result.released.erase(std::unique(result.released.begin(), result.released.end()), result.released.end());
        return false;
    }

    // what hardly moved falls asleep; its last energy is booked
    if (options.step.sleeping) result.energy.lostInClamping += detail::fallAsleep(bodies, table, dt, uniform.norm());
    if constexpr (detail::kValidates) validate();

    // close the account and count
    EnergyAccount& energy = result.energy;
    detail::sumUp(bodies, uniform, energy);
    checkNumbers(bodies, energy);
    energy.error = energy.mechanical() -
                   (energy.mechanicalBefore + energy.workOfFields + energy.workOfKinematic - energy.lostInContact -
                    energy.lostInFriction - energy.lostInClamping + energy.depenetration);
    result.time = time;
    for (const Body& body : bodies) {
        result.counters.bodies += body.alive;
        result.counters.awake += body.alive && body.mobile();
    }
    measureOverlap(bodies, table, result);
    result.counters.passes = static_cast<size_t>(passes);
    return true;
}

/// All that carried an impulse, in the order of the patches.
void World::State::addImpacts(const std::vector<detail::PatchResult>& results, const detail::MotionBefore& before) {
    using Impacts = std::vector<Impact>;
    const auto gather = [&](const BlockRange& block) {
        Impacts some;
        for (size_t p = block.begin; p < block.end; ++p) {
            if (!results[p].impulse.isZero())
                some.push_back(detail::impactOf(bodies, before, table.patches[p], results[p], time));
        }
        return some;
    };
    const Impacts fresh = parallelReduce(results.size(), 2048, Impacts{}, gather, [](Impacts all, const Impacts& some) {
        all.insert(all.end(), some.begin(), some.end());
        return all;
    });
    impacts.insert(impacts.end(), fresh.begin(), fresh.end());
}

void World::State::validate() const {
    detail::validateBodies(bodies, freeSlots);
    detail::validatePatches(bodies, table);
    ASSERT(std::isfinite(time));
    ASSERT(lastFrame >= 0 && lastSubstep >= 0);
}

/// One collision pass: finds contacts, solves them in some substeps, moves.
void World::State::advance(double dt, int substeps, StepResult& result) {
    StepOptions step = options.step;
    step.substeps = substeps;

    // move what is scripted
    followScripts(bodies, time, dt);
    const detail::MotionBefore before = detail::motionBefore(bodies);

    // of those that are near each other, which touch which, and where; what is hit wakes up
    const detail::NarrowCounters narrow = detail::findContacts(bodies, {dt, options.gravity, step.continuous}, table);
    if (lastSubstep > 0) detail::scaleImpulses(table, static_cast<float>(dt / substeps / lastSubstep));
    lastSubstep = dt / substeps;
    if constexpr (detail::kValidates) detail::validatePatches(bodies, table);

    // gather forces, also on those that have just woken
    const detail::Forces forces = forcesOn(bodies, options.gravity, fields, dt);

    // solve the contacts: velocities change, positions not yet
    detail::FrameSolution solution =
        detail::solveContacts(bodies, table.patches, {dt, &forces.linear, &forces.angular, step});
    if constexpr (detail::kValidates) detail::validateSolution(bodies, table, solution);
    detail::addContactWork(bodies, table, before, solution, result.energy);

    // move; the guard then takes what energy was gained by error
    integrate(bodies, forces, solution, dt, time, step.conservingRotation);
    if (step.continuous) detail::stopAtWalls(bodies, table.patches, before.position);
    detail::addMotion(bodies, table, before, forces, dt, solution, step.energyGuard, result.energy);

    if constexpr (detail::kValidates) validate();

    // what is left for others: impacts, loads for sleepers, figures
    addImpacts(solution.patches, before);
    detail::noteLoads(bodies, solution.patches, dt, forces.uniform.norm(), table);
    for (Body& body : bodies) body.newborn = false;
    result.counters.pairs = table.pairs.size();
    result.counters.narrowTests += narrow.tests;
    result.counters.sweptPairs += narrow.swept;
    result.counters.manifolds = solution.counters.manifolds;
    result.counters.points = solution.counters.points;
    result.counters.colours = solution.counters.colours;
    result.counters.sweeps += solution.counters.sweeps;
    result.counters.withoutMomentum += solution.counters.withoutMomentum;
    result.counters.collisions += solution.counters.collisions;
}

}  // namespace sunder::dynamics
