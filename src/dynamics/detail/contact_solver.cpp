#include "dynamics/detail/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/staged_loops.h"
#include "dynamics/detail/collision_phase.h"

namespace sunder::dynamics::detail {

namespace {

using Mat3f = Eigen::Matrix3f;

constexpr int kMaxColours = 64;
constexpr float kSoftness = 2e-4f;  // of the smaller radius: overlap left alone
constexpr float kNearShare =
    0.01f;  // of the smaller radius: points this much farther than the nearest carry nothing yet
constexpr float kPushLimit = 2e-2f;  // of the smaller radius, per substep
/// How fast the impulses that a substep starts from follow those it ended with. Following at once repeats what only
/// corrected an error, and overshoots.
constexpr float kKeep = 0.5f;
/// Contacts that agree this well are solved; in parts of the velocity that gravity gives in a substep. Few contacts are
/// solved more sharply, which costs nothing; from kManyPoints on only as well as a quiet pile needs.
constexpr double kSharpTolerance = 0.002, kTolerance = 0.02;
constexpr double kManyPoints = 3000;
constexpr double kRelativeTolerance = 0.03;  // of the first sweep's change: impacts need no more
constexpr double kSmooth = 4;  // a velocity that changes by less than this many times gravity does so smoothly

void set3(float (*to)[8], int lane, const Vec3f& v) {
    for (int k = 0; k < 3; ++k) to[k][lane] = v[k];
}
Vec3f get3(const float (*from)[8], int lane) { return {from[0][lane], from[1][lane], from[2][lane]}; }

Mat3f inverseInertia(const Body& body) {
    if (!body.yields()) return Mat3f::Zero();
    return (body.rotation * body.moments.cwiseInverse().asDiagonal() * body.rotation.transpose()).cast<float>();
}

Vec3f tangentTo(const Vec3f& n) {
    const Vec3f other = std::abs(n.x()) < 0.6f ? Vec3f(1, 0, 0) : Vec3f(0, 1, 0);
    return n.cross(other).normalized();
}

/// Where the load is: friction acts there. By the impulses the patch starts from, and by nearness where it is new.
std::array<float, 4> pressureShares(const ContactPatch& patch, float size) {
    std::array<float, 4> shares{};
    float nearest = patch.points[0].separation, carried = 0;
    for (int i = 0; i < patch.count; ++i) {
        nearest = std::min(nearest, patch.points[size_t(i)].separation);
        carried += patch.points[size_t(i)].impulse;
    }
    float sum = 0;
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& point = patch.points[size_t(i)];
        const float near = std::max(0.f, 1 - (point.separation - nearest) / (kNearShare * size));
        shares[size_t(i)] = carried > 0 ? point.impulse + 1e-3f * near * carried : near;
        sum += shares[size_t(i)];
    }
    for (float& share : shares) share /= sum;
    return shares;
}

class FrameSolver {
public:
    FrameSolver(Bodies& bodies, std::vector<ContactPatch>& patches, const SolverSettings& settings)
        : bodies_(bodies),
          patches_(patches),
          settings_(settings),
          h_(settings.dt / settings.options.substeps),
          solver_(bodies.size()),
          pushes_(bodies.size()),
          carried_(bodies.size()),
          inertia_(bodies.size()) {}

