#include "geometry/convex/penetration.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace sunder {
namespace {

/// Seen from A's origin in A's axes, so that nothing is lost far from the world's origin.
struct Placed {
    std::vector<Vec3> vertices;  // m
    std::vector<Vec3> normals;   // unit
    std::vector<Vec3> edges;     // unit, every edge once

    Placed(const ConvexPolytope& polytope, const RigidTransform& pose) {
        for (const Vec3& vertex : polytope.vertices) vertices.push_back(pose * vertex);
        for (const ConvexPolytope::Face& face : polytope.faces) {
            normals.push_back(pose.rotation * face.surface.normal.normalized());
            const std::span<const uint32_t> loop = polytope.loop(face);
            for (size_t i = 0; i < loop.size(); ++i) {
                const uint32_t from = loop[i], to = loop[(i + 1) % loop.size()];
                // the neighbour across the edge lists it the other way round
                if (from < to) edges.push_back((vertices[to] - vertices[from]).normalized());
            }
        }
    }

    struct Interval {
        double low, high;
    };
    Interval along(const Vec3& axis) const {
        Interval interval{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
        for (const Vec3& vertex : vertices) {
            const double height = axis.dot(vertex);
            interval.low = std::min(interval.low, height);
            interval.high = std::max(interval.high, height);
        }
        return interval;
    }
};

/// Shortens the way if B can leave A sooner along this axis, in either sense.
void tryAxis(const Placed& a, const Placed& b, const Vec3& axis, Penetration& best) {
    const Placed::Interval ofA = a.along(axis), ofB = b.along(axis);
    const double forwards = ofA.high - ofB.low, backwards = ofB.high - ofA.low;
    if (forwards < best.depth) best = {forwards, axis};
    if (backwards < best.depth) best = {backwards, -axis};
}

}  // namespace

Penetration penetration(const ConvexPolytope& a, const RigidTransform& worldFromA, const ConvexPolytope& b,
                        const RigidTransform& worldFromB) {
    // Any axis at all gives a way out, so a direction spoilt by rounding can only miss the shortest, never invent a
    // shorter one. Parallel edges make no face of the Minkowski difference and are left out.
    constexpr double kParallel = 1e-10;

    ASSERT(!a.empty() && !b.empty());
    const RigidTransform aFromB{worldFromA.rotation.conjugate() * worldFromB.rotation,
                                worldFromA.rotation.conjugate() * (worldFromB.translation - worldFromA.translation)};
    const Placed placedA(a, {}), placedB(b, aFromB);

    // the axes at which hulls can part: normals of faces, and directions across two edges
    Penetration best{std::numeric_limits<double>::infinity(), Vec3::Zero()};
    for (const Vec3& normal : placedA.normals) tryAxis(placedA, placedB, normal, best);
    for (const Vec3& normal : placedB.normals) tryAxis(placedA, placedB, normal, best);
    for (const Vec3& edgeA : placedA.edges) {
        for (const Vec3& edgeB : placedB.edges) {
            const Vec3 across = edgeA.cross(edgeB);
            const double length = across.norm();
            if (length > kParallel) tryAxis(placedA, placedB, across / length, best);
        }
    }
    // back to the world
    best.axis = worldFromA.rotation * best.axis;
    return best;
}

}  // namespace sunder
