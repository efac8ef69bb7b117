#include "dynamics/detail/account/impacts.h"

#include <algorithm>
#include <tuple>

#include "dynamics/free_rotation.h"

namespace sunder::dynamics::detail {

namespace {

/// As the body saw it when they met, of a point in the body's own frame and vectors in the world.
ImpactSide seenBy(const Body& body, const Quat& began, const Quat& met, const ImpactSide& blow) {
    const RigidTransform givenFromBody = body.shape->bodyFromGiven().inverse();
    const Quat givenFromWorld = givenFromBody.rotation * met.conjugate();
    // lever arms are those of the impact, in the frame of the beginning
    return {givenFromBody * (met.conjugate() * (began * blow.point)), givenFromWorld * blow.normal,
            givenFromWorld * blow.impulse};
}

}  // namespace

Impact impactOf(const Bodies& bodies, const MotionBefore& before, const ContactPatch& patch, const PatchResult& result,
                double time) {
    const Body &a = bodies[patch.a], &b = bodies[patch.b];
    Impact impact;
    impact.a = {patch.a, a.generation};
    impact.b = {patch.b, b.generation};
    // where the load is, on the body that stands still if one does
    Vec3 point = Vec3::Zero(), inA = Vec3::Zero(), inB = Vec3::Zero();
    double weight = 0;
    for (int k = 0; k < patch.count; ++k) {
        const ContactPatch::Point& at = patch.points[static_cast<size_t>(k)];
        const double share = at.impulse + 1e-9;
        const bool onA = a.kind != BodyKind::Dynamic || b.kind == BodyKind::Dynamic;
        point += share * (onA ? Vec3(a.position + a.rotation * at.onA.cast<double>())
                              : Vec3(b.position + b.rotation * at.onB.cast<double>()));
        inA += share * at.onA.cast<double>();
        inB += share * at.onB.cast<double>();
        weight += share;
    }
    impact.point = point / weight;
    impact.normal = a.rotation * patch.normal.cast<double>();
    impact.impulse = result.impulse;
    impact.normalImpulse = result.normalImpulse;
    impact.approachSpeed = result.approachSpeed;
    impact.time = time;
    const Vec3 normal = before.orientation[patch.a] * patch.normal.cast<double>();
    const auto seen = [&](uint32_t body, const ImpactSide& blow) {
        const Quat& began = before.orientation[body];
        const Quat met = patch.swept() ? rotationBy(patch.meetAfter * before.angularVelocity[body]) * began : began;
        return seenBy(bodies[body], began, met, blow);
    };
    impact.onA = seen(patch.a, {inA / weight, -normal, -result.impulse});
    impact.onB = seen(patch.b, {inB / weight, normal, result.impulse});
    return impact;
}

namespace {

void merge(ImpactSide& into, const ImpactSide& other, double share) {
    into.point += share * (other.point - into.point);
    if (share > 0.5) into.normal = other.normal;
    into.impulse += other.impulse;
}

}  // namespace

void mergeImpacts(std::vector<Impact>& impacts) {
    constexpr double kSameNormal = 0.9;  // cosine
    const auto byPair = [](const Impact& x, const Impact& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); };
    // those of one pass are in order
    if (!std::is_sorted(impacts.begin(), impacts.end(), byPair))
        std::stable_sort(impacts.begin(), impacts.end(), byPair);
    size_t kept = 0, first = 0;  // of all, and of this pair
    for (const Impact& impact : impacts) {
        if (kept == 0 || impacts[kept - 1].a != impact.a || impacts[kept - 1].b != impact.b) first = kept;
        size_t same = first;
        while (same < kept && impacts[same].normal.dot(impact.normal) < kSameNormal) ++same;
        if (same == kept) {
            if (&impacts[kept] != &impact) impacts[kept] = impact;
            ++kept;
            continue;
        }
        Impact& into = impacts[same];
        const double share = impact.normalImpulse / std::max(into.normalImpulse + impact.normalImpulse, 1e-300);
        into.point += share * (impact.point - into.point);
        if (share > 0.5) into.normal = impact.normal, into.time = impact.time;
        merge(into.onA, impact.onA, share);
        merge(into.onB, impact.onB, share);
        into.impulse += impact.impulse;
        into.normalImpulse += impact.normalImpulse;
        into.approachSpeed = std::max(into.approachSpeed, impact.approachSpeed);
    }
    impacts.resize(kept);
}

}  // namespace sunder::dynamics::detail
