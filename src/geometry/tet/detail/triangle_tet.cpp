#include "geometry/tet/detail/triangle_tet.h"

#include <algorithm>
#include <limits>

#include "geometry/tet/tet_mesh.h"

namespace sunder::detail {

namespace {

/// Decides along one direction whether the two leave a gap that rounding cannot explain.
class GapTest {
public:
    GapTest(const std::array<Vec3, 3>& triangle, const std::array<Vec3, 4>& tet) {
        // near the origin, so that rounding is that of the coordinates' differences
        const Vec3& origin = triangle[0];
        double largest = 0;
        for (size_t i = 0; i < 3; ++i) {
            triangle_[i] = triangle[i] - origin;
            largest = std::max({largest, triangle[i].cwiseAbs().maxCoeff(), triangle_[i].cwiseAbs().maxCoeff()});
        }
        for (size_t i = 0; i < 4; ++i) {
            tet_[i] = tet[i] - origin;
            largest = std::max({largest, tet[i].cwiseAbs().maxCoeff(), tet_[i].cwiseAbs().maxCoeff()});
        }
        rounding_ = 8 * std::numeric_limits<double>::epsilon() * largest;
    }

    bool gapAlong(const Vec3& direction) const {
        double triangleMin = direction.dot(triangle_[0]), triangleMax = triangleMin;
        for (size_t i = 1; i < 3; ++i) {
            const double x = direction.dot(triangle_[i]);
            triangleMin = std::min(triangleMin, x);
            triangleMax = std::max(triangleMax, x);
        }
        double tetMin = direction.dot(tet_[0]), tetMax = tetMin;
        for (size_t i = 1; i < 4; ++i) {
            const double x = direction.dot(tet_[i]);
            tetMin = std::min(tetMin, x);
            tetMax = std::max(tetMax, x);
        }
        return std::max(tetMin - triangleMax, triangleMin - tetMax) > rounding_ * direction.cwiseAbs().sum();
    }

    const std::array<Vec3, 3>& triangle() const { return triangle_; }
    const std::array<Vec3, 4>& tet() const { return tet_; }

private:
    std::array<Vec3, 3> triangle_;
    std::array<Vec3, 4> tet_;
    double rounding_ = 0;
};

}  // namespace

// Two convex bodies are apart exactly if there is a gap along a face normal of one, or along the cross product of an
// edge of each. A direction with rounding in it is just another direction: only the gap needs a margin. In-plane
// normals of the triangle's edges are there for the case that triangle and face are parallel.
bool overlaps(const std::array<Vec3, 3>& triangle, const std::array<Vec3, 4>& tet) {
    // normals of the tet's faces
    const GapTest test(triangle, tet);
    const auto& a = test.triangle();
    const auto& b = test.tet();
    for (const auto& [i, j, k] : kTetFaces) {
        if (test.gapAlong((b[j] - b[i]).cross(b[k] - b[i]))) return false;
    }
    // the triangle's own normal, then directions that involve its edges
    const Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]);
    if (test.gapAlong(normal)) return false;
    for (size_t side = 0; side < 3; ++side) {
        const Vec3 edge = a[(side + 1) % 3] - a[side];
        if (test.gapAlong(edge.cross(normal))) return false;
        for (size_t i = 0; i < 4; ++i) {
            for (size_t j = 0; j < i; ++j) {
                if (test.gapAlong(edge.cross(b[i] - b[j]))) return false;
            }
        }
    }
    return true;
}

}  // namespace sunder::detail
