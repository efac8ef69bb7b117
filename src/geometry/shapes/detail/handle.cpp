#include "geometry/shapes/detail/handle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/profile.h"
#include "geometry/shapes/detail/ring_mesh.h"

namespace sunder::shapes {

namespace {

constexpr double kFillet = 0.4;      // radius, as a part of the grip
constexpr double kGap = 0.1;         // from the fillet to the bar, as a part of the grip
constexpr double kClearance = 1.25;  // size of the hole in the side, as a part of the fillet's

/// Where an end of the handle sits: the hole in the side, and the vertices around it, by their direction from its
/// middle as seen along the handle.
struct Seat {
    double height = 0;  // of its middle, m
    std::vector<VertexIndex> rim;
    std::vector<double> turns;
};

/// A ring of the handle, with a normal for each of its points.
struct HandleRing {
    Ring ring;
    std::vector<Vec3> normals;
    double along = 0;  // m
};

Vec3 sideNormal(const Vec3& p) { return Vec3(p.x(), 0, p.z()).normalized(); }

/// Segments on either side of +x that the hole reaches over.
uint32_t columnsOf(const Handle& handle, uint32_t around) {
    uint32_t columns = 1;
    while (handle.sideRadius * onUnitCircle(static_cast<double>(columns) / around).y() < handle.halfSeat()) ++columns;
    return columns;
}

/// Takes the triangles of a seat out of the vessel; `up` is 1 where the handle leaves the side, and -1 where it comes
/// back, so that directions are seen along it.
Seat cutSeat(TriMesh& vessel, const Handle& handle, double height, double up, uint32_t columns, uint32_t around) {
    const Vec2 side = onUnitCircle((columns + 0.25) / around);
    const double slack = 1e-6 * handle.sideRadius;
    const auto within = [&](VertexIndex v) {
        const Vec3& p = vessel.positions[v];
        const Vec2 flat(p.x(), p.z());
        return std::abs(p.y() - height) < handle.halfSeat() + slack &&
               flat.norm() > handle.sideRadius - 0.5 * handle.wall && p.x() > 0 &&
               std::abs(p.z()) * side.x() < p.x() * side.y();
    };

    TriMesh rest;
    rest.positions = vessel.positions;
    IndexedVector<VertexIndex, char> cut(vessel.vertexCount(), 0), kept(vessel.vertexCount(), 0);
    for (const TriangleIndex t : vessel.triangles.indices()) {
        const Triangle& corners = vessel.triangles[t];
        const bool gone = std::all_of(corners.begin(), corners.end(), within);
        for (const VertexIndex v : corners) (gone ? cut : kept)[v] = 1;
        if (gone) continue;
        rest.triangles.push_back(corners);
        rest.normals.push_back(vessel.normals[t]);
        rest.uvs.push_back(vessel.uvs[t]);
    }

    // the rim in order
    struct RimPoint {
        double turns;
        VertexIndex vertex;
    };
    std::vector<RimPoint> rim;
    for (const VertexIndex v : vessel.positions.indices()) {
        if (!cut[v] || !kept[v]) continue;
        const Vec3& p = vessel.positions[v];
        rim.push_back({turnsOf({up * (p.y() - height), p.z() + 0.0}), v});  // + 0: no negative zeros
    }
    std::sort(rim.begin(), rim.end(), [](const RimPoint& a, const RimPoint& b) { return a.turns < b.turns; });
    Seat seat{.height = height, .rim = {}, .turns = {}};
    for (const RimPoint& point : rim) {
        seat.rim.push_back(point.vertex);
        seat.turns.push_back(point.turns);
    }
    vessel = std::move(rest);
    return seat;
}

/// From the rim of a seat inward, and over the fillet to the bar.
std::vector<HandleRing> filletRings(const TriMesh& vessel, const Handle& handle, const Seat& seat, double up) {
    const double fillet = kFillet * handle.grip, radius = handle.sideRadius;
    std::vector<HandleRing> rings(1);
    for (const VertexIndex v : seat.rim) {
        rings[0].ring.points.push_back(vessel.positions[v]);
        rings[0].normals.push_back(sideNormal(vessel.positions[v]));
    }
    const double inward = handle.halfSeat() - (handle.grip + fillet);
    const int steps = std::max(1, static_cast<int>(std::round(static_cast<double>(seat.rim.size()) / 8)));
    for (int step = 0; step <= steps; ++step) {
        const Vec2 tilt = onUnitCircle(0.25 * step / steps);
        const double across = handle.grip + fillet * (1 - tilt.y()), out = fillet * (1 - tilt.x());
        HandleRing& ring = rings.emplace_back();
        ring.along = inward + 0.25 * 2 * std::numbers::pi * fillet * step / steps;
        for (const double turns : seat.turns) {
            const Vec2 direction = onUnitCircle(turns);
            const Vec3 spoke(0, up * direction.x(), direction.y());
            const double z = across * direction.y();
            const Vec3 onSide(std::sqrt(radius * radius - z * z), seat.height + across * spoke.y(), z);
            ring.ring.points.push_back(onSide + Vec3(out, 0, 0));
            ring.normals.push_back((tilt.x() * sideNormal(onSide) + tilt.y() * spoke).normalized());
        }
    }
    return rings;
}

/// The bar from fillet to fillet: out, round a bend, down, round a bend, back.
std::vector<HandleRing> barRings(const Handle& handle, const std::vector<double>& turns) {
    const double depth = handle.reach - handle.grip, span = handle.upper - handle.lower;
    const double bend = 0.8 * std::min(depth, 0.5 * span);
    const double start = handle.sideRadius + (kFillet + kGap) * handle.grip, outermost = handle.sideRadius + depth;
    Profile path({start, handle.upper});
    path.lineTo({outermost - bend, handle.upper});
    path.arcTo({outermost - bend, handle.upper - bend}, {outermost, handle.upper - bend});
    path.lineTo({outermost, handle.lower + bend});
    path.arcTo({outermost - bend, handle.lower + bend}, {outermost - bend, handle.lower});
    path.lineTo({start, handle.lower});

    const double side = 2 * std::numbers::pi / static_cast<double>(turns.size());  // rad
    std::vector<HandleRing> rings;
    for (const ProfileSample& sample :
         path.sampled({.lengthAt = [&](double) { return 1.5 * side * handle.grip; }, .turn = std::min(side, 0.5)})) {
        HandleRing& ring = rings.emplace_back();
        ring.along = sample.along;
        for (const double turn : turns) {
            const Vec2 direction = onUnitCircle(turn);
            const Vec2 inPlane = -direction.x() * sample.normalBefore;  // to the left of the path
            const Vec3 spoke(inPlane.x(), inPlane.y(), direction.y());
            ring.ring.points.push_back(Vec3(sample.point.x(), sample.point.y(), 0) + handle.grip * spoke);
            ring.normals.push_back(spoke);
        }
    }
    return rings;
}

/// Sews the rings together between two seats, whose rims they begin and end on.
void sewHandle(TriMesh& vessel, const std::vector<HandleRing>& rings, const Seat& first, const Seat& last) {
    std::vector<Ring> points;
    for (const HandleRing& ring : rings) points.push_back(ring.ring);
    const double length = rings.back().along;
    const TriMesh bar = sewRings(points, false, [&](const RingCorner& corner) {
        const HandleRing& ring = rings[corner.band + corner.upper];
        return CornerAttributes{ring.normals[corner.slot % ring.normals.size()], {corner.turns, ring.along / length}};
    });

    // the first and last ring are the vessel's own points
    const size_t around = first.rim.size(), inner = bar.vertexCount() - around;
    std::vector<VertexIndex> vertexOf;
    for (const VertexIndex v : bar.positions.indices()) {
        const size_t i = raw(v);
        if (i < around) {
            vertexOf.push_back(first.rim[i]);
        } else if (i >= inner) {
            vertexOf.push_back(last.rim[i - inner]);
        } else {
            vertexOf.push_back(static_cast<VertexIndex>(vessel.vertexCount()));
            vessel.positions.push_back(bar.positions[v]);
        }
    }
    for (const TriangleIndex t : bar.triangles.indices()) {
        Triangle corners = bar.triangles[t];
        for (VertexIndex& v : corners) v = vertexOf[raw(v)];
        vessel.triangles.push_back(corners);
        vessel.normals.push_back(bar.normals[t]);
        vessel.uvs.push_back(bar.uvs[t]);
    }
}

}  // namespace

double Handle::halfSeat() const { return kClearance * (1 + kFillet) * grip; }

void addHandle(TriMesh& vessel, const Handle& handle, uint32_t around) {
    ASSERT(handle.halfSeat() < 0.5 * handle.sideRadius);
    // make room
    const uint32_t columns = columnsOf(handle, around);
    const Seat upper = cutSeat(vessel, handle, handle.upper, 1, columns, around);
    const Seat lower = cutSeat(vessel, handle, handle.lower, -1, columns, around);
    ASSERT(upper.rim.size() >= 8 && upper.rim.size() == lower.rim.size());

    // rings along the handle, from its upper end to the lower one
    std::vector<HandleRing> rings = filletRings(vessel, handle, upper, 1);
    const double gap = kGap * handle.grip, barFrom = rings.back().along + gap;
    for (HandleRing& ring : barRings(handle, upper.turns)) {
        ring.along += barFrom;
        rings.push_back(std::move(ring));
    }
    std::vector<HandleRing> lastFillet = filletRings(vessel, handle, lower, -1);
    std::reverse(lastFillet.begin(), lastFillet.end());
    const double end = rings.back().along + gap + lastFillet.front().along;
    for (HandleRing& ring : lastFillet) {
        ring.along = end - ring.along;
        rings.push_back(std::move(ring));
    }

    sewHandle(vessel, rings, upper, lower);
    removeUnusedVertices(vessel);
}

}  // namespace sunder::shapes
