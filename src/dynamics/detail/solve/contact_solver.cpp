#include "dynamics/detail/solve/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/assert.h"
#include "base/staged_loops.h"
#include "dynamics/detail/solve/collision_phase.h"
#include "dynamics/detail/solve/contact_lanes.h"
#include "dynamics/detail/solve/solver_bodies.h"

namespace sunder::dynamics::detail {

namespace {

/// How fast the impulses that a substep starts from follow those it ended with. Following at once repeats what only
/// corrected an error, and overshoots.
constexpr float kKeep = 0.5f;
/// Contacts that agree this well are solved; in parts of the velocity that gravity gives in a substep. Few contacts are
/// solved more sharply, which costs nothing; from kManyPoints on only as well as a quiet pile needs.
constexpr double kSharpTolerance = 0.002, kTolerance = 0.02;
constexpr double kManyPoints = 5000;
constexpr double kRelativeTolerance = 1.5;  // of these, times the first sweep's change: impacts need no more
/// Corrections that grow back to this many times the least of the substep are driven by the momentum, not by the
/// contacts: frictional contacts that couple strongly have no bound otherwise.
constexpr double kRegrown = 3.0;
constexpr size_t kBodyBlock = 128;  // bodies that one thread takes at a time

Vec3 laneOf(const float (*from)[8], int lane) { return {from[0][lane], from[1][lane], from[2][lane]}; }

/// What contacts gave a body in a frame.
struct Given {
    Vec3 impulse = Vec3::Zero();  // N s
    Vec3 moment = Vec3::Zero();   // N m s, about its centre
    Vec3 shift = Vec3::Zero();    // N m s: sum of (how far it had moved) x impulse
    bool touched = false;
};

class FrameSolver {
public:
    FrameSolver(Bodies& bodies, std::vector<ContactPatch>& patches, const SolverSettings& settings)
        : world_(bodies),
          patches_(patches),
          settings_(settings),
          bodies_(bodies, settings, loops_),
          lanes_(patches, bodies_, settings, loops_),
          arrays_(lanes_.arrays()) {
        double strongest = 0;
        for (const Vec3& a : *settings.accelerations) strongest = std::max(strongest, a.squaredNorm());
        const double share = std::min(1.0, static_cast<double>(lanes_.pointCount()) / kManyPoints);
        agreement_ = std::max(kSharpTolerance, kTolerance * share);
        tolerance_ = agreement_ * settings.substep() * std::sqrt(strongest);
        sweep_.h = static_cast<float>(settings.substep());
        sweep_.inverseH = static_cast<float>(1 / settings.substep());
        sweep_.friction = settings.options.friction;
        sweep_.keep = kKeep;
    }

    FrameSolution run() {
        if (settings_.options.warmStart) startFromLastFrame();
        findTracked();
        CollisionPhase collisions(world_, lanes_.groups(), bodies_, lanes_.restituting(world_, bodies_),
                                  settings_.options);
        for (int step = 0; step < settings_.options.substeps; ++step) {
            if (settings_.options.restitution) collisions.run(settings_.substep(), *settings_.accelerations);
            eachBody([&](size_t first, size_t count) {
                contactKernels().kick(&bodies_.velocity[first], &bodies_.motions[first], count, sweep_.h);
            });
            solveSubstep(step);
            eachBody([&](size_t first, size_t count) {
                contactKernels().drift(&bodies_.velocity[first], &bodies_.displacement[first], &bodies_.motions[first],
                                       &bodies_.smooth[first], count, sweep_);
            });
        }
        FrameSolution solution = finish(collisions.impulses());
        solution.counters.collisions = collisions.count();
        return solution;
    }

private:
    template <class Job>
    void eachBody(Job&& job) {
        loops_.parallelFor(bodies_.size(), kBodyBlock,
                           [&](const BlockRange& block) { job(block.begin, block.end - block.begin); });
    }

    /// What each body got from contacts in the last substep of the last frame, by the impulses of its patches.
    void startFromLastFrame() {
        lanes_.eachColour(loops_, false, [&](size_t begin, size_t end) {
            contactKernels().carry(arrays_, begin, end, bodies_.motions.data());
        });
    }

