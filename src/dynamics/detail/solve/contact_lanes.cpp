#include "dynamics/detail/solve/contact_lanes.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/assert.h"
#include "base/indexed_vector.h"
#include "dynamics/detail/state/motion_bounds.h"

namespace sunder::dynamics::detail {

namespace {

using RowMatrix = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;

constexpr float kSoftness = 2e-4f;    // of the smaller radius: overlap left alone
constexpr float kNearShare = 0.01f;   // of the smaller radius: what counts as near
constexpr float kHarmless = 0.5f;     // of the thickness: a fall into others that does no harm
constexpr float kCarriedFall = 0.1f;  // of its fall: what is looked at of one that is carried
constexpr float kPushLimit = 2e-2f;   // of the smaller radius, per substep

Vec3f vectorAt(const float* p) { return {p[0], p[1], p[2]}; }

}  // namespace

ContactLanes::ContactLanes(const std::vector<ContactPatch>& patches, const SolverBodies& bodies,
                           const SolverSettings& settings, StagedLoops& loops)
    : patches_(patches), bodies_(bodies), settings_(settings) {
    findFalls();
    assign(actingInOrderOfPlace(loops));
    fill(loops);
}

size_t ContactLanes::colourCount() const {
    size_t count = 0;
    for (size_t c = 0; c <= kMaxColours; ++c) count += colourStart_[c + 1] > colourStart_[c];
    return count;
}

/// What is carried will hardly begin to fall in this frame. Should it, it falls into others by no more than a part of
/// its thickness and is pushed out again; what is thinner may not.
void ContactLanes::findFalls() {
    falls_.assign(bodies_.size(), 0);
    std::vector<uint8_t> carried(bodies_.size(), 0);
    for (const ContactPatch& patch : patches_) {
        for (int i = 0; i < patch.count; ++i) {
            if (patch.points[size_t(i)].impulse > 0)
                carried[bodies_.slotOf[patch.a]] = carried[bodies_.slotOf[patch.b]] = 1;
        }
    }
    const float dt = static_cast<float>(settings_.dt);
    for (size_t slot = 0; slot < bodies_.size(); ++slot) {
        const float fall = static_cast<float>(kFallInPass) * dt * dt * bodies_.gravity[slot];
        falls_[slot] = carried[slot] != 0 && fall < kHarmless * bodies_.thickness[slot] ? kCarriedFall * fall : fall;
    }
}

/// Can the bodies meet here in this frame, and is one mobile?
bool ContactLanes::acts(const ContactPatch& patch) const {
    const uint32_t a = bodies_.slotOf[patch.a], b = bodies_.slotOf[patch.b];
    if (!bodies_.mobile(a) && !bodies_.mobile(b)) return false;
    for (int i = 0; i < patch.count; ++i) {
        if (patch.points[size_t(i)].impulse > 0) return true;
    }
    const BodyConstants &bodyA = bodies_.constants[a], &bodyB = bodies_.constants[b];
    const Eigen::Map<const RowMatrix> worldFromA(bodyA.rotation), worldFromB(bodyB.rotation);
    const float *motionA = bodies_.velocity[a].row, *motionB = bodies_.velocity[b].row;
    const Vec3f normal = worldFromA * patch.normal;
    const float dt = static_cast<float>(settings_.dt);
    const float near = kNearShare * std::min(bodyA.radius, bodyB.radius) + std::max(falls_[a], falls_[b]);
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& point = patch.points[size_t(i)];
        const Vec3f relative = vectorAt(motionB) + vectorAt(motionB + 3).cross(worldFromB * point.onB) -
                               vectorAt(motionA) - vectorAt(motionA + 3).cross(worldFromA * point.onA);
        const float approach = std::max(0.f, -normal.dot(relative));
        if (point.separation < 1.2f * dt * approach + near) return true;
    }
    return false;
}

