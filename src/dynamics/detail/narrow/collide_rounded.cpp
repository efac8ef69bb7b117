#include "dynamics/detail/narrow/collide_rounded.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "dynamics/detail/narrow/closest.h"

namespace sunder::dynamics::detail {

namespace {

// Beyond the nearest place, an elongated contact gets points at its ends when the bodies lie this flat on each other.
constexpr double kFlatSine = 0.1;
constexpr double kFlatCosine = 0.995;
/// Places nearer to each other than this part of the shorter axis are one point.
constexpr double kSamePlace = 0.02;

enum PointKey : uint32_t { kNearest = 0, kStart = 1, kEnd = 2 };

Vec3 cornerOf(const ConvexCore& core, int i) { return core.vertex(i).cast<double>(); }

/// A sphere's core has no length.
Segment axisOf(const ConvexCore& core) {
    const Vec3 start = cornerOf(core, 0);
    return {start, core.vertexCount == 2 ? Vec3(cornerOf(core, 1) - start) : Vec3(Vec3::Zero())};
}

/// A manifold as it grows: points on the core of the rounded body, seen from the body whose frame is used.
struct RoundContact {
    Vec3 normal = Vec3::Zero();  // unit, towards the rounded body
    int count = 0;
    struct Point {
        Vec3 middle = Vec3::Zero();
        double separation = 0;
        uint32_t key = kNearest;
    };
    std::array<Point, Manifold::kMaxPoints> points;