    FrameSolution run() {
        start();
        assignLanes();
        prepare();
        if (settings_.options.warmStart) startFromLastFrame();
        CollisionPhase collisions(bodies_, groups_, solver_, restituting_, settings_.options);
        SweepSettings sweep;
        sweep.h = static_cast<float>(h_);
        sweep.inverseH = static_cast<float>(1 / h_);
        sweep.friction = settings_.options.friction;
        double strongest = 0;
        for (const Vec3& a : *settings_.accelerations) strongest = std::max(strongest, a.squaredNorm());
        for (size_t p = 0; p < patches_.size(); ++p) pointCount_ += acts_[p] * size_t(patches_[p].count);
        const double share = std::min(1.0, static_cast<double>(pointCount_) / kManyPoints);
        tolerance_ = std::max(kSharpTolerance, kTolerance * share) * h_ * std::sqrt(strongest);
        for (int step = 0; step < settings_.options.substeps; ++step) {
            if (settings_.options.restitution) collisions.run(h_, *settings_.accelerations);
            kick();
            solveSubstep(sweep, step % 2 == 1);
            drift();
        }
        FrameSolution solution = finish(collisions.impulses());
        solution.counters.collisions = collisions.count();
        return solution;
    }

private:
    /// Can the bodies meet here in this frame, and does one yield?
    bool acts(const ContactPatch& patch) const {
        const Body &a = bodies_[patch.a], &b = bodies_[patch.b];
        if (!a.yields() && !b.yields()) return false;
        const Vec3 normal = a.rotation * patch.normal.cast<double>();
        const double fall =
            std::max((*settings_.accelerations)[patch.a].norm(), (*settings_.accelerations)[patch.b].norm());
        for (int i = 0; i < patch.count; ++i) {
            const ContactPatch::Point& point = patch.points[size_t(i)];
            if (point.impulse > 0) return true;
            const Vec3 relative = b.velocity + b.angularVelocity.cross(b.rotation * point.onB.cast<double>()) -
                                  a.velocity - a.angularVelocity.cross(a.rotation * point.onA.cast<double>());
            const double approach = std::max(0.0, -normal.dot(relative)) + 0.5 * settings_.dt * fall;
            if (point.separation <
                1.2 * settings_.dt * approach + kNearShare * std::min(a.shape->radius(), b.shape->radius()))
                return true;
        }
        return false;
    }

