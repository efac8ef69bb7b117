#include "dynamics/detail/narrow/collide.h"

#include <array>

#include "base/assert.h"
#include "dynamics/detail/narrow/collide_compounds.h"
#include "dynamics/detail/narrow/collide_fields.h"
#include "dynamics/detail/narrow/collide_half_space.h"
#include "dynamics/detail/narrow/collide_hulls.h"
#include "dynamics/detail/narrow/collide_rounded.h"
#include "dynamics/detail/narrow/distance.h"
#include "dynamics/detail/narrow/manifold_reduction.h"

namespace sunder::dynamics::detail {

namespace {

constexpr ShapePair kHulls{collideHulls, distanceOfCores};
constexpr ShapePair kRounded{collideRounded, distanceOfCores};
constexpr ShapePair kFields{collideFields, distanceOfFields, fieldsApart};
constexpr ShapePair kCompounds{collideCompounds, distanceOfCompounds};
constexpr ShapePair kRoundOnHalfSpace{collideRoundWithHalfSpace, distanceToHalfSpace};
constexpr ShapePair kCylinderOnHalfSpace{collideCylinderWithHalfSpace, distanceToHalfSpace};
constexpr ShapePair kHullOnHalfSpace{collideHullWithHalfSpace, distanceToHalfSpace};
constexpr ShapePair kFieldOnHalfSpace{collideFieldWithHalfSpace, distanceToHalfSpace};

/// Can the functions of a row take the kinds in the other order too, or have the shapes to be turned for them?
enum class Order : uint8_t { Any, AsNamed };

struct Row {
    ShapeKind a, b;
    const ShapePair* pair;
    Order order = Order::Any;
};

// A new kind of shape adds a row for each kind it may meet. Two half-spaces never meet.
constexpr auto rowsOfPairs() {
    using enum ShapeKind;
    return std::array{
        Row{Sphere, Sphere, &kRounded},
        Row{Sphere, Capsule, &kRounded},
        Row{Sphere, Box, &kRounded},
        Row{Sphere, Cylinder, &kRounded},
        Row{Sphere, Hull, &kRounded},
        Row{Capsule, Capsule, &kRounded},
        Row{Capsule, Box, &kRounded},
        Row{Capsule, Cylinder, &kRounded},
        Row{Capsule, Hull, &kRounded},
        Row{Box, Box, &kHulls},
        Row{Box, Cylinder, &kHulls},
        Row{Box, Hull, &kHulls},
        Row{Cylinder, Cylinder, &kHulls},
        Row{Cylinder, Hull, &kHulls},
        Row{Hull, Hull, &kHulls},
        Row{Sphere, HalfSpace, &kRoundOnHalfSpace, Order::AsNamed},
        Row{Capsule, HalfSpace, &kRoundOnHalfSpace, Order::AsNamed},
        Row{Box, HalfSpace, &kHullOnHalfSpace, Order::AsNamed},
        Row{Cylinder, HalfSpace, &kCylinderOnHalfSpace, Order::AsNamed},
        Row{Hull, HalfSpace, &kHullOnHalfSpace, Order::AsNamed},
        Row{Field, HalfSpace, &kFieldOnHalfSpace, Order::AsNamed},
        Row{Field, Sphere, &kFields},
        Row{Field, Capsule, &kFields},
        Row{Field, Box, &kFields},
        Row{Field, Cylinder, &kFields},
        Row{Field, Hull, &kFields},
        Row{Field, Field, &kFields},
        Row{Compound, Sphere, &kCompounds},
        Row{Compound, Capsule, &kCompounds},
        Row{Compound, Box, &kCompounds},
        Row{Compound, Cylinder, &kCompounds},
        Row{Compound, Hull, &kCompounds},
        Row{Compound, HalfSpace, &kCompounds},
        Row{Compound, Field, &kCompounds},
        Row{Compound, Compound, &kCompounds},
    };
}

struct Entry {
    const ShapePair* pair = nullptr;
    bool turned = false;  // the functions want B first
};
using Table = std::array<std::array<Entry, kShapeKinds>, kShapeKinds>;

constexpr Table tableOf(const auto& rows) {
    Table table;
    for (const Row& row : rows) {
        const auto a = static_cast<size_t>(row.a), b = static_cast<size_t>(row.b);
        table[b][a] = {row.pair, row.order == Order::AsNamed};
        table[a][b] = {row.pair, false};
    }
    return table;
}
constexpr Table kTable = tableOf(rowsOfPairs());

const Entry& entryOf(const Shape& a, const Shape& b) {
    const Entry& entry = kTable[static_cast<size_t>(a.kind())][static_cast<size_t>(b.kind())];
    ASSERT(entry.pair != nullptr);
    return entry;
}

}  // namespace

void collide(const Shape& a, const Shape& b, const PairPose& pose, float reach, PairMemory& memory,
             std::vector<Manifold>& manifolds) {
    const Entry& entry = entryOf(a, b);
    if (!entry.turned) return entry.pair->collide(a, b, pose, reach, memory, manifolds);
    const size_t first = manifolds.size();
    const PairPose turned = pose.swapped();
    entry.pair->collide(b, a, turned, reach, memory, manifolds);
    swapBodies(manifolds, first, turned.offset);
}

double distanceBetween(const Shape& a, const Shape& b, const PairPose& pose) {
    const Entry& entry = entryOf(a, b);
    return entry.turned ? entry.pair->distance(b, a, pose.swapped()) : entry.pair->distance(a, b, pose);
}

bool overlaps(const Shape& a, const Shape& b, const PairPose& pose) { return distanceBetween(a, b, pose) <= 0; }

double contactDistance(const Shape& a, const Shape& b, const PairPose& pose, double reach) {
    const Entry& entry = entryOf(a, b);
    if (entry.pair->contactDistance == nullptr) return distanceBetween(a, b, pose);
    return entry.turned ? entry.pair->contactDistance(b, a, pose.swapped(), reach)
                        : entry.pair->contactDistance(a, b, pose, reach);
}

}  // namespace sunder::dynamics::detail