    /// `core` is `gap` away, along the normal, from the other body's surface.
    void add(const Vec3& core, double gap, double radius, double reach, uint32_t key) {
        const double separation = gap - radius;
        if (separation > reach) return;
        points[static_cast<size_t>(count++)] = {core - (radius + 0.5 * separation) * normal, separation, key};
    }
};

/// Any unit vector across.
Vec3 across(const Vec3& direction) {
    Vec3 least = Vec3::Zero();
    Vec3::Index axis = 0;
    direction.cwiseAbs().minCoeff(&axis);
    least[axis] = 1;
    const Vec3 result = direction.cross(least);
    return result.squaredNorm() > 0 ? Vec3(result.normalized()) : Vec3(Vec3::UnitY());
}

/// Sphere or capsule against sphere or capsule; `other` is grown by `otherRadius`.
RoundContact betweenRound(const Segment& other, double otherRadius, const Segment& axis, double radius, double reach,
                          double& separation) {
    const SegmentPair nearest = nearestParameters(other, axis);
    const Vec3 between = axis.at(nearest.t) - other.at(nearest.s);
    const double distance = std::sqrt(nearest.squaredDistance);
    separation = distance - otherRadius - radius;
    RoundContact contact;
    if (separation > reach) return contact;
    const double lengths = other.along.norm() * axis.along.norm();
    const Vec3 crossed = other.along.cross(axis.along);
    const double size = otherRadius + radius;
    if (distance > 1e-9 * size) {
        contact.normal = between / distance;
    } else if (crossed.norm() > 1e-6 * lengths && lengths > 0) {
        contact.normal = crossed.normalized();
    } else {
        contact.normal = across(other.along.squaredNorm() > 0 ? other.along : axis.along);
    }
    if (lengths > 0 && crossed.norm() < kFlatSine * lengths) {
        // the ends of the stretch where they lie beside each other; they curve away from there, so true distances
        const double low = nearestParameter(axis, other.at(0)), high = nearestParameter(axis, other.at(1));
        const double first = std::min(low, high), last = std::max(low, high);
        const double same = kSamePlace * std::min(1.0, other.along.norm() / axis.along.norm());
        if (last - first > same) {
            for (const double t : {first, last}) {
                const double gap = (axis.at(t) - other.at(nearestParameter(other, axis.at(t)))).norm();
                contact.add(axis.at(t), gap - otherRadius, radius, reach, t == first ? kStart : kEnd);
            }
            const bool nearestIsInside = nearest.t > first + same && nearest.t < last - same;
            if (nearestIsInside && crossed.norm() > 1e-6 * lengths)
                contact.add(axis.at(nearest.t), distance - otherRadius, radius, reach, kNearest);
            if (contact.count > 0) return contact;
        }
    }
    contact.add(axis.at(nearest.t), distance - otherRadius, radius, reach, kNearest);
    return contact;
}

RoundContact betweenSpheres(const Vec3& otherCentre, double otherRadius, const Vec3& centre, double radius,
                            double reach, double& separation) {
    const Vec3 between = centre - otherCentre;
    const double distance = between.norm();
    separation = distance - otherRadius - radius;
    RoundContact contact;
    contact.normal = distance > 0 ? Vec3(between / distance) : Vec3(Vec3::UnitY());
    contact.add(centre, distance - otherRadius, radius, reach, kNearest);
    return contact;
}

/// How a segment meets a hull, before the radius counts.
struct HullMeeting {
    double gap = -std::numeric_limits<double>::infinity();  // m, between segment and hull along the normal
    Vec3 normal = Vec3::Zero();                             // unit, from the hull
    double t = 0;                                           // nearest or deepest place on the segment
    int face = kNoFace;                                     // when a face of the hull meets it
    size_t edge = 0;                                        // when none does
};

/// The face above which the segment's lower end is highest.
HullMeeting bestFace(const ConvexCore& hull, const Segment& axis) {
    HullMeeting best;
    const Vec3 end = axis.at(1);
    for (size_t f = 0; f < hull.faces.size(); ++f) {
        const double h0 = height(hull.faces[f], axis.start), h1 = height(hull.faces[f], end), h = std::min(h0, h1);
        if (h > best.gap) best = {h, Vec3::Zero(), h0 <= h1 ? 0.0 : 1.0, static_cast<int>(f), 0};
    }
    best.normal = hull.faces[static_cast<size_t>(best.face)].normal.cast<double>();
    return best;
}

bool passesThrough(const ConvexCore& hull, const Segment& axis) {
    double first = 0, last = 1;
    for (const ConvexCore::Face& face : hull.faces) {
        const double h0 = height(face, axis.start), slope = face.normal.cast<double>().dot(axis.along);
        if (slope > 0) last = std::min(last, -h0 / slope);
        if (slope < 0) first = std::max(first, -h0 / slope);
        if ((slope == 0 && h0 > 0) || first > last) return false;
    }
    return true;
}

/// Nearest features of a segment outside the hull.
HullMeeting nearestOutside(const ConvexCore& hull, const Segment& axis) {
    HullMeeting best;
    best.gap = std::numeric_limits<double>::infinity();
    for (const size_t e : edgesNear(hull, axis)) {
        const Segment edge = edgeOf(hull, e);
        const SegmentPair pair = nearestParameters(edge, axis);
        if (pair.squaredDistance < best.gap * best.gap) {
            const double distance = std::sqrt(pair.squaredDistance);
            best = {distance, (axis.at(pair.t) - edge.at(pair.s)) / distance, pair.t, kNoFace, e};
        }
    }
    // an end over a face wins even when an edge is as near: faces give two points
    for (const double t : {0.0, 1.0}) {
        const HullPoint below = nearestOnHull(hull, axis.at(t));
        const bool asNear = below.face != kNoFace && below.distance <= best.gap + blurOf(hull);
        const bool nearerFace = best.face == kNoFace || below.distance < best.gap;
        if (asNear && nearerFace) best = {below.distance, below.normal, t, below.face, 0};
    }
    return best;
}

/// The axis of least overlap: faces, and edges crossed with the segment.
HullMeeting leastOverlap(const ConvexCore& hull, const Segment& axis, const HullMeeting& ofFaces) {
    HullMeeting best = ofFaces;
    best.gap += 10 * blurOf(hull);  // edges must be clearly better, or the choice flickers
    const ConvexCore::Edges& edges = hull.edges;
    for (size_t e = 0; e < static_cast<size_t>(edges.count); ++e) {
        const Vec3 n1(edges.n1x[e], edges.n1y[e], edges.n1z[e]), n2(edges.n2x[e], edges.n2y[e], edges.n2z[e]);
        if (n1.dot(axis.along) * n2.dot(axis.along) >= 0) continue;  // not an extreme edge seen along the segment
        const Segment edge = edgeOf(hull, e);
        Vec3 normal = edge.along.cross(axis.along);
        const double length = normal.norm();
        if (length < 1e-4 * edge.along.norm() * axis.along.norm()) continue;
        normal /= normal.dot(n1 + n2) < 0 ? -length : length;
        const double gap = normal.dot(axis.start - edge.start);
        if (gap > best.gap) best = {gap, normal, nearestParameters(edge, axis).t, kNoFace, e};
    }
    if (best.face != kNoFace) best.gap = ofFaces.gap;
    return best;
}

/// The part of the segment above a face.
struct Stretch {
    double first = 0, last = 1;
    bool empty() const { return first > last; }
};
Stretch stretchOver(const ConvexCore& hull, const ConvexCore::Face& face, const Segment& axis) {
    Stretch stretch;
    const Vec3 normal = face.normal.cast<double>();
    const uint32_t* loop = hull.corners.data() + face.firstCorner;
    for (uint32_t i = 0; i < face.cornerCount; ++i) {
        const Vec3 from = cornerOf(hull, static_cast<int>(loop[i]));
        const Vec3 side = cornerOf(hull, static_cast<int>(loop[(i + 1) % face.cornerCount])) - from;
        const Vec3 outward = side.cross(normal);
        const double beyond = outward.dot(axis.start - from), slope = outward.dot(axis.along);
        if (slope > 0) stretch.last = std::min(stretch.last, -beyond / slope);
        if (slope < 0) stretch.first = std::max(stretch.first, -beyond / slope);
        if (slope == 0 && beyond > 0) stretch = {1, 0};
    }
    return stretch;
}

int faceTowards(const ConvexCore& hull, const Vec3& normal) {
    int best = kNoFace;
    double most = kFlatCosine;
    for (size_t f = 0; f < hull.faces.size(); ++f) {
        const double along = hull.faces[f].normal.cast<double>().dot(normal);
        if (along > most) most = along, best = static_cast<int>(f);
    }
    return best;
}

RoundContact sphereOnHull(const ConvexCore& hull, const Vec3& centre, double radius, double reach, double& separation) {
    const HullPoint nearest = nearestOnHull(hull, centre);
    separation = nearest.distance - radius;
    RoundContact contact;
    contact.normal = nearest.normal;
    contact.add(centre, nearest.distance, radius, reach, kNearest);
    return contact;
}

/// All in the hull's frame.
RoundContact capsuleOnHull(const ConvexCore& hull, const Segment& axis, double radius, double reach,
                           double& separation) {
    // how they meet
    const HullMeeting ofFaces = bestFace(hull, axis);
    separation = ofFaces.gap - radius;
    if (separation > reach) return {};
    HullMeeting meeting;
    if (!passesThrough(hull, axis)) meeting = nearestOutside(hull, axis);
    if (!(meeting.gap > blurOf(hull))) meeting = leastOverlap(hull, axis, ofFaces);
    separation = meeting.gap - radius;
    RoundContact contact;
    contact.normal = meeting.normal;
    if (separation > reach) return contact;

    // where: along an edge,
    if (meeting.face == kNoFace && meeting.gap > blurOf(hull)) {
        const Segment edge = edgeOf(hull, meeting.edge);
        if (edge.along.cross(axis.along).norm() < kFlatSine * edge.along.norm() * axis.along.norm())
            return betweenRound(edge, 0, axis, radius, reach, separation);
    }
    // or the ends of the stretch over a face, or the nearest place and the end of the stretch far from it
    const int faceIndex = meeting.face != kNoFace ? meeting.face : faceTowards(hull, meeting.normal);
    const auto addNearest = [&](uint32_t key) { contact.add(axis.at(meeting.t), meeting.gap, radius, reach, key); };
    if (faceIndex == kNoFace) {
        addNearest(kNearest);
        return contact;
    }
    const ConvexCore::Face& face = hull.faces[static_cast<size_t>(faceIndex)];
    const Stretch stretch = stretchOver(hull, face, axis);
    const double lean = meeting.normal.dot(face.normal.cast<double>());
    const auto addEnd = [&](double t, uint32_t key) {
        contact.add(axis.at(t), std::max(meeting.gap, height(face, axis.at(t)) / lean), radius, reach, key);
    };
    if (stretch.empty() || stretch.last - stretch.first < kSamePlace) {
        addNearest(kNearest);
    } else if (meeting.face != kNoFace) {
        addEnd(stretch.first, kStart);
        addEnd(stretch.last, kEnd);
        if (contact.count == 0) addNearest(kNearest);
    } else {
        const bool nearFirst = meeting.t - stretch.first < stretch.last - meeting.t;
        const double far = nearFirst ? stretch.last : stretch.first;
        addNearest(nearFirst ? kStart : kEnd);
        const bool flat = std::abs(axis.along.dot(face.normal.cast<double>())) < kFlatSine * axis.along.norm();
        if (flat && std::abs(far - meeting.t) > kSamePlace) addEnd(far, nearFirst ? kEnd : kStart);
    }
    return contact;
}

/// From the frame of the body that was looked from to the world, seen from A.
struct ToWorld {
    Mat3 rotation;
    Vec3 origin;  // m, from A's centre
    double sign;  // +1 when the contact's normal points from A to B
};

void append(const RoundContact& contact, const ToWorld& place, std::vector<Manifold>& manifolds) {
    if (contact.count == 0) return;
    Manifold& manifold = manifolds.emplace_back();
    manifold.normal = (place.sign * (place.rotation * contact.normal)).cast<float>();
    manifold.count = contact.count;
    for (size_t i = 0; i < static_cast<size_t>(contact.count); ++i) {
        const RoundContact::Point& point = contact.points[i];
        manifold.points[i] = {(place.rotation * point.middle + place.origin).cast<float>(),
                              static_cast<float>(point.separation), point.key};
    }
}

}  // namespace

void collideRounded(const Shape& first, const Shape& second, const PairPose& pose, float reach, PairMemory& memory,
                    std::vector<Manifold>& manifolds) {
    const ConvexCore &a = *first.convex(), &b = *second.convex();
    const bool roundA = a.faces.empty(), roundB = b.faces.empty();
    ASSERT(roundA || roundB);
    // two balls, two capsules, or a round solid and a hull
    double separation = 0;
    RoundContact contact;
    ToWorld place{Mat3::Identity(), Vec3::Zero(), 1};
    if (a.vertexCount == 1 && b.vertexCount == 1) {
        contact = betweenSpheres(pose.rotationA * cornerOf(a, 0), a.radius,
                                 pose.offset + pose.rotationB * cornerOf(b, 0), b.radius, reach, separation);
    } else if (roundA && roundB) {
        const Segment inA = axisOf(a), inB = axisOf(b);
        contact = betweenRound({pose.rotationA * inA.start, pose.rotationA * inA.along}, a.radius,
                               {pose.offset + pose.rotationB * inB.start, pose.rotationB * inB.along}, b.radius, reach,
                               separation);
    } else {
        // in the hull's frame
        const ConvexCore &hull = roundA ? b : a, &round = roundA ? a : b;
        const Mat3 &hullAxes = roundA ? pose.rotationB : pose.rotationA,
                   &roundAxes = roundA ? pose.rotationA : pose.rotationB;
        const Vec3 centre = hullAxes.transpose() * (roundA ? Vec3(-pose.offset) : pose.offset);
        const Segment own = axisOf(round);
        const Segment axis{centre + hullAxes.transpose() * (roundAxes * own.start),
                           hullAxes.transpose() * (roundAxes * own.along)};
        if (round.vertexCount == 1) {
            contact = sphereOnHull(hull, axis.start, round.radius, reach, separation);
        } else {
            contact = capsuleOnHull(hull, axis, round.radius, reach, separation);
        }
        place = roundA ? ToWorld{hullAxes, pose.offset, -1} : ToWorld{hullAxes, Vec3::Zero(), 1};
    }
    append(contact, place, manifolds);
    // a lower bound of the distance whether or not they touch; nothing is read from it here
    memory.separation = static_cast<float>(separation);
    memory.axis = (pose.rotationA.transpose() * (place.sign * (place.rotation * contact.normal))).cast<float>();
}

}  // namespace sunder::dynamics::detail
