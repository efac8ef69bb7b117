#include "geometry/tree/triangle_tree.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// In a fixed order of operations: rounding is monotone, so a point inside a box is computed no nearer than the box.
double squaredLength(double x, double y, double z) { return x * x + y * y + z * z; }

double squaredDistanceTo(const Box3& box, const Vec3& q) {
    const auto outside = [&](int axis) {
        return std::max(std::max(box.min[axis] - q[axis], q[axis] - box.max[axis]), 0.0);
    };
    return squaredLength(outside(0), outside(1), outside(2));
}

/// Where the nearest point of the segment p + t * edge lies, 0 <= t <= 1.
double nearestOnSegment(const Vec3& fromPToQuery, const Vec3& edge) {
    const double squaredEdge = edge.squaredNorm();
    return squaredEdge > 0 ? std::clamp(fromPToQuery.dot(edge) / squaredEdge, 0.0, 1.0) : 0.0;
}

std::vector<Box3> boxesOf(std::span<const Vec3> points) {
    std::vector<Box3> boxes(points.size());
    for (size_t i = 0; i < points.size(); ++i) boxes[i] = {points[i], points[i]};
    return boxes;
}

/// Nearest-first walk. visitLeaf(node) looks at the items; `limit` (squared) may shrink meanwhile. Nodes exactly at
/// the limit are visited, for they may hold an equal item of lower index.
template <class VisitLeaf>
void walkNearestFirst(std::span<const Bvh::Node> nodes, const Vec3& query, const double& limit, VisitLeaf&& visitLeaf) {
    if (nodes.empty()) return;
    struct Pending {
        double squaredDistance;
        uint32_t node;
    };
    // a leaf takes one entry, a branch puts two: never more than the depth and one
    std::array<Pending, Bvh::kMaxDepth + 1> stack;
    int depth = 0;
    stack[depth++] = {squaredDistanceTo(nodes[0].box, query), 0};
    while (depth > 0) {
        const Pending pending = stack[--depth];
        if (!(pending.squaredDistance <= limit)) continue;
        const Bvh::Node& node = nodes[pending.node];
        if (node.isLeaf()) {
            visitLeaf(node);
            continue;
        }
        // the nearer child is looked at first, since it may shrink the limit
        const Pending left{squaredDistanceTo(nodes[node.first].box, query), node.first};
        const Pending right{squaredDistanceTo(nodes[node.first + 1].box, query), node.first + 1};
        const bool leftFirst = left.squaredDistance <= right.squaredDistance;
        stack[depth++] = leftFirst ? right : left;
        stack[depth++] = leftFirst ? left : right;
    }
}

/// Ray against triangle in the sheared space where the ray is the z axis [woop2013]: the edge functions of a shared
/// edge are exactly opposite in its two triangles, so no ray passes between them.
class ShearedRay {
public:
    ShearedRay(const Vec3& origin, const Vec3& direction) : origin_(origin) {
        direction.cwiseAbs().maxCoeff(&z_);
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        if (direction[z_] < 0) std::swap(x_, y_);
        shear_ = {direction[x_] / direction[z_], direction[y_] / direction[z_], 1 / direction[z_]};
    }

    /// False when missed; the barycentric weights and the distance are set when hit.
    bool hits(const std::array<Vec3, 3>& corners, RayHit& hit) const {
        std::array<Vec3, 3> p;
        for (int i = 0; i < 3; ++i) {
            const Vec3 r = corners[i] - origin_;
            p[i] = {r[x_] - shear_[0] * r[z_], r[y_] - shear_[1] * r[z_], shear_[2] * r[z_]};
        }
        const double u = p[2].x() * p[1].y() - p[2].y() * p[1].x();
        const double v = p[0].x() * p[2].y() - p[0].y() * p[2].x();
        const double w = p[1].x() * p[0].y() - p[1].y() * p[0].x();
        if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
        const double sum = u + v + w;
        if (!(sum != 0)) return false;
        hit.barycentric = Vec3(u, v, w) / sum;
        hit.distance = (u * p[0].z() + v * p[1].z() + w * p[2].z()) / sum;
        return true;
    }

private:
    Vec3 origin_;
    int x_, y_, z_;
    Vec3 shear_;
};

