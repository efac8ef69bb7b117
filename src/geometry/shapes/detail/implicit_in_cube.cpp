#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/parallel.h"
#include "geometry/shapes/detail/implicit.h"
#include "geometry/shapes/detail/lattice.h"

namespace sunder::shapes {

namespace {

/// The six tetrahedra of a cube [freudenthal1942]: paths along its edges from corner 0 to corner 7, whose bits are the
/// steps taken in x, y and z. Ordered so that all have positive volume.
constexpr std::array<std::array<uint32_t, 4>, 6> kTets{
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

class Marching {
public:
    Marching(const DistanceFunction& distance, double half, int cells)
        : half_(half), points_(static_cast<uint32_t>(cells) + 1), values_(size_t{points_} * points_ * points_) {
        parallelFor(values_.size(), 4096, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) values_[i] = distance(position(static_cast<uint32_t>(i)));
        });
        surface_.cellSize = 2 * half / cells;
        surface_.parts = {distance, [half](const Vec3& p) { return std::abs(p.x()) - half; },
                          [half](const Vec3& p) { return std::abs(p.y()) - half; },
                          [half](const Vec3& p) { return std::abs(p.z()) - half; }};
        surface_.settle = [half](PartedSurface::PartSet set, const Vec3& p) {
            Vec3 settled = p;
            for (int axis = 0; axis < 3; ++axis) {
                if (set & (2u << axis)) settled[axis] = std::copysign(half, p[axis]);
            }
            return settled;
        };
    }

    PartedSurface run() {
        for (uint32_t k = 0; k + 1 < points_; ++k) {
            for (uint32_t j = 0; j + 1 < points_; ++j) {
                for (uint32_t i = 0; i + 1 < points_; ++i) {
                    for (const auto& path : kTets) march(i + points_ * (j + points_ * k), path);
                }
            }
        }
        return std::move(surface_);
    }

private:
    using Tet = std::array<uint32_t, 4>;  // lattice points, positive volume

    uint32_t coordinate(uint32_t point, int axis) const {
        return axis == 0 ? point % points_ : axis == 1 ? point / points_ % points_ : point / (points_ * points_);
    }
    Vec3 position(uint32_t point) const {
        Vec3 p;
        for (int axis = 0; axis < 3; ++axis) {
            const double t = static_cast<double>(coordinate(point, axis)) / (points_ - 1);
            p[axis] = half_ * (2 * t - 1);
        }
        return p;
    }
    bool inside(uint32_t point) const { return values_[point] < 0; }

    /// Faces of the cube that the point lies in, as parts.
    PartedSurface::PartSet facesAt(uint32_t point) const {
        PartedSurface::PartSet set = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const uint32_t c = coordinate(point, axis);
            if (c == 0 || c == points_ - 1) set |= 2u << axis;
        }
        return set;
    }

    void march(uint32_t corner, const std::array<uint32_t, 4>& path) {
        // the four corners of this sixth of a cell, and how many are inside
        Tet tet;
        int count = 0;
        for (size_t i = 0; i < 4; ++i) {
            const uint32_t step = path[i];
            tet[i] = corner + (step & 1) + points_ * ((step >> 1 & 1) + points_ * (step >> 2 & 1));
            count += inside(tet[i]);
        }
        if (count > 0) addOuterFaces(tet);
        if (count == 0 || count == 4) return;

        // bring the odd one out, or the inner pair, to the front by an even permutation
        constexpr std::array<std::array<size_t, 4>, 12> kEven{{{0, 1, 2, 3},
                                                               {0, 2, 3, 1},
                                                               {0, 3, 1, 2},
                                                               {1, 0, 3, 2},
                                                               {1, 2, 0, 3},
                                                               {1, 3, 2, 0},
                                                               {2, 0, 1, 3},
                                                               {2, 1, 3, 0},
                                                               {2, 3, 0, 1},
                                                               {3, 0, 2, 1},
                                                               {3, 1, 0, 2},
                                                               {3, 2, 1, 0}}};
        // one corner is cut off by a triangle, two from two by a quad
        for (const auto& order : kEven) {
            const auto [a, b, c, d] = Tet{tet[order[0]], tet[order[1]], tet[order[2]], tet[order[3]]};
            if (count == 1 && inside(a)) return addTriangle(onEdge(a, b), onEdge(a, c), onEdge(a, d));
            if (count == 3 && !inside(a)) return addTriangle(onEdge(a, b), onEdge(a, d), onEdge(a, c));
            if (count == 2 && inside(a) && inside(b)) {
                return addQuad(onEdge(a, c), onEdge(a, d), onEdge(b, d), onEdge(b, c));
            }
        }
    }

