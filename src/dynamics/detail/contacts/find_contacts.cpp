#include "dynamics/detail/contacts/find_contacts.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "dynamics/detail/contacts/continuous.h"
#include "dynamics/detail/state/motion_bounds.h"

namespace sunder::dynamics::detail {

namespace {

using Quatf = Eigen::Quaternionf;
using Mat3f = Eigen::Matrix3f;

constexpr double kLostShare = 0.01;     // of the smaller radius: a support this far away holds nothing
constexpr float kForgetting = 0.9f;     // of the overlap left alone, what is left of it a pass later
constexpr double kRecycleShare = 4e-3;  // of the smaller radius: a motion below it does not matter to a contact
constexpr double kNoticeShare = 0.3;    // of the smaller thickness: what moves farther in a frame is swept

/// What a pair's new patches start from: each point from the nearest old one with about the same normal, each old one
/// once. Friction goes where the normal impulses go, so that patches that part or join lose and gain nothing.
void inheritImpulses(std::span<const ContactPatch> old, double smaller, std::span<ContactPatch> fresh) {
    const float near = static_cast<float>(0.15 * smaller);
    static thread_local std::vector<std::array<bool, Manifold::kMaxPoints>> taken;
    taken.assign(old.size(), {});
    for (ContactPatch& patch : fresh) {
        for (int i = 0; i < patch.count; ++i) {
            ContactPatch::Point& point = patch.points[size_t(i)];
            float least = near * near;
            size_t parent = old.size(), nearest = 0;
            // the nearest old point that nobody took
            for (size_t o = 0; o < old.size(); ++o) {
                if (old[o].normal.dot(patch.normal) < 0.7f) continue;
                for (size_t j = 0; j < static_cast<size_t>(old[o].count); ++j) {
                    // a sliding contact stays with one of its bodies only
                    const ContactPatch::Point& before = old[o].points[j];
                    const float squared =
                        std::min((before.onA - point.onA).squaredNorm(), (before.onB - point.onB).squaredNorm());
                    if (!taken[o][j] && squared < least) least = squared, parent = o, nearest = j;
                }
            }
            if (parent == old.size()) continue;
            // its impulse, and its share of the patch's friction
            taken[parent][nearest] = true;
            point.impulse = old[parent].points[nearest].impulse;
            float whole = 0;
            for (int j = 0; j < old[parent].count; ++j) whole += old[parent].points[size_t(j)].impulse;
            if (!(point.impulse > 0)) continue;
            const float share = point.impulse / whole;
            patch.friction += share * old[parent].friction;
            patch.twist += share * old[parent].twist;
            patch.rolling += share * old[parent].rolling;
        }
    }
}

/// The same points, moved with their bodies. False when they slid too far apart to be one contact.
bool carryAlong(ContactPatch& patch, const Body& a, const Body& b, float tolerance) {
    const Mat3f worldFromA = a.rotation.cast<float>(), worldFromB = b.rotation.cast<float>();
    const Vec3f offset = (b.position - a.position).cast<float>(), normal = worldFromA * patch.normal;
    for (int i = 0; i < patch.count; ++i) {
        ContactPatch::Point& point = patch.points[size_t(i)];
        const Vec3f between = offset + worldFromB * point.onB - worldFromA * point.onA;
        point.separation = normal.dot(between);
        if ((between - point.separation * normal).squaredNorm() > tolerance * tolerance) return false;
    }
    return true;
}

class NarrowPhase {
public:
    NarrowPhase(Bodies& bodies, const NarrowOptions& options, PairTable& table)
        : bodies_(bodies),
          options_(options),
          table_(table),
          glances_(bodies.size()),
          most_(200'000 + 32 * bodies.size()) {}

    NarrowCounters run() {
        glance();
        if (!anyMoves_ && allOwned()) return counters_;
        state_.assign(table_.pairs.size(), kOld);
        fresh_.resize(table_.pairs.size());
        for (bool again = anyMoves_; again;) {
            update();
            again = wakeTheHit();
        }
        gather();
        return counters_;
    }

private:
    enum PairStateNow : uint8_t { kOld, kUpdated };

    /// The part of a body with which most pairs can be dismissed: bodies are large and lie far apart in memory.
    struct Glance {
        float motion = 0;      // m, how far a point of it moves in this frame by itself
        float lastMotion = 0;  // m
        float radius = 0;      // m
        bool moves = false, asleep = false;
    };
    /// The patches that a block of pairs found, and where in there those of one pair are.
    using Store = std::vector<ContactPatch>;
    struct Found {
        uint32_t store = 0, first = 0, count = 0;
    };
    std::span<const ContactPatch> freshOf(uint32_t index) const {
        const Found& found = fresh_[index];
        if (found.count == 0) return {};
        return std::span(stores_[found.store]).subspan(found.first, found.count);
    }

    /// Patches of bodies that are gone belong to no pair; they must not be solved.
    bool allOwned() const {
        size_t owned = 0;
        for (const Pair& pair : table_.pairs) owned += pair.patchCount;
        return owned == table_.patches.size();
    }

    void glance() {
        parallelFor(bodies_.size(), 256, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const Body& body = bodies_[i];
                if (!body.alive) continue;
                glances_[i] = {static_cast<float>(motionOf(body, options_.dt)), static_cast<float>(body.lastMotion),
                               static_cast<float>(sizeOf(body)), body.moves(), body.asleep};
            }
        });
        anyMoves_ = std::any_of(glances_.begin(), glances_.end(), [](const Glance& g) { return g.moves; });
        anyAsleep_ = std::any_of(glances_.begin(), glances_.end(), [](const Glance& g) { return g.asleep; });
    }