/// By the slot of the body that comes first.
std::vector<uint32_t> ContactLanes::actingInOrderOfPlace(StagedLoops& loops) {
    std::vector<uint32_t> place(patches_.size(), kInvalidIndex);
    loops.parallelFor(patches_.size(), 256, [&](const BlockRange& block) {
        for (size_t p = block.begin; p < block.end; ++p) {
            const ContactPatch& patch = patches_[p];
            if (acts(patch)) place[p] = std::min(bodies_.slotOf[patch.a], bodies_.slotOf[patch.b]);
        }
    });
    std::vector<uint32_t> first(bodies_.size() + 1, 0);  // where a slot's patches begin
    for (size_t p = 0; p < patches_.size(); ++p) {
        if (place[p] == kInvalidIndex) continue;
        ++first[place[p] + 1];
        ++manifolds_;
        pointCount_ += static_cast<size_t>(patches_[p].count);
    }
    for (size_t slot = 0; slot < bodies_.size(); ++slot) first[slot + 1] += first[slot];
    std::vector<uint32_t> acting(manifolds_);
    for (uint32_t p = 0; p < patches_.size(); ++p) {
        if (place[p] != kInvalidIndex) acting[first[place[p]]++] = p;
    }
    return acting;
}

/// Those with the most points first: eight together cost what the one with the most costs. A block stays in its place.
void ContactLanes::sortByPoints(std::span<uint32_t> block) const {
    std::array<uint32_t, 8 * kBlock> sorted;
    size_t next = 0;
    for (int count = Manifold::kMaxPoints; count > 0; --count) {
        for (const uint32_t p : block) {
            if (patches_[p].count == count) sorted[next++] = p;
        }
    }
    ASSERT(next == block.size());  // every patch that acts has a point
    std::copy_n(sorted.begin(), next, block.begin());
}

/// Greedy colouring: no two of one colour share a mobile body. What does not fit is solved one after the other at
/// the end.
void ContactLanes::assign(const std::vector<uint32_t>& acting) {
    std::vector<uint64_t> used(bodies_.size(), 0);
    std::array<std::vector<uint32_t>, kMaxColours + 1> byColour;
    for (const uint32_t p : acting) {
        const uint32_t a = bodies_.slotOf[patches_[p].a], b = bodies_.slotOf[patches_[p].b];
        const uint64_t taken = (bodies_.mobile(a) ? used[a] : 0) | (bodies_.mobile(b) ? used[b] : 0);
        const int colour = taken == ~uint64_t{0} ? kMaxColours : __builtin_ctzll(~taken);
        if (colour < kMaxColours) {
            used[a] |= uint64_t{1} << colour;
            used[b] |= uint64_t{1} << colour;
        }
        byColour[size_t(colour)].push_back(p);
    }
    for (int colour = 0; colour <= kMaxColours; ++colour) {
        std::vector<uint32_t>& members = byColour[size_t(colour)];
        for (size_t begin = 0; begin < members.size(); begin += 8 * kBlock) {
            sortByPoints(std::span(members).subspan(begin, std::min(8 * kBlock, members.size() - begin)));
        }
        const size_t perGroup = colour < kMaxColours ? 8 : 1;
        colourStart_.push_back(groupCount());
        for (size_t i = 0; i < members.size(); i += perGroup) {
            for (size_t lane = 0; lane < 8; ++lane) {
                const bool filled = lane < perGroup && i + lane < members.size();
                patchOfLane_.push_back(filled ? members[i + lane] : kInvalidIndex);
            }
        }
    }
    colourStart_.push_back(groupCount());
}