    /// What the cube cuts off: the inner part of each side of the tetrahedron that lies in a face of the cube.
    void addOuterFaces(const Tet& tet) {
        const auto [a, b, c, d] = tet;
        for (const std::array<uint32_t, 3>& side : {std::array{b, c, d}, {a, d, c}, {a, b, d}, {a, c, b}}) {
            if ((facesAt(side[0]) & facesAt(side[1]) & facesAt(side[2])) == 0) continue;
            const int count = inside(side[0]) + inside(side[1]) + inside(side[2]);
            for (size_t turn = 0; turn < 3; ++turn) {
                const uint32_t u = side[turn], v = side[(turn + 1) % 3], w = side[(turn + 2) % 3];
                if (count == 3) {
                    addTriangle(atPoint(u), atPoint(v), atPoint(w));
                    break;
                }
                if (count == 1 && inside(u)) addTriangle(atPoint(u), onEdge(u, v), onEdge(u, w));
                if (count == 2 && !inside(w)) addQuad(atPoint(u), atPoint(v), onEdge(v, w), onEdge(u, w));
            }
        }
    }

    VertexIndex atPoint(uint32_t point) { return vertex(uint64_t{point} * 8, position(point), facesAt(point)); }

    /// Where the surface crosses an edge, kept off its ends so that no triangle is too small to be evened out.
    VertexIndex onEdge(uint32_t a, uint32_t b) {
        if (a > b) std::swap(a, b);
        uint32_t steps = 0;
        for (int axis = 0; axis < 3; ++axis) steps |= (coordinate(b, axis) - coordinate(a, axis)) << axis;
        const double t = std::clamp(values_[a] / (values_[a] - values_[b]), 0.2, 0.8);
        return vertex(uint64_t{a} * 8 + steps, (1 - t) * position(a) + t * position(b), (facesAt(a) & facesAt(b)) | 1u);
    }

    VertexIndex vertex(uint64_t key, const Vec3& point, PartedSurface::PartSet parts) {
        const auto [known, isNew] = vertexOf_.try_emplace(key, kNone<VertexIndex>);
        if (isNew) {
            known->second = surface_.mesh.positions.push_back(point);
            surface_.partsOf.push_back(parts);
        }
        return known->second;
    }

    void addTriangle(VertexIndex a, VertexIndex b, VertexIndex c) { surface_.mesh.triangles.push_back({a, b, c}); }

    void addQuad(VertexIndex a, VertexIndex b, VertexIndex c, VertexIndex d) {
        const auto& p = surface_.mesh.positions;
        if ((p[a] - p[c]).squaredNorm() <= (p[b] - p[d]).squaredNorm()) {
            addTriangle(a, b, c);
            addTriangle(a, c, d);
        } else {
            addTriangle(a, b, d);
            addTriangle(b, c, d);
        }
    }

    double half_;
    uint32_t points_;
    std::vector<double> values_;
    PartedSurface surface_;
    std::unordered_map<uint64_t, VertexIndex> vertexOf_;  // only looked up, so its order does not matter
};

}  // namespace

TriMesh implicitMeshInCube(const DistanceFunction& distance, double half, int cells) {
    PartedSurface surface = Marching(distance, half, cells).run();
    keepLargestPiece(surface.mesh);
    evenOut(surface, 6);
    setNormals(surface);
    removeUnusedVertices(surface.mesh);
    projectUvs(surface.mesh, 2 * half);
    return std::move(surface.mesh);
}

}  // namespace sunder::shapes