    void update() {
        constexpr size_t kGrain = 256;
        const size_t blocks = (table_.pairs.size() + kGrain - 1) / kGrain, firstStore = stores_.size();
        std::vector<NarrowCounters> counters(blocks);
        stores_.resize(firstStore + blocks);
        parallelFor(table_.pairs.size(), kGrain, [&](const BlockRange& block) {
            const auto number = static_cast<uint32_t>(firstStore + block.index);
            Store& store = stores_[number];
            for (size_t i = block.begin; i < block.end; ++i) {
                const Pair& pair = table_.pairs[i];
                if (state_[i] != kOld || !(glances_[pair.a].moves || glances_[pair.b].moves)) continue;
                const auto first = static_cast<uint32_t>(store.size());
                if (found_.load(std::memory_order_relaxed) > most_) return;
                updatePair(static_cast<uint32_t>(i), store, counters[block.index]);
                found_.fetch_add(store.size() - first, std::memory_order_relaxed);
                fresh_[i] = {number, first, static_cast<uint32_t>(store.size()) - first};
            }
        });
        if (found_ > most_) throwCrowded();
        for (const NarrowCounters& c : counters) counters_.tests += c.tests, counters_.swept += c.swept;
    }

    /// Blames the body that is near most others, the first of several: the same for any number of threads.
    [[noreturn]] void throwCrowded() const {
        std::vector<size_t> others(bodies_.size(), 0);
        for (const Pair& pair : table_.pairs) {
            for (const uint32_t i : {pair.a, pair.b}) others[i] += bodies_[i].kind == BodyKind::Dynamic;
        }
        const auto worst = static_cast<uint32_t>(std::ranges::max_element(others) - others.begin());
        throw StepError({worst, bodies_[worst].generation},
                        fmt::format("is among {} others, and bodies of the scene touch in more than {} places; spread "
                                    "out bodies that were put into one place",
                                    others[worst], most_));
    }

