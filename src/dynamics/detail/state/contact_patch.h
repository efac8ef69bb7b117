#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dynamics/detail/narrow/collide.h"

namespace sunder::dynamics::detail {

/// One manifold as it is kept from frame to frame, in the frames of its two bodies. Every point, and what follows the
/// points, are eight floats: the solver reads them as rows.
struct ContactPatch {
    struct Point {
        Vec3f onA = Vec3f::Zero(), onB = Vec3f::Zero();  // the two surface points, body frames, m
        float separation = 0;                            // m, now
        float impulse = 0;                               // N s per substep, to start the next solve from
    };
    uint32_t a = 0, b = 0;         // bodies
    Vec3f normal = Vec3f::Zero();  // from A to B, A's frame
    float meetAfter = -1;          // s: made for when the bodies meet; negative: for where they are
    int count = 0;
    std::array<Point, Manifold::kMaxPoints> points;

    bool swept() const { return meetAfter >= 0; }
    /// The deepest, m; 0 when none overlaps.
    float overlap() const {
        float deepest = 0;
        for (int i = 0; i < count; ++i) deepest = std::max(deepest, -points[static_cast<size_t>(i)].separation);
        return deepest;
    }
    Vec3f friction = Vec3f::Zero();  // N s per substep, world
    float twist = 0;                 // N m s per substep
    Vec3f rolling = Vec3f::Zero();   // N m s per substep, world
    float grace = 0;                 // m: overlap from birth, that is left alone
};

/// Two bodies whose boxes overlap.
struct Pair {
    uint32_t a = 0, b = 0;  // a < b
    PairMemory memory;
    float gap = 0;         // m: they are at least this far apart; 0 when not known
    float grace = 0;       // m: overlap that is left alone, from birth or because nothing can push them apart
    float resisted = 0;    // s: pushed that long without parting
    float resistedAt = 0;  // m, their overlap meanwhile
    float load = 0;        // N along the normals, as long as both are awake; then what it was
    uint32_t firstPatch = 0, patchCount = 0;
    float seenGap = 0;                 // m, the gap when they were last compared
    Vec3f seenOffset = Vec3f::Zero();  // where B's centre was then, in A's frame
    std::array<float, 4> seenTurn{};   // and how B was turned (x y z w)

    uint64_t key() const { return uint64_t{a} << 32 | b; }
};

/// The pairs near each other, and where they touch.
struct PairTable {
    std::vector<Pair> pairs;            // ascending by key
    std::vector<ContactPatch> patches;  // in the order of pairs
};

}  // namespace sunder::dynamics::detail
