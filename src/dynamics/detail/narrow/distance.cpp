#include "dynamics/detail/narrow/distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/assert.h"
#include "dynamics/detail/narrow/gjk.h"

namespace sunder::dynamics::detail {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Branches of a tree that could bring the answer down by less than this share are not followed; the answer is their
/// lower bound then.
constexpr double kGoodEnough = 0.99;

/// Where a body's frame lies in the frame the question is asked in, A's.
struct PlacedBody {
    Mat3 rotation = Mat3::Identity();
    Vec3 origin = Vec3::Zero();  // m
    Vec3 operator*(const Vec3& point) const { return rotation * point + origin; }
};
PlacedBody placeB(const PairPose& pose) {
    return {pose.rotationA.transpose() * pose.rotationB, pose.rotationA.transpose() * pose.offset};
}

// Supports: the farthest point of a convex set in a direction.

struct CoreSupport {
    const ConvexCore& core;
    PlacedBody place;
    Vec3 operator()(const Vec3& direction) const {
        const Vec3 d = place.rotation.transpose() * direction;
        int best = 0;
        double most = -kInfinity;
        for (int i = 0; i < core.vertexCount; ++i) {
            const size_t v = static_cast<size_t>(i);
            const double along = d.x() * core.x[v] + d.y() * core.y[v] + d.z() * core.z[v];
            if (along > most) most = along, best = i;
        }
        return place * core.vertex(best).cast<double>();
    }
};

struct BoxSupport {
    const Box3& box;
    PlacedBody place;
    Vec3 operator()(const Vec3& direction) const {
        const Vec3 d = place.rotation.transpose() * direction;
        return place * Vec3((d.array() > 0).select(box.max, box.min));
    }
};

struct TriangleSupport {
    std::array<Vec3, 3> corners;
    Vec3 operator()(const Vec3& direction) const {
        const double a = direction.dot(corners[0]), b = direction.dot(corners[1]), c = direction.dot(corners[2]);
        return corners[a >= b && a >= c ? 0 : (b >= c ? 1 : 2)];
    }
};
TriangleSupport triangleOf(const FieldSolid& field, uint32_t item, const PlacedBody& place) {
    std::array<Vec3, 3> corners = field.surface.corners(static_cast<TriangleIndex>(item));
    for (Vec3& p : corners) p = place * p;
    return {corners};
}

double coreDistance(const ConvexCore& a, const ConvexCore& b, const PlacedBody& place) {
    const double size = static_cast<double>(a.coreRadius) + b.coreRadius;
    return convexDistance(CoreSupport{a, {}}, CoreSupport{b, place}, -place.origin, {.size = size}) -
           static_cast<double>(a.radius) - b.radius;
}

/// Smallest distance found so far, and what was left out may be nearer by a little.
struct Search {
    double size;    // of all, m
    double radius;  // of the convex body, taken off every distance, m
    double best = kInfinity;
    double leftOut = kInfinity;
    bool prunes(double lower) {
        if (lower < kGoodEnough * best) return false;
        leftOut = std::min(leftOut, lower);
        return true;
    }
    /// For bounds of branches, which only decide the order and what to leave out.
    SearchGoal coarse() const { return {size, best + radius, 0.1}; }
    SearchGoal exact() const { return {.size = size, .enough = best + radius}; }
    double answer() const { return std::min(best, leftOut); }
};

/// Whether a point of the field's frame lies inside: by which side of the surface a ray meets first.
bool inside(const FieldSolid& field, const Vec3& point) {
    const Vec3 direction(0.48, 0.6, 0.64);
    const auto hit = field.tree->raycast(point, direction);
    return hit && field.surface.areaVector(hit->triangle).dot(direction) > 0;
}

/// The field is A, or `place` puts the convex body into the field's frame.
double fieldToConvex(const FieldSolid& field, const ConvexCore& core, const PlacedBody& place) {
    const auto nodes = field.tree->bvh().nodes();
    if (nodes.empty()) return kInfinity;
    if (inside(field, place * core.vertex(0).cast<double>())) return -static_cast<double>(core.radius);
    const CoreSupport convex{core, place};
    const double size = nodes[0].box.diagonal() + core.coreRadius, radius = core.radius;
    Search search{size, radius};
    const auto boundOf = [&](uint32_t node) {
        const Box3& box = nodes[node].box;
        return convexDistance(BoxSupport{box, {}}, convex, box.centre() - place.origin, search.coarse()) - radius;
    };
    struct Pending {
        double lower;
        uint32_t node;
    };
    std::vector<Pending> stack{{boundOf(0), 0}};
    while (!stack.empty()) {
        const Pending pending = stack.back();
        stack.pop_back();
        if (search.prunes(pending.lower)) continue;
        const Bvh::Node& node = nodes[pending.node];
        if (node.isLeaf()) {
            for (uint32_t i = node.first; i < node.first + node.count; ++i) {
                const TriangleSupport triangle = triangleOf(field, field.tree->bvh().order()[i], {});
                const Vec3 guess = triangle.corners[0] - place.origin;
                search.best = std::min(search.best, convexDistance(triangle, convex, guess, search.exact()) - radius);
            }
            if (search.best <= 0) return search.best;
            continue;
        }
        Pending near{boundOf(node.first), node.first}, far{boundOf(node.first + 1), node.first + 1};
        if (far.lower < near.lower) std::swap(near, far);
        stack.push_back(far);
        stack.push_back(near);
    }
    return search.answer();
}

double fieldToField(const FieldSolid& a, const FieldSolid& b, const PlacedBody& place) {
    const auto nodesA = a.tree->bvh().nodes(), nodesB = b.tree->bvh().nodes();
    if (nodesA.empty() || nodesB.empty()) return kInfinity;
    const Vec3 cornerA = a.surface.corners(TriangleIndex{0})[0], cornerB = b.surface.corners(TriangleIndex{0})[0];
    if (inside(a, place * cornerB) || inside(b, place.rotation.transpose() * (cornerA - place.origin))) return 0;
    const double size = nodesA[0].box.diagonal() + nodesB[0].box.diagonal();
    struct Pending {
        double lower;
        uint32_t nodeA, nodeB;
    };
    Search search{size, 0};
    const auto pairOf = [&](uint32_t nodeA, uint32_t nodeB) {
        const Box3 &boxA = nodesA[nodeA].box, &boxB = nodesB[nodeB].box;
        const Vec3 guess = boxA.centre() - place * boxB.centre();
        return Pending{convexDistance(BoxSupport{boxA, {}}, BoxSupport{boxB, place}, guess, search.coarse()), nodeA,
                       nodeB};
    };
    std::vector<Pending> stack{pairOf(0, 0)};
    while (!stack.empty()) {
        const Pending pending = stack.back();
        stack.pop_back();
        if (search.prunes(pending.lower)) continue;
        const Bvh::Node &nodeA = nodesA[pending.nodeA], &nodeB = nodesB[pending.nodeB];
        if (nodeA.isLeaf() && nodeB.isLeaf()) {
            for (uint32_t i = nodeA.first; i < nodeA.first + nodeA.count; ++i) {
                const TriangleSupport first = triangleOf(a, a.tree->bvh().order()[i], {});
                for (uint32_t j = nodeB.first; j < nodeB.first + nodeB.count; ++j) {
                    const TriangleSupport second = triangleOf(b, b.tree->bvh().order()[j], place);
                    const Vec3 guess = first.corners[0] - second.corners[0];
                    search.best = std::min(search.best, convexDistance(first, second, guess, search.exact()));
                }
            }
            if (search.best <= 0) return 0;
            continue;
        }
        // the larger is opened
        const bool openA = nodeB.isLeaf() || (!nodeA.isLeaf() && nodeA.box.diagonal() >= nodeB.box.diagonal());
        Pending near = openA ? pairOf(nodeA.first, pending.nodeB) : pairOf(pending.nodeA, nodeB.first);
        Pending far = openA ? pairOf(nodeA.first + 1, pending.nodeB) : pairOf(pending.nodeA, nodeB.first + 1);
        if (far.lower < near.lower) std::swap(near, far);
        stack.push_back(far);
        stack.push_back(near);
    }
    return search.answer();
}

/// The pose of one part of A against B.
PairPose ofPart(const PairPose& pose, const CompoundPart& part) {
    return {pose.rotationA * part.bodyFromPart.rotation.toRotationMatrix(), pose.rotationB,
            pose.offset - pose.rotationA * part.bodyFromPart.translation};
}

}  // namespace