/// Where the ray enters the box, with slack for rounding; infinite when it does not.
class BoxRay {
public:
    BoxRay(const Vec3& origin, const Vec3& direction) : origin_(origin), inverse_(direction.cwiseInverse()) {}

    double entry(const Box3& box, double limit) const {
        double enter = 0, leave = limit;
        for (int axis = 0; axis < 3; ++axis) {
            const double a = (box.min[axis] - origin_[axis]) * inverse_[axis];
            const double b = (box.max[axis] - origin_[axis]) * inverse_[axis];
            // NaN (0 * infinity: origin on a face the ray runs along) restricts nothing
            if (std::min(a, b) > enter) enter = std::min(a, b);
            if (std::max(a, b) < leave) leave = std::max(a, b);
        }
        constexpr double kSlack = 1 + 1e-12;
        return enter <= leave * kSlack ? enter / kSlack : kInfinity;
    }

private:
    Vec3 origin_;
    Vec3 inverse_;
};

}  // namespace

/// The projection onto the plane when it falls inside, otherwise the nearest point of the three sides. The weights come
/// from the normal, so their error grows with distance/height only linearly, and a sliver still has its sides.
SurfacePoint closestPointOnTriangle(const Vec3& query, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Box3 box{a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
    const Vec3 ab = b - a, ac = c - a, aq = query - a;

    SurfacePoint best;
    const auto consider = [&](const Vec3& barycentric, const Vec3& onTriangle) {
        const Vec3 point = onTriangle.cwiseMax(box.min).cwiseMin(box.max);
        const double squaredDistance =
            squaredLength(point.x() - query.x(), point.y() - query.y(), point.z() - query.z());
        if (squaredDistance < best.squaredDistance) {
            best.point = point;
            best.barycentric = barycentric;
            best.squaredDistance = squaredDistance;
        }
    };

    // inside: the plane's point decides alone
    const Vec3 normal = ab.cross(ac);
    const double squaredNormal = normal.squaredNorm();
    if (squaredNormal > 0) {
        const double v = normal.dot(aq.cross(ac)) / squaredNormal;
        const double w = normal.dot(ab.cross(aq)) / squaredNormal;
        const double u = 1 - v - w;
        if (u >= 0 && v >= 0 && w >= 0) {
            consider({u, v, w}, a + v * ab + w * ac);
            return best;
        }
    }
    // beyond a side, or without a normal: the nearest of the three sides
    const double onAb = nearestOnSegment(aq, ab), onAc = nearestOnSegment(aq, ac);
    const Vec3 bc = c - b;
    const double onBc = nearestOnSegment(query - b, bc);
    consider({1 - onAb, onAb, 0}, a + onAb * ab);
    consider({1 - onAc, 0, onAc}, a + onAc * ac);
    consider({0, 1 - onBc, onBc}, b + onBc * bc);
    return best;
}

std::vector<Box3> boxesOf(const TriMesh& mesh) {
    std::vector<Box3> boxes(mesh.triangleCount());
    parallelFor(boxes.size(), 4096, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            for (const Vec3& p : mesh.corners(static_cast<TriangleIndex>(i))) boxes[i].add(p);
        }
    });
    return boxes;
}

TriangleTree::TriangleTree(const TriMesh& mesh) : mesh_(&mesh), bvh_(boxesOf(mesh)) { copyCorners(); }

TriangleTree::TriangleTree(const TriMesh& moved, const TriangleTree& before) : mesh_(&moved), bvh_(before.bvh_) {
    ASSERT(moved.triangleCount() == before.mesh_->triangleCount());
    refit();
}

void TriangleTree::copyCorners() {
    corners_.resize(bvh_.order().size());
    for (size_t i = 0; i < corners_.size(); ++i)
        corners_[i] = mesh_->corners(static_cast<TriangleIndex>(bvh_.order()[i]));
}

void TriangleTree::refit() {
    bvh_.refit(boxesOf(*mesh_));
    copyCorners();
}