    /// Groups of which we must know where their impulses acted: those that collide, and those whose bodies nothing but
    /// contacts moves, so that their angular momentum can be kept to the last digits.
    void findTracked() {
        for (uint32_t g = 0; g < lanes_.groupCount(); ++g) {
            bool needed = false;
            for (int lane = 0; lane < 8; ++lane) needed |= collides(g, lane) || moveFreely(arrays_.groups[g], lane);
            if (needed) tracked_.push_back(g);
        }
    }
    bool collides(size_t g, int lane) const {
        const WideManifold& m = arrays_.groups[g];
        const auto a = static_cast<size_t>(m.a[lane]), b = static_cast<size_t>(m.b[lane]);
        if (!(m.writesA >> lane & m.writesB >> lane & 1)) return false;
        const float weight = std::max(bodies_.gravity[a], bodies_.gravity[b]);
        return weight == 0 || arrays_.rests[g].approachSpeed[lane] > 4 * static_cast<float>(settings_.dt) * weight;
    }
    bool moveFreely(const WideManifold& m, int lane) const {
        return (m.writesA >> lane & 1 && bodies_.gravity[static_cast<size_t>(m.a[lane])] == 0) ||
               (m.writesB >> lane & 1 && bodies_.gravity[static_cast<size_t>(m.b[lane])] == 0);
    }

    /// Sweeps until the contacts agree, with Nesterov's momentum between the sweeps (impulses and velocities leap ahead
    /// together, since one is linear in the other) and a restart whenever that made things worse. Where restarts do not
    /// help, the rest of the substep goes without.
    void solveSubstep(int step) {
        const int most = settings_.options.maxSweeps > 0 ? settings_.options.maxSweeps : automaticSweeps();
        double t = 1, before = std::numeric_limits<double>::infinity(), least = before, enough = tolerance_;
        bool leaps = true;
        for (int i = 0;; ++i) {
            sweep_.first = i == 0;
            sweep_.count = step > 0;
            sweep_.push = settings_.options.depenetrate;
            sweep_.remember = i > 0;
            sweep_.momentum = 0;
            if (i > 0 && leaps) {
                const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
                sweep_.momentum = static_cast<float>((t - 1) / next);
                t = next;
                eachBody([&](size_t first, size_t count) {
                    contactKernels().leap(&bodies_.velocity[first], &bodies_.motions[first], count, sweep_.momentum);
                });
            }
            sweepAll((step + i) % 2 == 1);
            const double change = lastChange();
            if (i == 0) enough = std::max(enough, kRelativeTolerance * agreement_ * change);
            if (i + 1 >= most || (i + 1 >= settings_.options.sweeps && change <= enough)) break;
            if (change > before) t = 1;
            before = change;
            // without momentum until the corrections are smaller than they ever were
            if (leaps && change > kRegrown * least) {
                leaps = false;
                ++withoutMomentum_;
            } else if (!leaps && change < least) {
                leaps = true;
            }
            least = std::min(least, change);
        }
        loops_.parallelFor(tracked_.size(), ContactLanes::kBlock, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i)
                contactKernels().noteShifts(arrays_, tracked_[i], bodies_.displacement.data());
        });
    }

    /// Small scenes may take all the sweeps they need.
    int automaticSweeps() const {
        constexpr size_t kEffort = 600'000;  // points visited per substep
        return static_cast<int>(std::clamp<size_t>(kEffort / std::max<size_t>(1, lanes_.pointCount()), 16, 1000));
    }

    void sweepAll(bool backwards) {
        lanes_.eachColour(loops_, backwards, [&](size_t begin, size_t end) {
            contactKernels().sweep(arrays_, begin, end, bodies_.rows(), sweep_);
        });
        ++sweeps_;
    }

    /// Root mean square of the last sweep's corrections, m/s.
    double lastChange() const {
        double sum = 0;
        for (const float change : lanes_.changes()) sum += change;
        return std::sqrt(sum / static_cast<double>(std::max<size_t>(1, lanes_.pointCount())));
    }

