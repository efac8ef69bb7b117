#include "geometry/repair/double_walls.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

constexpr double kLeastWall = 0.02;  // of the larger part's area

/// A connected part of the surface.
struct WallPart {
    std::vector<TriangleIndex> triangles;
    Box3 box;
    double area = 0;  // m^2
};

/// One part's surface, to be asked for distances.
class WallSurface {
public:
    WallSurface(const TriMesh& mesh, const WallPart& part) : surface_(subset(mesh, part.triangles)), tree_(surface_) {}

    /// The largest distance of the other part's corners and middles; negative when it is more than `limit`.
    double reachOf(const TriMesh& mesh, const WallPart& other, double limit) const {
        double farthest = 0;
        for (const TriangleIndex t : other.triangles) {
            const auto [a, b, c] = mesh.corners(t);
            for (const Vec3& p : {a, b, c, Vec3((a + b + c) / 3)}) {
                const double squared = tree_.closestPoint(p, limit).squaredDistance;
                if (!(squared <= limit * limit)) return -1;
                farthest = std::max(farthest, squared);
            }
        }
        return std::sqrt(farthest);
    }

private:
    TriMesh surface_;
    TriangleTree tree_;
};

bool liesWithin(const Box3& inner, const Box3& outer) {
    return (outer.min.array() <= inner.min.array()).all() && (outer.max.array() >= inner.max.array()).all();
}

}  // namespace

DoubleWalls dropDoubleWalls(TriMesh& mesh, double distance) {
    const Components components = connectedComponents(mesh, MeshTopology(mesh));
    DoubleWalls result;
    if (components.count < 2) return result;
    std::vector<WallPart> parts(components.count);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        WallPart& part = parts[raw(components.ofTriangle[t])];
        part.triangles.push_back(t);
        part.area += 0.5 * mesh.areaVector(t).norm();
        for (const Vec3& corner : mesh.corners(t)) part.box.add(corner);
    }
    std::vector<Box3> boxes;
    for (const WallPart& part : parts) boxes.push_back(part.box.expanded(distance));

    // from the largest pairs down, so that a surface there three times stays once
    std::vector<std::pair<uint32_t, uint32_t>> pairs;  // larger, smaller
    for (auto [a, b] : Bvh(boxes).overlappingPairsWithin()) {
        if (parts[b].area > parts[a].area) std::swap(a, b);
        if (parts[b].area >= kLeastWall * parts[a].area && liesWithin(parts[b].box, boxes[a])) pairs.emplace_back(a, b);
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& p, const auto& q) { return parts[p.first].area > parts[q.first].area; });
    std::vector<std::unique_ptr<WallSurface>> surfaces(parts.size());
    std::vector<uint8_t> gone(parts.size(), 0);
    detail::KeepMask keep(mesh.triangleCount(), 1);
    for (const auto& [larger, smaller] : pairs) {
        if (gone[larger] || gone[smaller]) continue;
        if (!surfaces[larger]) surfaces[larger] = std::make_unique<WallSurface>(mesh, parts[larger]);
        const double reach = surfaces[larger]->reachOf(mesh, parts[smaller], distance);
        if (reach < 0) continue;
        gone[smaller] = 1;
        ++result.parts;
        result.distance = std::max(result.distance, reach);
        for (const TriangleIndex t : parts[smaller].triangles) keep[t] = 0;
    }
    if (result.parts == 0) return result;
    result.triangles = detail::keepTriangles(mesh, keep);
    removeUnusedVertices(mesh);
    return result;
}

}  // namespace sunder