SurfacePoint TriangleTree::closestPoint(const Vec3& query, double within) const {
    SurfacePoint best;
    double limit = within * within;
    walkNearestFirst(bvh_.nodes(), query, limit, [&](const Bvh::Node& leaf) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const TriangleIndex triangle = static_cast<TriangleIndex>(bvh_.order()[i]);
            SurfacePoint found = closestPointOnTriangle(query, corners_[i][0], corners_[i][1], corners_[i][2]);
            if (found.squaredDistance > limit) continue;
            if (found.squaredDistance == best.squaredDistance && triangle > best.triangle) continue;
            best = found;
            best.triangle = triangle;
            limit = found.squaredDistance;
        }
    });
    return best;
}

std::optional<RayHit> TriangleTree::raycast(const Vec3& origin, const Vec3& direction, double maxDistance) const {
    ASSERT(maxDistance >= 0);
    if (bvh_.empty() || !(direction.cwiseAbs().maxCoeff() > 0)) return std::nullopt;
    const ShearedRay sheared(origin, direction);
    const BoxRay ray(origin, direction);
    RayHit best;
    best.distance = maxDistance;

    // the nearer box first; what it hits shortens the ray for the other
    struct Pending {
        double entry;
        uint32_t node;
    };
    const auto nodes = bvh_.nodes();
    std::array<Pending, Bvh::kMaxDepth + 1> stack;
    int depth = 0;
    stack[depth++] = {ray.entry(nodes[0].box, maxDistance), 0};
    while (depth > 0) {
        const Pending pending = stack[--depth];
        if (!(pending.entry <= best.distance) || pending.entry == kInfinity) continue;
        const Bvh::Node& node = nodes[pending.node];
        if (node.isLeaf()) {
            for (uint32_t i = node.first; i < node.first + node.count; ++i) {
                // equal distances go to the lower index, in whatever order leaves are visited
                RayHit hit;
                if (!sheared.hits(corners_[i], hit) || !(hit.distance >= 0 && hit.distance <= best.distance)) continue;
                hit.triangle = static_cast<TriangleIndex>(bvh_.order()[i]);
                if (hit.distance < best.distance || hit.triangle < best.triangle) best = hit;
            }
            continue;
        }
        const Pending left{ray.entry(nodes[node.first].box, best.distance), node.first};
        const Pending right{ray.entry(nodes[node.first + 1].box, best.distance), node.first + 1};
        const bool leftFirst = left.entry <= right.entry;
        stack[depth++] = leftFirst ? right : left;
        stack[depth++] = leftFirst ? left : right;
    }
    // nothing within reach
    if (best.triangle == kNone<TriangleIndex>) return std::nullopt;
    return best;
}

std::vector<TriangleIndex> TriangleTree::overlapping(const Box3& box) const {
    std::vector<TriangleIndex> triangles;
    for (const uint32_t i : bvh_.overlapping(box)) triangles.push_back(static_cast<TriangleIndex>(i));
    return triangles;
}

PointTree::PointTree(std::span<const Vec3> points) : bvh_(boxesOf(points), BvhSplit::Halves) {
    points_.reserve(points.size());
    for (const uint32_t i : bvh_.order()) points_.push_back(points[i]);
}

PointTree::Nearest PointTree::nearest(const Vec3& query) const {
    Nearest best;
    walkNearestFirst(bvh_.nodes(), query, best.squaredDistance, [&](const Bvh::Node& leaf) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const Vec3& p = points_[i];
            const double squared = squaredLength(p.x() - query.x(), p.y() - query.y(), p.z() - query.z());
            const uint32_t index = bvh_.order()[i];
            if (squared < best.squaredDistance || (squared == best.squaredDistance && index < best.index))
                best = {index, squared};
        }
    });
    return best;
}

std::vector<uint32_t> PointTree::within(const Vec3& query, double radius) const {
    std::vector<uint32_t> found;
    const double limit = radius * radius;
    walkNearestFirst(bvh_.nodes(), query, limit, [&](const Bvh::Node& leaf) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const Vec3& p = points_[i];
            if (squaredLength(p.x() - query.x(), p.y() - query.y(), p.z() - query.z()) <= limit)
                found.push_back(bvh_.order()[i]);
        }
    });
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace sunder
