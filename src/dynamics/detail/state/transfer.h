#pragma once

#include "dynamics/detail/state/body.h"
#include "dynamics/detail/state/contact_patch.h"
#include "dynamics/transfer.h"

// The fields of a world's own state, listed once for saving, loading and hashing. A new field is added here too:
// state_transfer_test finds one that is not.
namespace sunder::dynamics::detail {

template <class Archive, Some<Body::Stay> T>
void transfer(Archive& archive, T& stay) {
    transferAll(archive, stay.time, stay.position, stay.orientation);
}

/// All but the shape.
template <class Archive, Some<Body> T>
void transfer(Archive& archive, T& body) {
    transferAll(archive, body.alive, body.newborn, body.generation, body.kind, body.material, body.group,
                body.collidesWith, body.anchor, body.mass, body.moments);
    transferAll(archive, body.position, body.orientation, body.velocity, body.angularMomentum, body.angularVelocity,
                body.rotation);
    transferAll(archive, body.asleep, body.still, body.restPlace, body.swingPlace, body.lingerPlace, body.wakeShare);
    transferAll(archive, body.fatBox.min, body.fatBox.max, body.boxSpare, body.boxFall, body.lastMotion);

    bool scripted = body.motion != nullptr;
    transferAll(archive, scripted);
    if constexpr (Archive::kReads) {
        body.motion = nullptr;
        if (!scripted) return;
        Motion motion;
        transferAll(archive, motion);
        body.motion = std::make_shared<const Motion>(std::move(motion));
    } else if (scripted) {
        transferAll(archive, *body.motion);
    }
}

template <class Archive, Some<PairMemory> T>
void transfer(Archive& archive, T& memory) {
    transferAll(archive, memory.axis, memory.separation, memory.kept);
}

template <class Archive, Some<Pair> T>
void transfer(Archive& archive, T& pair) {
    transferAll(archive, pair.a, pair.b, pair.memory, pair.gap, pair.grace, pair.resisted, pair.resistedAt, pair.load,
                pair.firstPatch, pair.patchCount, pair.seenGap, pair.seenOffset, pair.seenTurn);
}

template <class Archive, Some<ContactPatch::Point> T>
void transfer(Archive& archive, T& point) {
    transferAll(archive, point.onA, point.onB, point.separation, point.impulse);
}

/// All points, also those beyond count: what they hold may be looked at where whole rows are read.
template <class Archive, Some<ContactPatch> T>
void transfer(Archive& archive, T& patch) {
    transferAll(archive, patch.a, patch.b, patch.normal, patch.meetAfter, patch.count, patch.points, patch.friction,
                patch.twist, patch.rolling, patch.grace);
}

}  // namespace sunder::dynamics::detail