    /// Adds the pair's patches to `out`.
    void updatePair(uint32_t index, Store& out, NarrowCounters& counters) {
        // too far apart to touch in this frame?
        Pair& pair = table_.pairs[index];
        ASSERT(state_[index] == kOld);
        state_[index] = kUpdated;
        const Glance &ofA = glances_[pair.a], &ofB = glances_[pair.b];
        const double smaller = std::min(ofA.radius, ofB.radius), motion = ofA.motion + ofB.motion;
        const double bound = motion + kFallInPass * options_.gravity.norm() * options_.dt * options_.dt;
        pair.gap -= ofA.lastMotion + ofB.lastMotion;
        const double margin = kContactMargin * smaller;
        if (pair.patchCount == 0 && pair.gap > margin + bound) return;
        const Body &a = bodies_[pair.a], &b = bodies_[pair.b];

        // the contacts of before will do when the two hardly moved against each other
        const Motion since = motionSince(pair, a, b);
        if (recycle(pair, since, smaller, out)) return;

        // those that fly side by side need neither be swept nor looked at again
        const double thinner = std::min(a.shape->thickness(), b.shape->thickness());
        const bool fast = options_.continuous && motion > kNoticeShare * thinner &&
                          options_.dt * relativeSpeed(a, b) > kNoticeShare * thinner;
        const double near = margin + std::min(bound, kNoticeShare * smaller + margin);
        if (pair.patchCount == 0) {
            pair.gap = std::max(pair.gap, pair.seenGap - since.largest(sizeOf(b)));
            if (pair.gap > (fast ? margin + bound : near)) return;
        }

        // compare the shapes, where the two first meet when they are fast
        ++counters.tests;
        static thread_local std::vector<Manifold> manifolds;
        manifolds.clear();
        PairPose pose{a.rotation, b.rotation, b.position - a.position};
        Sweep sweep;
        if (fast) {
            ++counters.swept;
            sweep = timeOfImpact(a, b, options_.dt, options_.gravity, margin);
            if (sweep.found) pose = sweep.pose;
        }
        collide(*a.shape, *b.shape, pose, static_cast<float>(sweep.found ? sweep.reach : near), pair.memory, manifolds);
        pair.gap = manifolds.empty() && !sweep.found ? pair.memory.separation : 0;
        remember(pair, a, b);

        // the new patches start from the impulses of the old
        const ContactPatch* old = table_.patches.data() + pair.firstPatch;
        const size_t first = out.size();
        for (const Manifold& manifold : manifolds) out.push_back(patchFrom(manifold, pair, pose, sweep, a, b));
        inheritImpulses({old, pair.patchCount}, smaller, std::span(out).subspan(first));
        setGrace(pair, std::span(out).subspan(first), a.newborn || b.newborn);
    }

    /// How B moved in A's frame.
    struct Motion {
        float shift = 0, turn = 0;  // m; twice the sine of half the angle

        /// How far any point of B moved that is as far as `size` from its centre, m.
        float largest(double size) const { return shift + (turn > 0 ? turn * static_cast<float>(size) : 0); }
    };
    /// Since they were last compared.
    static Motion motionSince(const Pair& pair, const Body& a, const Body& b) {
        const Vec3f offset = (a.rotation.transpose() * (b.position - a.position)).cast<float>();
        const Quatf turn = (a.orientation.conjugate() * b.orientation).cast<float>();
        const Quatf seen(pair.seenTurn[3], pair.seenTurn[0], pair.seenTurn[1], pair.seenTurn[2]);
        return {(offset - pair.seenOffset).norm(), 2 * (seen.conjugate() * turn).vec().norm()};
    }

