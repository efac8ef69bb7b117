#include "dynamics/detail/narrow/gjk.h"

#include <limits>

#include "base/assert.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::dynamics::detail {

namespace {

/// Whether the origin lies inside a tetrahedron that has volume.
bool holdsOrigin(const Vec3* p) {
    constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    for (const auto& [a, b, c, opposite] : kFaces) {
        const Vec3 normal = (p[b] - p[a]).cross(p[c] - p[a]);
        const double inside = normal.dot(p[opposite] - p[a]), origin = normal.dot(-p[a]);
        if (inside == 0 || (inside > 0) != (origin > 0)) return false;
    }
    return true;
}

}  // namespace

bool DifferenceSimplex::holds(const Vec3& point) const {
    for (int i = 0; i < count_; ++i)
        if (points_[i] == point) return true;
    return false;
}

bool DifferenceSimplex::add(const Vec3& point) {
    ASSERT(count_ >= 1 && count_ < 4);
    points_[count_++] = point;
    if (count_ == 4 && holdsOrigin(points_)) return false;

    // the nearest of all triangles; fewer points make one with equal corners
    constexpr int kTriangles[4][3] = {{0, 1, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2}};
    constexpr int kFewer[2][3] = {{0, 1, 1}, {0, 1, 2}};
    const int triangles = count_ == 4 ? 4 : 1;
    SurfacePoint best;
    const int* corners = nullptr;
    for (int t = 0; t < triangles; ++t) {
        const int* candidate = count_ == 4 ? kTriangles[t] : kFewer[count_ - 2];
        const SurfacePoint nearest =
            closestPointOnTriangle(Vec3::Zero(), points_[candidate[0]], points_[candidate[1]], points_[candidate[2]]);
        if (nearest.squaredDistance < best.squaredDistance) best = nearest, corners = candidate;
    }
    if (corners == nullptr) return true;  // not finite

    // only the corners that carry the nearest point stay
    Vec3 kept[3];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        if (best.barycentric[i] == 0) continue;
        const Vec3& corner = points_[corners[i]];
        if (count > 0 && kept[count - 1] == corner) continue;
        kept[count++] = corner;
    }
    for (int i = 0; i < count; ++i) points_[i] = kept[i];
    count_ = count;
    nearest_ = best.point;
    return true;
}

}  // namespace sunder::dynamics::detail
