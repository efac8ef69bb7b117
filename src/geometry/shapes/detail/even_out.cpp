#include <algorithm>
#include <bit>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/detail/implicit.h"

namespace sunder::shapes {

namespace {

using PartSet = PartedSurface::PartSet;

/// Central differences; not normalised.
Vec3 slopeOf(const DistanceFunction& f, const Vec3& point, double step) {
    Vec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3 offset = step * Vec3::Unit(axis);
        slope[axis] = (f(point + offset) - f(point - offset)) / (2 * step);
    }
    return slope;
}

struct Footing {
    Vec3 point;
    Vec3 normal;  // zero on a crease
};

/// Newton steps onto the surfaces of all given parts, one after the other. The normal is that of the last step, good
/// enough to tell which way is out.
Footing projected(const PartedSurface& surface, PartSet set, Vec3 point) {
    const bool crease = std::popcount(set) > 1;
    Vec3 normal = Vec3::Zero();
    for (int round = 0; round < (crease ? 4 : 1); ++round) {
        for (size_t i = 0; i < surface.parts.size(); ++i) {
            if (!(set >> i & 1)) continue;
            const Vec3 slope = slopeOf(surface.parts[i], point, 0.01 * surface.cellSize);
            Vec3 move = -surface.parts[i](point) / std::max(slope.squaredNorm(), 0.1) * slope;
            const double longest = 0.3 * surface.cellSize, length = move.norm();
            if (length > longest) move *= longest / length;
            point += move;
            normal = slope.normalized();
        }
    }
    if (surface.settle) point = surface.settle(set, point);
    return {point, crease ? Vec3(Vec3::Zero()) : normal};
}

class EveningOut {
public:
    explicit EveningOut(PartedSurface& surface)
        : surface_(surface),
          mesh_(surface.mesh),
          topology_(surface.mesh),
          normals_(surface.mesh.vertexCount(), Vec3::Zero()),
          targets_(surface.mesh.vertexCount()) {
        forVertices([&](VertexIndex v) {
            if (!onCrease(v)) normals_[v] = surface_.normal(partOf(v), mesh_.positions[v]);
        });
    }