    /// Adds the frame's impulses to the bodies in double, equal and opposite about one point of the world, so that
    /// momentum is kept to the last digits whatever the sweeps rounded.
    FrameSolution finish(const std::map<uint32_t, CollisionImpulse>& collisions) {
        // what the sweeps gave
        FrameSolution solution;
        solution.patches.resize(patches_.size());
        std::vector<Given> given(bodies_.size());
        lanes_.eachColour(loops_, false, [&](size_t begin, size_t end) {
            for (size_t g = begin; g < end; ++g) finishGroup(g, solution, given);
        });
        // and the collisions
        for (const auto& [p, hit] : collisions) {
            ASSERT(p < patches_.size());
            const ContactPatch& patch = patches_[p];
            PatchResult& result = solution.patches[p];
            result.impulse += hit.impulse;
            result.normalImpulse += hit.impulse.dot(world_[patch.a].rotation * patch.normal.cast<double>());
            result.momentOnA += hit.momentOnA;
            result.momentOnB += hit.momentOnB;
            result.friction += hit.friction;
            result.frictionOnA += hit.frictionOnA;
            result.frictionOnB += hit.frictionOnB;
            Given &a = given[bodies_.slotOf[patch.a]], &b = given[bodies_.slotOf[patch.b]];
            a.impulse -= hit.impulse;
            a.moment -= hit.momentOnA;
            a.shift -= hit.shiftA;
            b.impulse += hit.impulse;
            b.moment += hit.momentOnB;
            b.shift += hit.shiftB;
            a.touched = b.touched = true;
        }

        // apply the sums in double
        moveBodies(given, solution);
        solution.counters.manifolds = lanes_.manifoldCount();
        solution.counters.points = lanes_.pointCount();
        solution.counters.sweeps = sweeps_;
        solution.counters.withoutMomentum = withoutMomentum_;
        solution.counters.colours = lanes_.colourCount();
        return solution;
    }

    void finishGroup(size_t g, FrameSolution& solution, std::vector<Given>& given) {
        const WideManifold& m = arrays_.groups[g];
        const WideRest& rest = arrays_.rests[g];
        LaneResults results;
        contactKernels().finish(arrays_, g, kKeep, results);
        for (int lane = 0; lane < 8; ++lane) {
            const uint32_t p = lanes_.patchOf(g, lane);
            if (p == kInvalidIndex) continue;
            keepStart(&arrays_.points[m.firstPoint], results, lane, patches_[p]);
            // what this patch gave, about the points where it gave it
            PatchResult& result = solution.patches[p];
            result = resultOf(results, lane);
            result.approachSpeed = rest.approachSpeed[lane];
            if (result.impulse.isZero() && result.momentOnA.isZero() && result.momentOnB.isZero()) continue;
            if (collides(g, lane)) turnAboutOnePoint(g, lane, laneOf(results.moment, lane), result);
            // to its bodies
            if (m.writesA >> lane & 1) {
                Given& a = given[static_cast<size_t>(m.a[lane])];
                a.impulse -= result.impulse;
                a.moment -= result.momentOnA;
                a.shift -= laneOf(rest.shiftA, lane);
                a.touched = true;
            }
            if (m.writesB >> lane & 1) {
                Given& b = given[static_cast<size_t>(m.b[lane])];
                b.impulse += result.impulse;
                b.moment += result.momentOnB;
                b.shift += laneOf(rest.shiftB, lane);
                b.touched = true;
            }
        }
    }

    /// What the patch starts from in the next frame.
    void keepStart(const WidePoint* points, const LaneResults& results, int lane, ContactPatch& patch) const {
        // what fades away is gone; it would linger as ever smaller numbers
        const float faded = static_cast<float>(1e-3 * tolerance_) + 1e-20f;
        for (int i = 0; i < patch.count; ++i) {
            const float start = results.start[i][lane];
            patch.points[size_t(i)].impulse = start > faded * points[i].mass[lane] ? start : 0;
        }
        for (int k = 0; k < 3; ++k) {
            patch.friction[k] = results.frictionStart[k][lane];
            patch.rolling[k] = results.rollingStart[k][lane];
        }
        patch.twist = results.twistStart[lane];
    }

    static PatchResult resultOf(const LaneResults& results, int lane) {
        PatchResult result;
        result.impulse = laneOf(results.impulse, lane);
        result.momentOnA = laneOf(results.momentOnA, lane);
        result.momentOnB = laneOf(results.momentOnB, lane);
        result.normalImpulse = results.normalImpulse[lane];
        result.friction = laneOf(results.friction, lane);
        result.frictionOnA = laneOf(results.frictionOnA, lane);
        result.frictionOnB = laneOf(results.frictionOnB, lane);
        return result;
    }

