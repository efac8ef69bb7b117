#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/detail/implicit.h"

namespace sunder::shapes {

namespace {

using PartSet = uint32_t;  // one bit per part

/// Parts whose surface passes within `tolerance` of the point, among those that could be highest there.
PartSet partsAt(const ImplicitShape& shape, const Vec3& point, double tolerance) {
    const double highest = shape.value(point);
    PartSet set = 0;
    for (size_t i = 0; i < shape.parts.size(); ++i) {
        if (shape.parts[i](point) >= highest - tolerance) set |= PartSet{1} << i;
    }
    return set;
}

struct Surface {
    Vec3 point;
    Vec3 normal;  // zero on a crease
};

/// Newton steps onto the surfaces of all given parts, one after the other. The normal is that of the last step, good
/// enough to tell which way is out.
Surface projected(const ImplicitShape& shape, PartSet set, Vec3 point) {
    Vec3 normal = Vec3::Zero();
    const int rounds = std::popcount(set) == 1 ? 1 : 5;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < shape.parts.size(); ++i) {
            if (!(set >> i & 1)) continue;
            const double step = 0.01 * shape.cellSize;
            Vec3 slope;
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 offset = step * Vec3::Unit(axis);
                slope[axis] = (shape.parts[i](point + offset) - shape.parts[i](point - offset)) / (2 * step);
            }
            const double steepness = std::max(slope.squaredNorm(), 0.1);
            Vec3 move = -shape.parts[i](point) / steepness * slope;
            const double length = move.norm();
            if (length > 0.3 * shape.cellSize) move *= 0.3 * shape.cellSize / length;
            point += move;
            normal = slope.normalized();
        }
    }
    return {point, std::popcount(set) == 1 ? normal : Vec3(Vec3::Zero())};
}

class EveningOut {
public:
    EveningOut(TriMesh& mesh, const ImplicitShape& shape) : mesh_(mesh), shape_(shape), topology_(mesh) {
        parts_.resize(mesh.vertexCount());
        normals_.resize(mesh.vertexCount(), Vec3::Zero());
        targets_.resize(mesh.vertexCount());
        forVertices([&](VertexIndex v) {
            parts_[v] = partsAt(shape_, mesh_.positions[v], 0.05 * shape_.cellSize);
            if (!onCrease(v))
                normals_[v] = shape_.normal(static_cast<size_t>(std::countr_zero(parts_[v])), mesh_.positions[v]);
        });
    }

    void round() {
        forVertices([&](VertexIndex v) { targets_[v] = projected(shape_, parts_[v], wanted(v)); });
        for (const VertexIndex v : mesh_.positions.indices()) tryMove(v);
    }

private:
    template <class Body>
    void forVertices(Body&& body) {
        parallelFor(mesh_.vertexCount(), 512, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) body(static_cast<VertexIndex>(i));
        });
    }

    bool onCrease(VertexIndex v) const { return std::popcount(parts_[v]) > 1; }

    /// Half way to the middle of the neighbours; on a crease, of those on the same crease; a corner stays.
    Vec3 wanted(VertexIndex v) const {
        const Vec3& here = mesh_.positions[v];
        if (std::popcount(parts_[v]) > 2) return here;
        Vec3 sum = Vec3::Zero();
        int count = 0;
        for (const TriangleIndex t : topology_.triangles(v)) {
            for (const VertexIndex other : mesh_.triangles[t]) {
                if (other == v || (parts_[v] & parts_[other]) != parts_[v]) continue;
                sum += mesh_.positions[other] - here;
                ++count;
            }
        }
        // a vertex beside a crease pulls away from nothing: all its neighbours lie on its own part
        if (count == 0 || (onCrease(v) && count != 4)) return here;
        return here + 0.5 * sum / count;
    }

    void tryMove(VertexIndex v) {
        const double before = worstAround(v);
        const Vec3 oldPosition = mesh_.positions[v], oldNormal = normals_[v];
        mesh_.positions[v] = targets_[v].point;
        normals_[v] = targets_[v].normal;
        if (worstAround(v) < std::min(before, 0.2)) {
            mesh_.positions[v] = oldPosition;
            normals_[v] = oldNormal;
        }
    }

    /// Height over longest side of the worst triangle, less where it leans away from the surface.
    double worstAround(VertexIndex v) const {
        double worst = 1;
        for (const TriangleIndex t : topology_.triangles(v)) worst = std::min(worst, score(t));
        return worst;
    }
    double score(TriangleIndex t) const {
        const auto [a, b, c] = mesh_.corners(t);
        const Vec3 area = (b - a).cross(c - a);
        const double size = area.norm();
        const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        if (!(size > 0)) return -1;
        double lean = 1;
        const Triangle& corners = mesh_.triangles[t];
        for (const VertexIndex v : corners) {
            if (!onCrease(v)) lean = std::min(lean, normals_[v].dot(area) / size);
        }
        // on a face whose corners are all on creases, or where one of them slid too far
        const PartSet common = parts_[corners[0]] & parts_[corners[1]] & parts_[corners[2]];
        if (std::popcount(common) == 1 && common != 1) {
            const Vec3 normal = shape_.normal(static_cast<size_t>(std::countr_zero(common)), a);
            lean = std::min(lean, normal.dot(area) / size);
        }
        return lean <= 0 ? lean - 1 : size / longest * std::min(1.0, 2 * lean);
    }

    TriMesh& mesh_;
    const ImplicitShape& shape_;
    MeshTopology topology_;
    IndexedVector<VertexIndex, PartSet> parts_;
    IndexedVector<VertexIndex, Vec3> normals_;  // meaningful off creases
    IndexedVector<VertexIndex, Surface> targets_;
};

}  // namespace

void evenOut(TriMesh& mesh, const ImplicitShape& shape, int rounds) {
    EveningOut work(mesh, shape);
    for (int i = 0; i < rounds; ++i) work.round();
}

}  // namespace sunder::shapes
