#include "geometry/tet/embedding.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/tet/detail/triangle_tet.h"
#include "geometry/tree/triangle_tree.h"
#include "math/predicates.h"

namespace sunder {

namespace {

constexpr size_t kVertexGrain = 1024;
constexpr size_t kTriangleGrain = 256;

Box3 boxOf(std::span<const Vec3> points) {
    Box3 box;
    for (const Vec3& x : points) box.add(x);
    return box;
}

std::vector<Box3> boxesOf(const TetMesh& mesh) {
    std::vector<Box3> boxes(mesh.tetCount());
    for (const TetIndex t : mesh.tets.indices()) boxes[raw(t)] = boxOf(mesh.corners(t));
    return boxes;
}

/// Zero inside, by exact signs; otherwise to the nearest of the faces that the point is outside of.
double squaredDistance(const std::array<Vec3, 4>& tet, const Vec3& point) {
    double nearest = std::numeric_limits<double>::infinity();
    bool outside = false;
    for (const auto& [i, j, k] : kTetFaces) {
        if (orient3d(tet[i], tet[j], tet[k], point) <= 0) continue;  // behind the outward face
        outside = true;
        nearest = std::min(nearest, closestPointOnTriangle(point, tet[i], tet[j], tet[k]).squaredDistance);
    }
    return outside ? nearest : 0;
}

}  // namespace

Vec4 barycentric(const TetMesh& mesh, TetIndex tet, const Vec3& point) {
    const auto x = mesh.corners(tet);
    const Vec3 a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0], p = point - x[0];
    const double sixVolumes = a.cross(b).dot(c);
    Vec4 weights;
    weights[1] = p.cross(b).dot(c) / sixVolumes;
    weights[2] = a.cross(p).dot(c) / sixVolumes;
    weights[3] = a.cross(b).dot(p) / sixVolumes;
    weights[0] = 1 - weights[1] - weights[2] - weights[3];
    return weights;
}

Vec3 pointAt(const TetMesh& mesh, const TetPoint& point) {
    const auto x = mesh.corners(point.tet);
    return point.weights[0] * x[0] + point.weights[1] * x[1] + point.weights[2] * x[2] + point.weights[3] * x[3];
}

TetLocator::TetLocator(const TetMesh& mesh) : mesh_(&mesh) {
    if (!mesh.tets.empty()) bvh_ = Bvh(boxesOf(mesh));
}

TetPoint TetLocator::locate(const Vec3& point) const {
    if (bvh_.empty()) return {};
    struct Pending {
        double squaredDistance;
        uint32_t node;
    };
    // nearest box first; equal distances go to the lower tet, in whatever order leaves are visited
    TetIndex best = kNone<TetIndex>;
    double limit = std::numeric_limits<double>::infinity();
    const auto nodes = bvh_.nodes();
    std::vector<Pending> open{{nodes[0].box.squaredDistance(point), 0}};
    while (!open.empty()) {
        const Pending next = open.back();
        open.pop_back();
        if (next.squaredDistance > limit) continue;
        const Bvh::Node& node = nodes[next.node];
        if (node.isLeaf()) {
            for (const uint32_t item : bvh_.order().subspan(node.first, node.count)) {
                const auto t = static_cast<TetIndex>(item);
                const double distance = squaredDistance(mesh_->corners(t), point);
                if (distance < limit || (distance == limit && t < best)) {
                    limit = distance;
                    best = t;
                }
            }
            continue;
        }
        // the nearer branch on top
        Pending near{nodes[node.first].box.squaredDistance(point), node.first};
        Pending far{nodes[node.first + 1].box.squaredDistance(point), node.first + 1};
        if (far.squaredDistance < near.squaredDistance) std::swap(near, far);
        open.push_back(far);
        open.push_back(near);
    }
    return {best, barycentric(*mesh_, best, point)};
}

std::vector<TetIndex> TetLocator::overlapping(const Box3& box) const {
    std::vector<TetIndex> tets;
    if (bvh_.empty()) return tets;
    for (const uint32_t item : bvh_.overlapping(box)) tets.push_back(static_cast<TetIndex>(item));
    return tets;
}

Embedding embed(const TriMesh& surface, const TetMesh& mesh) {
    ASSERT(mesh.tetCount() > 0);
    const TetLocator locator(mesh);
    Embedding result;

    // where the vertices sit
    result.vertices.resize(surface.vertexCount());
    parallelFor(surface.vertexCount(), kVertexGrain, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const auto v = static_cast<VertexIndex>(i);
            result.vertices[v] = locator.locate(surface.positions[v]);
        }
    });

    // what the triangles cross, block by block
    struct Crossed {
        std::vector<uint32_t> counts;
        std::vector<TetIndex> tets;
    };
    const size_t triangleCount = surface.triangleCount();
    std::vector<Crossed> blocks((triangleCount + kTriangleGrain - 1) / kTriangleGrain);
    parallelFor(triangleCount, kTriangleGrain, [&](const BlockRange& block) {
        Crossed& crossed = blocks[block.index];
        for (size_t i = block.begin; i < block.end; ++i) {
            const auto corners = surface.corners(static_cast<TriangleIndex>(i));
            const size_t before = crossed.tets.size();
            for (const TetIndex t : locator.overlapping(boxOf(corners))) {
                if (detail::overlaps(corners, mesh.corners(t))) crossed.tets.push_back(t);
            }
            // between tets: the nearest to its middle bears it
            if (crossed.tets.size() == before) {
                crossed.tets.push_back(locator.locate((corners[0] + corners[1] + corners[2]) / 3).tet);
            }
            crossed.counts.push_back(static_cast<uint32_t>(crossed.tets.size() - before));
        }
    });
    result.firstTet.reserve(triangleCount + 1);
    result.firstTet.push_back(0);
    for (const Crossed& crossed : blocks) {
        for (const uint32_t count : crossed.counts) result.firstTet.push_back(result.firstTet.back() + count);
        result.tets.insert(result.tets.end(), crossed.tets.begin(), crossed.tets.end());
    }
    return result;
}

TriMesh deformed(const TriMesh& surface, const Embedding& embedding, const TetMesh& movedMesh) {
    TriMesh result = surface;
    result.normals.clear();
    for (const VertexIndex v : result.positions.indices()) {
        result.positions[v] = pointAt(movedMesh, embedding.vertices[v]);
    }
    return result;
}

}  // namespace sunder