void ContactLanes::fill(StagedLoops& loops) {
    static_assert(sizeof(ContactPatch::Point) == 8 * sizeof(float));
    static_assert(offsetof(ContactPatch, rolling) == offsetof(ContactPatch, friction) + 4 * sizeof(float));
    static_assert(offsetof(ContactPatch, grace) == offsetof(ContactPatch, friction) + 7 * sizeof(float));
    static const ContactPatch empty = [] {
        ContactPatch patch;
        patch.normal = Vec3f(0, 1, 0);
        return patch;
    }();
    FillSettings how;
    how.softness = kSoftness;
    how.pushLimit = kPushLimit;
    how.nearShare = kNearShare;
    how.warmStart = settings_.options.warmStart;
    how.friction = settings_.options.friction;

    // room for the groups and their points; not cleared: fill() does that, where it is needed
    groups_.reset(new WideManifold[groupCount()]);
    rests_.reset(new WideRest[groupCount()]);
    changes_.resize(groupCount());
    int32_t widePoints = 0;
    for (size_t g = 0; g < groupCount(); ++g) {
        groups_[g].firstPoint = widePoints;
        groups_[g].pointCount = 0;
        for (int lane = 0; lane < 8; ++lane) {
            if (patchOf(g, lane) != kInvalidIndex)
                groups_[g].pointCount = std::max(groups_[g].pointCount, patches_[patchOf(g, lane)].count);
        }
        widePoints += groups_[g].pointCount;
    }
    points_.reset(new WidePoint[static_cast<size_t>(widePoints)]);

    // eight patches into the lanes of each group
    loops.parallelFor(groupCount(), kBlock, [&](const BlockRange& block) {
        LaneSources from;
        for (size_t g = block.begin; g < block.end; ++g) {
            WideManifold& group = groups_[g];
            group.writesA = group.writesB = 0;
            for (int lane = 0; lane < 8; ++lane) {
                const bool filled = patchOf(g, lane) != kInvalidIndex;
                const ContactPatch& patch = filled ? patches_[patchOf(g, lane)] : empty;
                // an empty lane reads what the first one does, which no other thread writes meanwhile
                const ContactPatch& named = filled ? patch : patches_[patchOf(g, 0)];
                const uint32_t a = bodies_.slotOf[named.a], b = bodies_.slotOf[named.b];
                ASSERT(a < bodies_.size() && b < bodies_.size() && a != b);
                group.a[lane] = static_cast<int32_t>(a);
                group.b[lane] = static_cast<int32_t>(b);
                group.writesA |= int32_t{filled && bodies_.mobile(a)} << lane;
                group.writesB |= int32_t{filled && bodies_.mobile(b)} << lane;
                from.points[lane] = patch.points[0].onA.data();
                from.carried[lane] = patch.friction.data();
                const Vec3 apart = bodies_.position[a] - bodies_.position[b];
                for (int k = 0; k < 3; ++k) {
                    from.normal[k][lane] = patch.normal[k];
                    from.apart[k][lane] = static_cast<float>(apart[k]);
                }
                from.count[lane] = static_cast<float>(patch.count);
                from.swept[lane] = patch.swept() ? 1.f : 0.f;
            }
            contactKernels().fill(arrays(), g, from, bodies_.constants.data(), bodies_.velocity.data(), how);
        }
    });
}

std::vector<Restituting> ContactLanes::restituting(const Bodies& bodies, const SolverBodies& solver) const {
    std::vector<Restituting> all;
    for (uint32_t g = 0; g < groupCount(); ++g) {
        for (int lane = 0; lane < 8; ++lane) {
            const uint32_t p = patchOf(g, lane);
            if (p == kInvalidIndex) continue;
            const ContactPatch& patch = patches_[p];
            const BodyConstants &a = solver.constants[solver.slotOf[patch.a]],
                                &b = solver.constants[solver.slotOf[patch.b]];
            if (!(a.restitution > 0) && !(b.restitution > 0)) continue;
            Restituting contact{g, lane, combined(bodies[patch.a].material, bodies[patch.b].material).restitution, p};
            contact.a = patch.a;
            contact.b = patch.b;
            contact.count = patch.count;
            const Eigen::Map<const RowMatrix> worldFromA(a.rotation);
            for (size_t i = 0; i < size_t(patch.count); ++i) {
                contact.arms[i] = worldFromA * patch.points[i].onA;
                contact.separations[i] = patch.points[i].separation;
            }
            all.push_back(contact);
        }
    }
    std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.patch < y.patch; });
    return all;
}

}  // namespace sunder::dynamics::detail