    void start() {
        loops_.parallelFor(bodies_.size(), 512, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const Body& body = bodies_[i];
                SolverBody& s = solver_[i];
                s = {};
                pushes_[i] = {};
                carried_[i] = {};
                if (!body.alive || !body.moves()) continue;
                const Vec3f v = body.velocity.cast<float>(), w = body.angularVelocity.cast<float>();
                std::copy_n(v.data(), 3, s.velocity);
                std::copy_n(w.data(), 3, s.angular);
                inertia_[i] = inverseInertia(body);
            }
        });
    }

    /// Greedy colouring in the order of the patches: no two of one colour share a body that yields. What does not fit
    /// is solved one after the other at the end.
    void assignLanes() {
        std::vector<uint64_t> used(bodies_.size(), 0);
        std::vector<std::vector<uint32_t>> byColour(kMaxColours + 1);
        acts_.resize(patches_.size());
        loops_.parallelFor(patches_.size(), 512, [&](const BlockRange& block) {
            for (size_t p = block.begin; p < block.end; ++p) acts_[p] = acts(patches_[p]);
        });
        for (uint32_t p = 0; p < patches_.size(); ++p) {
            const ContactPatch& patch = patches_[p];
            if (!acts_[p]) continue;
            const bool a = bodies_[patch.a].yields(), b = bodies_[patch.b].yields();
            const uint64_t taken = (a ? used[patch.a] : 0) | (b ? used[patch.b] : 0);
            const int colour = taken == ~uint64_t{0} ? kMaxColours : __builtin_ctzll(~taken);
            if (colour < kMaxColours) {
                if (a) used[patch.a] |= uint64_t{1} << colour;
                if (b) used[patch.b] |= uint64_t{1} << colour;
            }
            byColour[size_t(colour)].push_back(p);
        }
        for (int colour = 0; colour <= kMaxColours; ++colour) {
            std::vector<uint32_t>& members = byColour[size_t(colour)];
            // eight together cost what the one with the most points costs
            std::stable_sort(members.begin(), members.end(),
                             [&](uint32_t p, uint32_t q) { return patches_[p].count > patches_[q].count; });
            const size_t perGroup = colour < kMaxColours ? 8 : 1;
            colourStart_.push_back(lanes_.size() / 8);
            for (size_t i = 0; i < members.size(); i += perGroup) {
                for (size_t lane = 0; lane < 8; ++lane) {
                    const bool filled = lane < perGroup && i + lane < members.size();
                    lanes_.push_back(filled ? members[i + lane] : kInvalidIndex);
                }
            }
        }
        colourStart_.push_back(lanes_.size() / 8);
        groups_.resize(lanes_.size() / 8);
    }

    void prepare() {
        loops_.parallelFor(groups_.size(), 32, [&](const BlockRange& block) {
            for (size_t g = block.begin; g < block.end; ++g) {
                WideManifold& group = groups_[g];
                group = WideManifold{};
                for (int lane = 0; lane < 8; ++lane) {
                    const uint32_t p = lanes_[8 * g + static_cast<size_t>(lane)];
                    if (p != kInvalidIndex) fillLane(group, lane, patches_[p]);
                }
            }
        });
        for (uint32_t g = 0; g < groups_.size(); ++g) {
            for (int lane = 0; lane < 8; ++lane) {
                const uint32_t p = lanes_[8 * g + static_cast<size_t>(lane)];
                if (p == kInvalidIndex) continue;
                const double e = combined(bodies_[patches_[p].a].material, bodies_[patches_[p].b].material).restitution;
                if (e > 0) restituting_.push_back({g, lane, e, p});
            }
        }
        std::sort(restituting_.begin(), restituting_.end(),
                  [](const auto& x, const auto& y) { return x.patch < y.patch; });
    }

    void fillLane(WideManifold& m, int lane, const ContactPatch& patch) const {
        const Body &a = bodies_[patch.a], &b = bodies_[patch.b];
        m.a[lane] = static_cast<int32_t>(patch.a);
        m.b[lane] = static_cast<int32_t>(patch.b);
        m.writesA |= int32_t{a.yields()} << lane;
        m.writesB |= int32_t{b.yields()} << lane;
        m.pointCount = std::max(m.pointCount, patch.count);
        const float invMassA = static_cast<float>(a.inverseMass()), invMassB = static_cast<float>(b.inverseMass());
        m.invMassA[lane] = invMassA;
        m.invMassB[lane] = invMassB;
        const Mat3f ia = a.yields() ? inertia_[patch.a] : Mat3f(Mat3f::Zero()),
                    ib = b.yields() ? inertia_[patch.b] : Mat3f(Mat3f::Zero());
        const auto setInertia = [lane](float(*to)[8], const Mat3f& i) {
            const float parts[6] = {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(1, 2), i(2, 0)};
            for (int k = 0; k < 6; ++k) to[k][lane] = parts[k];
        };
        setInertia(m.invInertiaA, ia);
        setInertia(m.invInertiaB, ib);

        const Mat3f worldFromA = a.rotation.cast<float>(), worldFromB = b.rotation.cast<float>();
        const Vec3f n = worldFromA * patch.normal, t1 = tangentTo(n), t2 = n.cross(t1);
        set3(m.normal, lane, n);
        set3(m.tangent, lane, t1);
        const ContactMaterial material = combined(a.material, b.material);
        m.friction[lane] = static_cast<float>(material.friction);
        const double smaller = std::min(a.shape->radius(), b.shape->radius());
        m.softness[lane] = std::max(kSoftness * static_cast<float>(smaller), patch.grace);
        m.pushLimit[lane] = kPushLimit * static_cast<float>(smaller);
        const bool withA = !b.yields() || (a.yields() && a.shape->radius() <= b.shape->radius());
        m.movesWithA[lane] = withA ? 1.f : 0.f;

        // lever arms: surface points of A; those of B lie a constant offset away, as the bodies are now or will be at
        // impact
        const std::array<float, 4> weights = pressureShares(patch, static_cast<float>(smaller));
        Vec3f middleA = Vec3f::Zero(), middleB = Vec3f::Zero();
        std::array<Vec3f, 4> arms;
        for (int i = 0; i < patch.count; ++i) {
            arms[size_t(i)] = worldFromA * patch.points[size_t(i)].onA;
            middleA += weights[size_t(i)] * arms[size_t(i)];
            middleB += weights[size_t(i)] * (worldFromB * patch.points[size_t(i)].onB);
        }
        const Vec3f toB = patch.swept ? Vec3f(middleB - middleA) : Vec3f((a.position - b.position).cast<float>());
        set3(m.fromAToB, lane, toB);
        set3(m.middle, lane, middleA);

        const auto massAlong = [&](const Vec3f& arm, const Vec3f& u, const Vec3f& w) {
            const Vec3f ra = arm.cross(u), rb = (arm + toB).cross(u), sa = arm.cross(w), sb = (arm + toB).cross(w);
            return (invMassA + invMassB) * u.dot(w) + ra.dot(ia * sa) + rb.dot(ib * sb);
        };
        float spread = 0;
        for (int i = 0; i < patch.count; ++i) {
            WideManifold::Point& point = m.points[i];
            set3(point.arm, lane, arms[size_t(i)]);
            point.separation[lane] = patch.points[size_t(i)].separation;
            point.mass[lane] = 1 / massAlong(arms[size_t(i)], n, n);
            point.start[lane] = settings_.options.warmStart ? patch.points[size_t(i)].impulse : 0;
            spread += weights[size_t(i)] * (arms[size_t(i)] - middleA).norm();
        }
        const float k11 = massAlong(middleA, t1, t1), k12 = massAlong(middleA, t1, t2),
                    k22 = massAlong(middleA, t2, t2);
        const float determinant = k11 * k22 - k12 * k12;
        m.tangentMass[0][lane] = k22 / determinant;
        m.tangentMass[1][lane] = -k12 / determinant;
        m.tangentMass[2][lane] = k11 / determinant;
        const float twist = n.dot((ia + ib) * n);
        m.slideMass[lane] = 1 / std::max(k11 + std::abs(k12), k22 + std::abs(k12));
        m.twistMass[lane] = twist > 0 ? 1 / twist : 0;
        m.twistRadius[lane] = spread;
        if (settings_.options.warmStart && settings_.options.friction) {
            m.frictionStart[0][lane] = t1.dot(patch.friction);
            m.frictionStart[1][lane] = t2.dot(patch.friction);
            m.frictionStart[2][lane] = patch.twist;
        }
        if (material.rollingFriction > 0) {
            m.hasRolling = 1;
            m.rolling[lane] = static_cast<float>(material.rollingFriction);
            const float most =
                (ia + ib).trace();  // an upper bound of the response in any direction: converges from below
            m.rollingMass[lane] = most > 0 ? 1 / most : 0;
            if (settings_.options.warmStart) set3(m.rollingStart, lane, patch.rolling - n.dot(patch.rolling) * n);
        }
    }

    /// What each body got from contacts in the last substep of the last frame, by the impulses of its patches.
    void startFromLastFrame() {
        eachColour([&](size_t begin, size_t end) {
            for (size_t g = begin; g < end; ++g) {
                const WideManifold& m = groups_[g];
                for (int lane = 0; lane < 8; ++lane) {
                    if (lanes_[8 * g + static_cast<size_t>(lane)] == kInvalidIndex) continue;
                    const Vec3f n = get3(m.normal, lane), t1 = get3(m.tangent, lane), toB = get3(m.fromAToB, lane);
                    const Vec3f friction = m.frictionStart[0][lane] * t1 + m.frictionStart[1][lane] * n.cross(t1);
                    const Vec3f middle = get3(m.middle, lane),
                                pure = m.frictionStart[2][lane] * n + get3(m.rollingStart, lane);
                    Vec3f impulse = friction, momentA = middle.cross(friction) + pure;
                    for (int i = 0; i < m.pointCount; ++i) {
                        const Vec3f push = m.points[i].start[lane] * n;
                        impulse += push;
                        momentA += get3(m.points[i].arm, lane).cross(push);
                    }
                    const Vec3f momentB = momentA + toB.cross(impulse);
                    if (m.writesA >> lane & 1)
                        carry(m.a[lane], -m.invMassA[lane] * impulse, -(inertia_[size_t(m.a[lane])] * momentA));
                    if (m.writesB >> lane & 1)
                        carry(m.b[lane], m.invMassB[lane] * impulse, inertia_[size_t(m.b[lane])] * momentB);
                }
            }
        });
    }

    void carry(int32_t body, const Vec3f& dv, const Vec3f& dw) {
        CarriedMotion& c = carried_[size_t(body)];
        for (int k = 0; k < 3; ++k) c.velocity[k] += dv[k], c.angular[k] += dw[k];
    }

    /// Runs body(begin, end) over the groups, colour by colour; groups of one colour in parallel.
    template <class Job>
    void eachColour(Job&& job, bool backwards = false) {
        constexpr size_t kGrain = 8;
        const auto run = [&](size_t colour) {
            const size_t begin = colourStart_[colour], end = colourStart_[colour + 1];
            if (colour == kMaxColours || end - begin <= kGrain) {
                if (end > begin) job(begin, end);
                return;
            }
            loops_.parallelFor(end - begin, kGrain,
                               [&](const BlockRange& block) { job(begin + block.begin, begin + block.end); });
        };
        for (size_t i = 0; i <= kMaxColours; ++i) run(backwards ? kMaxColours - i : i);
    }

    /// Sweeps until the contacts agree, with Nesterov's momentum between the sweeps (impulses and velocities leap ahead
    /// together, since one is linear in the other) and a restart whenever that made things worse.
    void solveSubstep(SweepSettings& sweep, bool backwards) {
        const int most = settings_.options.maxSweeps > 0 ? settings_.options.maxSweeps : automaticSweeps();
        double t = 1, before = std::numeric_limits<double>::infinity(), enough = tolerance_;
        for (int i = 0;; ++i) {
            sweep.first = i == 0;
            sweep.push = i == 0 && settings_.options.depenetrate;
            sweep.momentum = 0;
            if (i > 0) {
                const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
                sweep.momentum = static_cast<float>((t - 1) / next);
                t = next;
            }
            leapAhead(sweep.momentum);
            sweepAll(sweep, backwards != (i % 2 == 1));
            ++sweeps_;
            const double change = lastChange();
            if (i == 0) enough = std::max(enough, kRelativeTolerance * change);
            if (i + 1 >= most || (i + 1 >= settings_.options.sweeps && change <= enough)) break;
            if (change > before) t = 1;
            before = change;
        }
        loops_.parallelFor(groups_.size(), 64, [&](const BlockRange& block) {
            kernels().addToTotals(groups_.data() + block.begin, block.end - block.begin, solver_.data(), kKeep);
        });
    }

    /// Small scenes may take all the sweeps they need.
    int automaticSweeps() const {
        constexpr size_t kEffort = 600'000;  // points visited per substep
        return static_cast<int>(std::clamp<size_t>(kEffort / std::max<size_t>(1, pointCount_), 16, 1000));
    }

    /// Root mean square of the last sweep's corrections, m/s.
    double lastChange() const {
        double sum = 0;
        for (const WideManifold& group : groups_) sum += group.change;
        return std::sqrt(sum / static_cast<double>(std::max<size_t>(1, pointCount_)));
    }

    void leapAhead(float momentum) {
        loops_.parallelFor(bodies_.size(), 1024, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                if (!bodies_[i].yields()) continue;
                float *now = solver_[i].velocity, *last = carried_[i].last;  // velocity and angular lie side by side
                for (int k = 0; k < 6; ++k) {
                    const float v = now[k];
                    now[k] = v + momentum * (v - last[k]);
                    last[k] = v;
                }
            }
        });
    }

    void sweepAll(const SweepSettings& sweep, bool backwards) {
        eachColour(
            [&](size_t begin, size_t end) {
                kernels().sweep(groups_.data() + begin, end - begin, solver_.data(), pushes_.data(), sweep);
            },
            backwards);
    }

    void kick() {
        const float h = static_cast<float>(h_);
        loops_.parallelFor(bodies_.size(), 1024, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                if (!bodies_[i].yields()) continue;
                SolverBody& s = solver_[i];
                CarriedMotion& c = carried_[i];
                const Vec3f a = (*settings_.accelerations)[i].cast<float>(),
                            alpha = (*settings_.angularAccelerations)[i].cast<float>();
                for (int k = 0; k < 3; ++k) {
                    c.before[k] = s.velocity[k];
                    c.kicked[k] = s.velocity[k] + h * a[k];
                    c.kickedAngular[k] = s.angular[k] + h * alpha[k];
                    s.velocity[k] = c.kicked[k] + c.velocity[k];
                    s.angular[k] = c.kickedAngular[k] + c.angular[k];
                }
            }
        });
    }

    void drift() {
        const float h = static_cast<float>(h_);
        loops_.parallelFor(bodies_.size(), 1024, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const Body& body = bodies_[i];
                SolverBody& s = solver_[i];
                if (body.yields()) {
                    CarriedMotion& c = carried_[i];
                    Vec3f impulse;
                    float change = 0;
                    for (int k = 0; k < 3; ++k) {
                        impulse[k] = s.velocity[k] - c.kicked[k];
                        c.velocity[k] += kKeep * (impulse[k] - c.velocity[k]);
                        c.angular[k] += kKeep * (s.angular[k] - c.kickedAngular[k] - c.angular[k]);
                        const float d = s.velocity[k] - c.before[k];
                        change += d * d;
                    }
                    const double limit = kSmooth * h_ * (*settings_.accelerations)[i].norm();
                    const float half = settings_.options.secondOrder && change <= limit * limit ? 0.5f * h : 0.f;
                    for (int k = 0; k < 3; ++k) {
                        s.displacement[k] += h * s.velocity[k] - half * (s.velocity[k] - c.before[k]);
                        s.rotation[k] += h * s.angular[k];
                    }
                } else if (body.moves()) {
                    for (int k = 0; k < 3; ++k) {
                        s.displacement[k] += h * s.velocity[k];
                        s.rotation[k] += h * s.angular[k];
                    }
                }
            }
        });
    }

    /// Adds the frame's impulses to the bodies in double, equal and opposite about one point of the world, so that
    /// momentum is kept to the last digits whatever the sweeps rounded.
    FrameSolution finish(const std::map<uint32_t, CollisionImpulse>& collisions) {
        FrameSolution solution;
        const size_t count = bodies_.size();
        solution.patches.resize(patches_.size());
        solution.displacement.assign(count, Vec3::Zero());
        solution.push.assign(count, Vec3::Zero());
        solution.rotation.assign(count, Vec3::Zero());
        solution.touched.assign(count, 0);
        std::vector<Vec3> impulse(count, Vec3::Zero()), moment(count, Vec3::Zero()), missed(count, Vec3::Zero());

        eachColour([&](size_t begin, size_t end) {
            for (size_t g = begin; g < end; ++g) {
                for (int lane = 0; lane < 8; ++lane) {
                    const uint32_t p = lanes_[8 * g + static_cast<size_t>(lane)];
                    if (p == kInvalidIndex) continue;
                    const PatchResult result = finishPatch(groups_[g], lane, patches_[p]);
                    solution.patches[p] = result;
                    const ContactPatch& patch = patches_[p];
                    if (result.impulse.isZero() && result.moment.isZero()) continue;
                    const Vec3 shiftA = get3(groups_[g].shiftA, lane).cast<double>();
                    const Vec3 shiftB = get3(groups_[g].shiftB, lane).cast<double>();
                    if (bodies_[patch.a].yields()) {
                        impulse[patch.a] -= result.impulse;
                        moment[patch.a] -= result.momentOnA;
                        missed[patch.a] -= shiftA;
                        solution.touched[patch.a] = 1;
                    }
                    if (bodies_[patch.b].yields()) {
                        impulse[patch.b] += result.impulse;
                        moment[patch.b] += result.momentOnB;
                        missed[patch.b] += shiftB;
                        solution.touched[patch.b] = 1;
                    }
                }
            }
        });

        for (const auto& [p, given] : collisions) {
            const ContactPatch& patch = patches_[p];
            PatchResult& result = solution.patches[p];
            result.impulse += given.impulse;
            result.normalImpulse += given.impulse.dot(bodies_[patch.a].rotation * patch.normal.cast<double>());
            result.momentOnA += given.momentOnA;
            result.momentOnB += given.momentOnB;
            result.friction += given.friction;
            result.frictionOnA += given.frictionOnA;
            result.frictionOnB += given.frictionOnB;
            impulse[patch.a] -= given.impulse;
            moment[patch.a] -= given.momentOnA;
            missed[patch.a] -= given.shiftA;
            impulse[patch.b] += given.impulse;
            moment[patch.b] += given.momentOnB;
            missed[patch.b] += given.shiftB;
            solution.touched[patch.a] = solution.touched[patch.b] = 1;
        }

        loops_.parallelFor(count, 256, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                Body& body = bodies_[i];
                if (!body.alive || !body.moves()) continue;
                const SolverBody& s = solver_[i];
                const Vec3 total(s.displacement[0], s.displacement[1], s.displacement[2]);
                solution.push[i] =
                    Vec3(pushes_[i].displacement[0], pushes_[i].displacement[1], pushes_[i].displacement[2]);
                solution.displacement[i] = total - solution.push[i];
                solution.rotation[i] = Vec3(s.rotation[0], s.rotation[1], s.rotation[2]);
                if (!body.yields()) continue;
                const Vec3 acceleration = (*settings_.accelerations)[i];
                body.velocity += settings_.dt * acceleration + impulse[i] / body.mass;
                body.angularMomentum += settings_.dt * body.applyInertia((*settings_.angularAccelerations)[i]);
                if (!solution.touched[i] && solution.push[i].isZero()) continue;
                body.angularMomentum += moment[i];
                // with nothing but contacts the books balance to the last digit: displacement x momentum is what the
                // impulses' lever arms missed, and the sweeps have rounded it
                if (acceleration.isZero()) body.angularMomentum -= body.mass * total.cross(body.velocity) - missed[i];
            }
        });
        for (size_t p = 0; p < patches_.size(); ++p) {
            solution.counters.manifolds += acts_[p];
            solution.counters.points += acts_[p] * static_cast<size_t>(patches_[p].count);
        }
        solution.counters.sweeps = sweeps_;
        for (size_t c = 0; c <= kMaxColours; ++c) solution.counters.colours += colourStart_[c + 1] > colourStart_[c];
        return solution;
    }

    PatchResult finishPatch(const WideManifold& m, int lane, ContactPatch& patch) const {
        const Vec3f n = get3(m.normal, lane), t1 = get3(m.tangent, lane), t2 = n.cross(t1),
                    middle = get3(m.middle, lane);
        const float faded = static_cast<float>(1e-3 * tolerance_) + 1e-20f;
        PatchResult result;
        Vec3 moment = (m.frictionTotal[2][lane] * n + get3(m.rollingTotal, lane)).cast<double>();
        const Vec3 normal = n.cast<double>();
        for (int i = 0; i < patch.count; ++i) {
            const double total = m.points[i].total[lane];
            result.normalImpulse += total;
            moment += (get3(m.points[i].arm, lane) - middle).cast<double>().cross(total * normal);
            // what fades away is gone; it would linger as ever smaller numbers
            const float start = m.points[i].start[lane];
            patch.points[size_t(i)].impulse = start > faded * m.points[i].mass[lane] ? start : 0;
        }
        const Vec3 friction = (m.frictionTotal[0][lane] * t1 + m.frictionTotal[1][lane] * t2).cast<double>();
        result.impulse = result.normalImpulse * normal + friction;
        result.moment = moment;
        const Body &a = bodies_[patch.a], &b = bodies_[patch.b];
        const Vec3 arm = middle.cast<double>(), armB = arm + get3(m.fromAToB, lane).cast<double>();
        result.point = m.movesWithA[lane] > 0 ? Vec3(a.position + arm) : Vec3(b.position + armB);
        const Vec3 approach =
            (b.velocity + b.angularVelocity.cross(armB)) - (a.velocity + a.angularVelocity.cross(arm));
        result.approachSpeed = std::max(0.0, -approach.dot(normal));

        // Lever arms are those of the sweeps where bodies rest or slide on each other. In a collision, and wherever
        // only contacts act, both bodies are turned about one point of the world, where it was when the impulse came:
        // that keeps the angular momentum.
        result.momentOnA = arm.cross(result.impulse) + moment;
        result.momentOnB = armB.cross(result.impulse) + moment;
        const Vec3 fall = (*settings_.accelerations)[patch.a] - (*settings_.accelerations)[patch.b];
        const double weight =
            std::max((*settings_.accelerations)[patch.a].norm(), (*settings_.accelerations)[patch.b].norm());
        if (a.yields() && b.yields() &&
            (weight == 0 || result.approachSpeed > 4 * settings_.dt * std::max(weight, fall.norm()))) {
            const Vec3 between = get3(m.shiftA, lane).cast<double>() - get3(m.shiftB, lane).cast<double>();
            const Vec3 apart = a.position - b.position;
            if (m.movesWithA[lane] > 0) {
                result.momentOnB = (arm + apart).cross(result.impulse) + moment + between;
            } else {
                result.momentOnA = (armB - apart).cross(result.impulse) + moment - between;
            }
        }

        const Vec3 spin = (m.frictionTotal[2][lane] * n + get3(m.rollingTotal, lane)).cast<double>();
        result.friction = friction;
        result.frictionOnA = arm.cross(friction) + spin;
        result.frictionOnB = armB.cross(friction) + spin;

        patch.friction = m.frictionStart[0][lane] * t1 + m.frictionStart[1][lane] * t2;
        patch.twist = m.frictionStart[2][lane];
        patch.rolling = get3(m.rollingStart, lane);
        return result;
    }

    StagedLoops loops_;
    Bodies& bodies_;
    std::vector<ContactPatch>& patches_;
    const SolverSettings& settings_;
    const double h_;
    std::vector<SolverBody> solver_;
    std::vector<SolverPush> pushes_;
    std::vector<CarriedMotion> carried_;
    std::vector<Mat3f> inertia_;
    double tolerance_ = 0;  // m/s
    size_t pointCount_ = 0, sweeps_ = 0;
    std::vector<uint8_t> acts_;        // per patch
    std::vector<uint32_t> lanes_;      // the patch of every lane
    std::vector<size_t> colourStart_;  // groups
    std::vector<WideManifold> groups_;
    std::vector<Restituting> restituting_;
};

}  // namespace

FrameSolution solveContacts(Bodies& bodies, std::vector<ContactPatch>& patches, const SolverSettings& settings) {
    return FrameSolver(bodies, patches, settings).run();
}

}  // namespace sunder::dynamics::detail
