#include "dynamics/detail/validate.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/assert.h"

namespace sunder::dynamics::detail {

namespace {

/// A slot between two bodies: it is listed as free, and nothing of the last one is left that could act.
void validateFreeSlots(const Bodies& bodies, const std::vector<uint32_t>& freeSlots) {
    ASSERT(std::is_sorted(freeSlots.begin(), freeSlots.end(), std::greater_equal<>()));
    for (const uint32_t slot : freeSlots) {
        ASSERT(slot < bodies.size());
        ASSERT(!bodies[slot].alive);
        ASSERT(bodies[slot].generation > 0);
        ASSERT(bodies[slot].shape == nullptr && bodies[slot].motion == nullptr);
    }
    const auto dead = std::count_if(bodies.begin(), bodies.end(), [](const Body& body) { return !body.alive; });
    ASSERT(static_cast<size_t>(dead) == freeSlots.size());
}

void validate(const Body::Stay& stay) {
    ASSERT(stay.time >= 0);
    ASSERT(stay.position.allFinite());
    ASSERT(std::abs(stay.orientation.norm() - 1) < 1e-9);
}

void validatePlace(const Body& body) {
    ASSERT(body.position.allFinite());
    ASSERT(std::abs(body.orientation.norm() - 1) < 1e-9);
    ASSERT(body.rotation == body.orientation.toRotationMatrix());
    ASSERT(body.velocity.allFinite());
    ASSERT(body.angularVelocity.allFinite());
    ASSERT(body.angularMomentum.allFinite());
}

void validateKind(const Body& body) {
    ASSERT(body.shape != nullptr);
    ASSERT(body.motion == nullptr || body.kind == BodyKind::Kinematic);
    ASSERT(!body.asleep || body.kind == BodyKind::Dynamic);
    ASSERT(!std::isnan(body.anchor));
    if (body.kind == BodyKind::Dynamic) {
        ASSERT(body.mass > 0 && std::isfinite(body.mass));
        ASSERT((body.moments.array() > 0).all() && body.moments.allFinite());
    } else {
        ASSERT(body.mass == 0);
        ASSERT(body.angularMomentum.isZero());
    }
    if (body.kind == BodyKind::Static) ASSERT(body.velocity.isZero() && body.angularVelocity.isZero());
}

void validateRest(const Body& body) {
    validate(body.restPlace);
    validate(body.swingPlace);
    validate(body.lingerPlace);
    ASSERT(body.still >= 0);
    ASSERT(body.wakeShare >= kWakeShare);
    ASSERT(!(body.lastMotion < 0));
}

void validate(const ContactPatch& patch, const Pair& pair) {
    ASSERT(patch.a == pair.a && patch.b == pair.b);
    ASSERT(patch.count >= 1 && patch.count <= Manifold::kMaxPoints);
    ASSERT(std::abs(patch.normal.norm() - 1) < 1e-3f);
    ASSERT(patch.grace >= 0);
    ASSERT(patch.friction.allFinite() && patch.rolling.allFinite() && std::isfinite(patch.twist));
    for (int i = 0; i < patch.count; ++i) {
        const ContactPatch::Point& point = patch.points[static_cast<size_t>(i)];
        ASSERT(point.onA.allFinite() && point.onB.allFinite());
        ASSERT(std::isfinite(point.separation));
        ASSERT(point.impulse >= 0 && std::isfinite(point.impulse));
    }
}

}  // namespace

void validateBodies(const Bodies& bodies, const std::vector<uint32_t>& freeSlots) {
    validateFreeSlots(bodies, freeSlots);
    for (const Body& body : bodies) {
        if (!body.alive) continue;
        validateKind(body);
        validatePlace(body);
        validateRest(body);
    }
}

void validatePairs(const Bodies& bodies, const PairTable& table) {
    const auto inOrder = [](const Pair& first, const Pair& second) { return first.key() >= second.key(); };
    ASSERT(std::adjacent_find(table.pairs.begin(), table.pairs.end(), inOrder) == table.pairs.end());
    size_t end = 0;  // of the patches of the pairs so far
    for (const Pair& pair : table.pairs) {
        ASSERT(pair.a < pair.b && pair.b < bodies.size());
        ASSERT(bodies[pair.a].alive && bodies[pair.b].alive);
        ASSERT(bodies[pair.a].kind == BodyKind::Dynamic || bodies[pair.b].kind == BodyKind::Dynamic);
        ASSERT(!std::isnan(pair.gap) && !std::isnan(pair.seenGap));
        ASSERT(pair.grace >= 0 && pair.resisted >= 0);
        ASSERT(pair.load >= 0 && std::isfinite(pair.load));
        ASSERT(pair.memory.axis.allFinite());
        if (pair.patchCount == 0) continue;
        ASSERT(pair.firstPatch >= end);  // the patches are in the order of the pairs
        end = size_t{pair.firstPatch} + pair.patchCount;
        ASSERT(end <= table.patches.size());
        for (size_t p = pair.firstPatch; p < end; ++p) validate(table.patches[p], pair);
    }
}

void validatePatches(const Bodies& bodies, const PairTable& table) {
    validatePairs(bodies, table);
    size_t owned = 0;
    for (const Pair& pair : table.pairs) owned += pair.patchCount;
    ASSERT(owned == table.patches.size());
}

void validateImpacts(const Bodies& bodies, const std::vector<Impact>& impacts) {
    const auto isThere = [&](BodyId id) {
        return id.index < bodies.size() && bodies[id.index].alive && bodies[id.index].generation == id.generation;
    };
    const auto inOrder = [](const Impact& x, const Impact& y) {
        return x.a.index < y.a.index || (x.a.index == y.a.index && x.b.index < y.b.index);
    };
    ASSERT(std::is_sorted(impacts.begin(), impacts.end(), inOrder));
    for (const Impact& impact : impacts) {
        ASSERT(isThere(impact.a) && isThere(impact.b));
        ASSERT(impact.impulse.allFinite() && impact.point.allFinite());
        ASSERT(std::abs(impact.normal.norm() - 1) < 1e-3);
        ASSERT(impact.normalImpulse >= 0);
        ASSERT(impact.approachSpeed >= 0);
    }
}

void validateSolution(const Bodies& bodies, const PairTable& table, const FrameSolution& solution) {
    ASSERT(solution.patches.size() == table.patches.size());
    ASSERT(solution.displacement.size() == bodies.size() && solution.rotation.size() == bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) {
        ASSERT(solution.displacement[i].allFinite() && solution.push[i].allFinite());
        ASSERT(solution.rotation[i].allFinite());
        if (!bodies[i].alive || bodies[i].mobile()) continue;
        ASSERT(!solution.touched[i]);
        ASSERT(solution.push[i].isZero());
    }
}

}  // namespace sunder::dynamics::detail