    /// Contacts whose bodies hardly moved against each other since they were found are only carried along.
    bool recycle(Pair& pair, const Motion& since, double smaller, Store& out) {
        if (pair.patchCount == 0 || table_.patches[pair.firstPatch].swept()) return false;
        const Body &a = bodies_[pair.a], &b = bodies_[pair.b];
        const float tolerance = static_cast<float>(kRecycleShare * smaller);
        const float lever = static_cast<float>(std::min(sizeOf(b), sizeOf(a)));
        if (since.shift > tolerance || since.turn * lever > tolerance) return false;
        const ContactPatch* old = table_.patches.data() + pair.firstPatch;
        const size_t first = out.size();
        out.insert(out.end(), old, old + pair.patchCount);
        const std::span<ContactPatch> carried = std::span(out).subspan(first);
        for (ContactPatch& patch : carried) {
            if (!carryAlong(patch, a, b, 2 * tolerance)) {
                out.resize(first);
                return false;
            }
        }
        setGrace(pair, carried, false);
        return true;
    }

    /// Overlap that bodies are born with is not pushed out; as they part by themselves the rest of it is forgotten, not
    /// at once: a point that is lost for a frame shall not change what is left alone.
    static void setGrace(Pair& pair, std::span<ContactPatch> patches, bool born) {
        float deepest = 0;
        for (const ContactPatch& patch : patches) deepest = std::max(deepest, patch.overlap());
        pair.grace = born ? deepest : std::min(pair.grace, std::max(deepest, kForgetting * pair.grace));
        for (ContactPatch& patch : patches) patch.grace = pair.grace;
    }

    static void remember(Pair& pair, const Body& a, const Body& b) {
        pair.seenGap = pair.gap;
        pair.seenOffset = (a.rotation.transpose() * (b.position - a.position)).cast<float>();
        const Quatf turn = (a.orientation.conjugate() * b.orientation).cast<float>();
        pair.seenTurn = {turn.x(), turn.y(), turn.z(), turn.w()};
    }

    static ContactPatch patchFrom(const Manifold& manifold, const Pair& pair, const PairPose& pose, const Sweep& sweep,
                                  const Body& a, const Body& b) {
        ContactPatch patch;
        patch.a = pair.a;
        patch.b = pair.b;
        const Mat3f aFromWorld = pose.rotationA.transpose().cast<float>(),
                    bFromWorld = pose.rotationB.transpose().cast<float>();
        const Vec3f offset = pose.offset.cast<float>();
        patch.normal = aFromWorld * manifold.normal;
        patch.count = manifold.count;
        for (int i = 0; i < manifold.count; ++i) {
            const Manifold::Point& from = manifold.points[size_t(i)];
            ContactPatch::Point& to = patch.points[size_t(i)];
            const Vec3f half = 0.5f * from.separation * manifold.normal;
            to.onA = aFromWorld * (from.fromA - half);
            to.onB = bFromWorld * (from.fromA + half - offset);
            to.separation = from.separation;
        }
        if (sweep.found) sweep.rewind(patch, a, b);
        return patch;
    }

    /// A sleeping body that is touched by one that moves against it wakes up.
    bool wakeTheHit() {
        if (!anyAsleep_) return false;
        // which sleepers lost their support or are disturbed
        std::vector<uint32_t> woken, carried;
        for (uint32_t i = 0; i < table_.pairs.size(); ++i) {
            const Pair& pair = table_.pairs[i];
            if (state_[i] != kUpdated || (fresh_[i].count == 0 && pair.patchCount == 0)) continue;
            Body &a = bodies_[pair.a], &b = bodies_[pair.b];
            if (!a.asleep && !b.asleep) continue;
            Body& sleeper = a.asleep ? a : b;
            const Body& other = a.asleep ? b : a;
            if (!other.moves()) continue;
            if (lostSupport(i)) {
                woken.push_back(a.asleep ? pair.a : pair.b);
                continue;
            }
            for (const ContactPatch& patch : freshOf(i)) {
                if (disturbs(patch, a, b, other, std::min(sizeOf(sleeper), sizeOf(other)))) {
                    woken.push_back(a.asleep ? pair.a : pair.b);
                    if (other.kind == BodyKind::Kinematic) carried.push_back(woken.back());
                    break;
                }
            }
        }
        // wake them, so that their own pairs are looked at
        for (const uint32_t body : woken) {
            bodies_[body].asleep = false;
            bodies_[body].still = kNeighbourTime;  // wakes others only when it really moves
        }
        for (const uint32_t body : carried) bodies_[body].still = 0;  // and so will be what lies on it
        if (!woken.empty()) glance();
        return !woken.empty();
    }