    /// Lever arms are those of the sweeps where bodies rest or slide on each other. In a collision, and wherever only
    /// contacts act, both bodies are turned about one point of the world, where it was when the impulse came: that
    /// keeps the angular momentum.
    void turnAboutOnePoint(size_t g, int lane, const Vec3& aboutMiddle, PatchResult& result) const {
        const WideManifold& m = arrays_.groups[g];
        const WideRest& rest = arrays_.rests[g];
        const Vec3 arm = laneOf(m.middle, lane), armB = arm + laneOf(m.fromAToB, lane);
        const Vec3 between = laneOf(rest.shiftA, lane) - laneOf(rest.shiftB, lane);
        const Vec3 apart =
            bodies_.position[static_cast<size_t>(m.a[lane])] - bodies_.position[static_cast<size_t>(m.b[lane])];
        if (rest.movesWithA[lane] > 0) {
            result.momentOnA = arm.cross(result.impulse) + aboutMiddle;
            result.momentOnB = (arm + apart).cross(result.impulse) + aboutMiddle + between;
        } else {
            result.momentOnA = (armB - apart).cross(result.impulse) + aboutMiddle - between;
            result.momentOnB = armB.cross(result.impulse) + aboutMiddle;
        }
    }

    void moveBodies(const std::vector<Given>& given, FrameSolution& solution) {
        const size_t count = world_.size();
        solution.displacement.assign(count, Vec3::Zero());
        solution.push.assign(count, Vec3::Zero());
        solution.rotation.assign(count, Vec3::Zero());
        solution.touched.assign(count, 0);
        loops_.parallelFor(count, kBodyBlock, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                Body& body = world_[i];
                if (!body.alive || !body.moves()) continue;
                const uint32_t slot = bodies_.slotOf[i];
                const float *moved = bodies_.displacement[slot].row, *pushed = bodies_.push[slot].row;
                const Vec3 total(moved[0], moved[1], moved[2]);
                solution.push[i] = Vec3(pushed[0], pushed[1], pushed[2]);
                solution.displacement[i] = total - solution.push[i];
                solution.rotation[i] = Vec3(moved[3], moved[4], moved[5]);
                if (!body.mobile()) continue;
                const Given& got = given[slot];
                solution.touched[i] = got.touched;
                const Vec3 acceleration = (*settings_.accelerations)[i];
                body.velocity += settings_.dt * acceleration + got.impulse / body.mass;
                body.angularMomentum += settings_.dt * body.applyInertia((*settings_.angularAccelerations)[i]);
                if (!got.touched && solution.push[i].isZero()) continue;
                body.angularMomentum += got.moment;
                // with nothing but contacts the books balance to the last digit: displacement x momentum is what the
                // impulses' lever arms missed, and the sweeps have rounded it
                if (acceleration.isZero()) body.angularMomentum -= body.mass * total.cross(body.velocity) - got.shift;
            }
        });
    }

    StagedLoops loops_;
    Bodies& world_;
    std::vector<ContactPatch>& patches_;
    const SolverSettings& settings_;
    SolverBodies bodies_;
    ContactLanes lanes_;
    const WideArrays arrays_;
    std::vector<uint32_t> tracked_;  // groups
    SweepSettings sweep_;
    double agreement_ = 0;  // share to which contacts must agree
    double tolerance_ = 0;  // m/s
    size_t sweeps_ = 0, withoutMomentum_ = 0;
};

}  // namespace

void scaleImpulses(PairTable& table, float factor) {
    ASSERT(factor > 0);
    if (factor == 1) return;
    for (ContactPatch& patch : table.patches) {
        for (ContactPatch::Point& point : patch.points) point.impulse *= factor;
        patch.friction *= factor;
        patch.twist *= factor;
        patch.rolling *= factor;
    }
}

FrameSolution solveContacts(Bodies& bodies, std::vector<ContactPatch>& patches, const SolverSettings& settings) {
    return FrameSolver(bodies, patches, settings).run();
}

}  // namespace sunder::dynamics::detail