double distanceOfCores(const Shape& a, const Shape& b, const PairPose& pose) {
    return coreDistance(*a.convex(), *b.convex(), placeB(pose));
}

double distanceOfFields(const Shape& a, const Shape& b, const PairPose& pose) {
    if (a.field() && b.field()) return fieldToField(*a.field(), *b.field(), placeB(pose));
    if (a.field()) return fieldToConvex(*a.field(), *b.convex(), placeB(pose));
    return fieldToConvex(*b.field(), *a.convex(), placeB(pose.swapped()));
}

double distanceToHalfSpace(const Shape& a, const Shape&, const PairPose& pose) {
    ASSERT(a.convex() != nullptr || a.field() != nullptr);
    const Vec3 up = pose.rotationA.transpose() * pose.rotationB.col(1);
    const double level = -pose.rotationB.col(1).dot(pose.offset);
    if (a.kind() == ShapeKind::Cylinder)
        return level - a.halfLength() * std::abs(up.y()) - a.roundRadius() * std::hypot(up.x(), up.z());
    if (const ConvexCore* core = a.convex()) return level + up.dot(CoreSupport{*core, {}}(-up)) - core->radius;
    double lowest = kInfinity;
    for (const FieldSolid::Cluster& c : a.field()->clusters)
        for (size_t k = 0; k < 8; ++k) lowest = std::min(lowest, up.dot(Vec3(c.x[k], c.y[k], c.z[k])));
    return level + lowest;
}

double distanceOfCompounds(const Shape& a, const Shape& b, const PairPose& pose) {
    ASSERT(a.compound() != nullptr || b.compound() != nullptr);
    if (a.compound() == nullptr) return distanceOfCompounds(b, a, pose.swapped());
    double least = kInfinity;
    for (const CompoundPart& part : a.compound()->parts) {
        const PairPose partPose = ofPart(pose, part);
        if (partPose.offset.norm() - part.shape->radius() - b.radius() >= least) continue;
        least = std::min(least, distanceBetween(*part.shape, b, partPose));
    }
    return least;
}

}  // namespace sunder::dynamics::detail
