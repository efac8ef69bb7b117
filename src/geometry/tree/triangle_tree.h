#pragma once

#include <limits>
#include <optional>

#include "geometry/mesh/tri_mesh.h"
#include "geometry/tree/bvh.h"

namespace sunder {

/// The nearest point of a surface.
struct SurfacePoint {
    TriangleIndex triangle = kNone<TriangleIndex>;  // none: nothing is near enough, or no mesh was asked
    Vec3 point = Vec3::Zero();                      // on the triangle
    Vec3 barycentric = Vec3::Zero();                // of the point, sums to 1
    double squaredDistance = std::numeric_limits<double>::infinity();  // m^2; infinite: nothing is near enough
};

/// Where a ray meets a triangle.
struct RayHit {
    TriangleIndex triangle = kNone<TriangleIndex>;  // the lowest of those at that distance
    double distance = 0;                            // along the ray, in units of its direction
    Vec3 barycentric = Vec3::Zero();                // of the place, sums to 1
};

/// Nearest point of one triangle, exact for degenerate triangles too. The point lies in the triangle's box, so the
/// computed distance is never below the computed distance to any box around the triangle: trees prune without slack.
SurfacePoint closestPointOnTriangle(const Vec3& query, const Vec3& a, const Vec3& b, const Vec3& c);

/// One box per triangle.
std::vector<Box3> boxesOf(const TriMesh& mesh);

/// Questions about a triangle surface that stays alive and unchanged while the tree is used.
class TriangleTree {
public:
    /// Builds the tree. Corners are copied, so refit() is due when vertices have moved.
    explicit TriangleTree(const TriMesh& mesh);
    /// Over the triangles of a tree after they were moved, in another mesh: made as quickly as by refit().
    TriangleTree(const TriMesh& moved, const TriangleTree& before);

    /// Nearest surface point; ties go to the lowest triangle. `within` (m) limits the search: nothing nearer gives an
    /// infinite squaredDistance.
    SurfacePoint closestPoint(const Vec3& query, double within = std::numeric_limits<double>::infinity()) const;
    /// First hit with 0 <= distance <= maxDistance, from either side; ties go to the lowest triangle. Watertight: a ray
    /// cannot slip through an edge or vertex that triangles share.
    std::optional<RayHit> raycast(const Vec3& origin, const Vec3& direction,
                                  double maxDistance = std::numeric_limits<double>::infinity()) const;
    /// Triangles whose box overlaps, ascending.
    std::vector<TriangleIndex> overlapping(const Box3& box) const;

    /// After the mesh's vertices moved.
    void refit();

    const TriMesh& mesh() const { return *mesh_; }  // the one it was made of
    const Bvh& bvh() const { return bvh_; }         // over the triangles' boxes; item i is triangle i

private:
    void copyCorners();

    const TriMesh* mesh_;
    Bvh bvh_;
    std::vector<std::array<Vec3, 3>> corners_;  // in the order of bvh_.order()
};

/// Nearest of a fixed set of points.
class PointTree {
public:
    /// Points are copied.
    explicit PointTree(std::span<const Vec3> points);
    /// The answer of nearest().
    struct Nearest {
        uint32_t index = kInvalidIndex;                                    // of the point; none: there are no points
        double squaredDistance = std::numeric_limits<double>::infinity();  // infinite: there are no points
    };
    /// Ties go to the lowest index.
    Nearest nearest(const Vec3& query) const;
    /// All points within the radius, ascending index.
    std::vector<uint32_t> within(const Vec3& query, double radius) const;

private:
    Bvh bvh_;
    std::vector<Vec3> points_;  // in the order of bvh_.order()
};

}  // namespace sunder