    /// Did the two press on each other, and do so no more?
    bool lostSupport(uint32_t index) const {
        const Pair& pair = table_.pairs[index];
        const double smaller = std::min(sizeOf(bodies_[pair.a]), sizeOf(bodies_[pair.b]));
        float pressed = 0, nearest = std::numeric_limits<float>::infinity();
        for (uint32_t p = 0; p < pair.patchCount; ++p) {
            const ContactPatch& patch = table_.patches[pair.firstPatch + p];
            for (int k = 0; k < patch.count; ++k) pressed += patch.points[size_t(k)].impulse;
        }
        for (const ContactPatch& patch : freshOf(index)) {
            for (int k = 0; k < patch.count; ++k) nearest = std::min(nearest, patch.points[size_t(k)].separation);
        }
        return pressed > 0 && nearest > kLostShare * smaller;
    }

    bool disturbs(const ContactPatch& patch, const Body& a, const Body& b, const Body& other, double smaller) const {
        // what keeps a neighbour from falling asleep also wakes it
        const bool restless = other.kind == BodyKind::Kinematic || other.still < kNeighbourTime;
        const double tolerable = 0.02 * smaller;  // m per frame
        for (int i = 0; i < patch.count; ++i) {
            const ContactPatch::Point& point = patch.points[size_t(i)];
            const Vec3 armA = a.rotation * point.onA.cast<double>(), armB = b.rotation * point.onB.cast<double>();
            const Vec3 relative =
                (b.velocity + b.angularVelocity.cross(armB)) - (a.velocity + a.angularVelocity.cross(armA));
            const double approach = -options_.dt * relative.dot(a.rotation * patch.normal.cast<double>());
            if (point.separation - std::max(0.0, approach) > 0) continue;  // not reached in this frame
            if (restless || options_.dt * relative.norm() > tolerable) return true;
        }
        return false;
    }

    /// All patches in the order of the pairs; pairs at rest keep theirs.
    void gather() {
        std::vector<ContactPatch> all;
        size_t total = 0;
        for (uint32_t i = 0; i < table_.pairs.size(); ++i) {
            total += state_[i] == kUpdated ? fresh_[i].count : table_.pairs[i].patchCount;
        }
        all.reserve(total);
        for (uint32_t i = 0; i < table_.pairs.size(); ++i) {
            Pair& pair = table_.pairs[i];
            const auto first = static_cast<uint32_t>(all.size());
            if (state_[i] == kUpdated) {
                const std::span<const ContactPatch> fresh = freshOf(i);
                all.insert(all.end(), fresh.begin(), fresh.end());
            } else {
                const auto old = table_.patches.begin() + pair.firstPatch;
                all.insert(all.end(), old, old + pair.patchCount);
            }
            pair.firstPatch = first;
            pair.patchCount = static_cast<uint32_t>(all.size()) - first;
        }
        ASSERT(all.size() == total);
        table_.patches.swap(all);
    }

    Bodies& bodies_;
    const NarrowOptions& options_;
    PairTable& table_;
    std::vector<Glance> glances_;  // of the bodies
    size_t most_;                  // patches: solving takes 4 kB for each. Heaps have five per body, splinters thirty
    std::atomic<size_t> found_ = 0;
    bool anyMoves_ = false, anyAsleep_ = false;
    std::vector<uint8_t> state_;
    std::vector<Store> stores_;
    std::vector<Found> fresh_;  // of the pairs updated
    NarrowCounters counters_;
};

}  // namespace

NarrowCounters findContacts(Bodies& bodies, const NarrowOptions& options, PairTable& table) {
    return NarrowPhase(bodies, options, table).run();
}

}  // namespace sunder::dynamics::detail