    void round() {
        forVertices([&](VertexIndex v) {
            targets_[v] = projected(surface_, surface_.partsOf[v], wanted(v));
            if (leadsOut(v)) targets_[v] = {mesh_.positions[v], normals_[v]};
        });
        for (const VertexIndex v : mesh_.positions.indices()) tryMove(v);
    }

private:
    template <class Body>
    void forVertices(Body&& body) {
        parallelFor(mesh_.vertexCount(), 512, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) body(static_cast<VertexIndex>(i));
        });
    }

    bool onCrease(VertexIndex v) const { return std::popcount(surface_.partsOf[v]) > 1; }
    size_t partOf(VertexIndex v) const { return static_cast<size_t>(std::countr_zero(surface_.partsOf[v])); }

    /// Half way to the middle of the neighbours; on a crease, of the two on the same crease; a corner stays.
    Vec3 wanted(VertexIndex v) const {
        const Vec3& here = mesh_.positions[v];
        const PartSet mine = surface_.partsOf[v];
        if (std::popcount(mine) > 2) return here;
        Vec3 sum = Vec3::Zero();
        int count = 0;
        for (const TriangleIndex t : topology_.triangles(v)) {
            for (const VertexIndex other : mesh_.triangles[t]) {
                if (other == v || (mine & surface_.partsOf[other]) != mine) continue;
                sum += mesh_.positions[other] - here;
                ++count;
            }
        }
        // every neighbour comes twice, once per triangle
        if (count == 0 || (onCrease(v) && count != 4)) return here;
        return here + 0.5 * sum / count;
    }

    /// Through, or too near to, a part that the vertex does not lie on: the surface would cross itself there.
    bool leadsOut(VertexIndex v) const {
        const double nearest = -0.05 * surface_.cellSize;
        for (size_t i = 0; i < surface_.parts.size(); ++i) {
            if (surface_.partsOf[v] >> i & 1) continue;
            const double target = surface_.parts[i](targets_[v].point);
            if (target > nearest && target > surface_.parts[i](mesh_.positions[v])) return true;
        }
        return false;
    }

    void tryMove(VertexIndex v) {
        const double before = worstAround(v);
        const Footing old{mesh_.positions[v], normals_[v]};
        mesh_.positions[v] = targets_[v].point;
        normals_[v] = targets_[v].normal;
        if (worstAround(v) < std::min(before, 0.2)) {
            mesh_.positions[v] = old.point;
            normals_[v] = old.normal;
        }
    }

    double worstAround(VertexIndex v) const {
        double worst = 1;
        for (const TriangleIndex t : topology_.triangles(v)) worst = std::min(worst, score(t));
        return worst;
    }

    /// Height over longest side, less where the triangle leans away from the surface, negative where it is folded.
    double score(TriangleIndex t) const {
        const auto [a, b, c] = mesh_.corners(t);
        const Vec3 area = (b - a).cross(c - a);
        const double size = area.norm();
        if (!(size > 0)) return -2;
        const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        double lean = 1;
        bool allOnCreases = true;
        for (const VertexIndex v : mesh_.triangles[t]) {
            if (onCrease(v)) continue;
            allOnCreases = false;
            lean = std::min(lean, normals_[v].dot(area) / size);
        }
        if (allOnCreases) lean = surface_.normal(surface_.partOf(t), (a + b + c) / 3).dot(area) / size;
        return lean <= 0 ? lean - 1 : size / longest * std::min(1.0, 2 * lean);
    }

    PartedSurface& surface_;
    TriMesh& mesh_;
    MeshTopology topology_;
    IndexedVector<VertexIndex, Vec3> normals_;  // meaningful off creases
    IndexedVector<VertexIndex, Footing> targets_;
};

}  // namespace

Vec3 PartedSurface::normal(size_t part, const Vec3& point) const {
    const Vec3 slope = slopeOf(parts[part], point, 0.01 * cellSize);
    const double length = slope.norm();
    return length > 0 ? Vec3(slope / length) : Vec3(0, 1, 0);
}

size_t PartedSurface::partOf(TriangleIndex t) const {
    const Triangle& v = mesh.triangles[t];
    const PartSet common = partsOf[v[0]] & partsOf[v[1]] & partsOf[v[2]];
    ASSERT(common != 0);
    return static_cast<size_t>(std::countr_zero(common));
}

void evenOut(PartedSurface& surface, int rounds) {
    EveningOut work(surface);
    for (int i = 0; i < rounds; ++i) work.round();
}

void setNormals(PartedSurface& surface) {
    TriMesh& mesh = surface.mesh;
    // of the first part, the dear one, once per vertex
    IndexedVector<VertexIndex, Vec3> firstNormal(mesh.vertexCount());
    parallelFor(mesh.vertexCount(), 512, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const VertexIndex v = static_cast<VertexIndex>(i);
            if (surface.partsOf[v] & 1) firstNormal[v] = surface.normal(0, mesh.positions[v]);
        }
    });
    // a triangle belongs to one part of the surface: its corners' normals are of that part
    mesh.normals.assign(mesh.triangleCount(), {});
    parallelFor(mesh.triangleCount(), 1024, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const TriangleIndex t = static_cast<TriangleIndex>(i);
            const auto corners = mesh.corners(t);
            const Vec3 face = mesh.areaVector(t).normalized();
            const size_t part = surface.partOf(t);
            for (size_t c = 0; c < 3; ++c) {
                const Vec3 normal = part == 0 ? firstNormal[mesh.triangles[t][c]] : surface.normal(part, corners[c]);
                // at a tip narrower than its triangles the true normal may point past the face
                mesh.normals[t][c] = normal.dot(face) > 0.1 ? normal : face;
            }
        }
    });
}

}  // namespace sunder::shapes
