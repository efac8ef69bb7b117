#include "geometry/shapes/detail/lattice.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"

namespace sunder::shapes {

namespace {

int boxesAlong(const LatticePlanes& planes, size_t axis) { return static_cast<int>(planes[axis].size()) - 1; }

/// Collects the quads between filled and empty boxes.
class SurfaceCollector {
public:
    explicit SurfaceCollector(const LatticePlanes& planes)
        : planes_(planes), vertexAt_(planes[0].size() * planes[1].size() * planes[2].size(), kNone<VertexIndex>) {}

    /// The side of box `at` across `axis`, towards plus or minus.
    void addSide(const Int3& at, size_t axis, bool plus) {
        const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<VertexIndex, 4> quad;
        for (size_t i = 0; i < 4; ++i) {
            Int3 corner = at;
            corner[axis] += plus;
            corner[u] += i == 1 || i == 2;
            corner[v] += i >= 2;
            quad[plus ? i : 3 - i] = vertex(corner);
        }
        // diagonals to and fro, so that no direction is preferred
        if ((at[0] + at[1] + at[2]) % 2 == 0) {
            mesh_.triangles.push_back({quad[0], quad[1], quad[2]});
            mesh_.triangles.push_back({quad[0], quad[2], quad[3]});
        } else {
            mesh_.triangles.push_back({quad[1], quad[2], quad[3]});
            mesh_.triangles.push_back({quad[1], quad[3], quad[0]});
        }
    }

    TriMesh take() { return std::move(mesh_); }

private:
    VertexIndex vertex(const Int3& at) {
        const size_t place =
            static_cast<size_t>(at[0]) +
            planes_[0].size() * (static_cast<size_t>(at[1]) + planes_[1].size() * static_cast<size_t>(at[2]));
        VertexIndex& known = vertexAt_[place];
        if (known == kNone<VertexIndex>) {
            known = mesh_.positions.push_back({planes_[0][static_cast<size_t>(at[0])],
                                               planes_[1][static_cast<size_t>(at[1])],
                                               planes_[2][static_cast<size_t>(at[2])]});
        }
        return known;
    }

    const LatticePlanes& planes_;
    std::vector<VertexIndex> vertexAt_;
    TriMesh mesh_;
};

/// Planes of a rounded box on one axis: equal angles in the roundings, equal steps between.
std::vector<double> roundedPlanes(double half, double rounding, double spacing) {
    if (rounding == 0) return subdivided({-half, half}, spacing);
    const int steps = std::max(1, static_cast<int>(std::round(rounding * std::numbers::pi / 4 / spacing)));
    const double core = half - rounding;
    std::vector<double> planes;
    for (int i = steps; i > 0; --i) {
        const Vec2 angle = onUnitCircle(0.125 * i / steps);
        planes.push_back(-core - rounding * (i == steps ? 1.0 : angle.y() / angle.x()));
    }
    if (core > 0.05 * spacing) {
        for (const double place : subdivided({-core, core}, spacing)) planes.push_back(place);
    } else {
        planes.push_back(0);
    }
    for (int i = steps - 1; i >= 0; --i) planes.push_back(-planes[static_cast<size_t>(i)]);
    return planes;
}

}  // namespace

std::vector<double> subdivided(std::vector<double> places, double spacing) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<double> result{places.front()};
    for (size_t i = 0; i + 1 < places.size(); ++i) {
        const double from = places[i], to = places[i + 1];
        const int steps = std::max(1, static_cast<int>(std::round((to - from) / spacing)));
        for (int k = 1; k < steps; ++k) result.push_back(from + (to - from) * k / steps);
        result.push_back(to);
    }
    return result;
}

double boxSpacing(const Vec3& size, int resolution) {
    const double wanted = 2 * (size.sum() - size.minCoeff()) / resolution;
    const double needleFree = 32 * size.minCoeff();
    const double finest = size.maxCoeff() / resolution;
    return std::max(std::min(wanted, needleFree), finest);
}

TriMesh latticeSurface(const LatticePlanes& planes, const std::function<bool(int, int, int)>& filled) {
    // beyond the lattice nothing is filled
    const Int3 boxes{boxesAlong(planes, 0), boxesAlong(planes, 1), boxesAlong(planes, 2)};
    const auto isFilled = [&](const Int3& at) {
        for (size_t axis = 0; axis < 3; ++axis) {
            if (at[axis] < 0 || at[axis] >= boxes[axis]) return false;
        }
        return filled(at[0], at[1], at[2]);
    };
    // the sides of filled boxes that no filled box is behind
    SurfaceCollector surface(planes);
    for (int k = 0; k < boxes[2]; ++k) {
        for (int j = 0; j < boxes[1]; ++j) {
            for (int i = 0; i < boxes[0]; ++i) {
                if (!filled(i, j, k)) continue;
                for (size_t axis = 0; axis < 3; ++axis) {
                    for (const int step : {-1, 1}) {
                        Int3 neighbour{i, j, k};
                        neighbour[axis] += step;
                        if (!isFilled(neighbour)) surface.addSide({i, j, k}, axis, step > 0);
                    }
                }
            }
        }
    }
    // each side is flat, and its picture as large as that of any other
    TriMesh mesh = surface.take();
    setFlatNormals(mesh);
    projectUvs(mesh, boundsOf(mesh).size().maxCoeff());
    return mesh;
}

TriMesh boxMesh(const Vec3& size, double rounding, double spacing) {
    ASSERT(rounding >= 0 && rounding < size.minCoeff());
    const Vec3 half = 0.5 * size;
    const Vec3 core = half.array() - rounding;
    TriMesh mesh =
        latticeSurface({roundedPlanes(half.x(), rounding, spacing), roundedPlanes(half.y(), rounding, spacing),
                        roundedPlanes(half.z(), rounding, spacing)},
                       [](int, int, int) { return true; });
    if (rounding == 0) return mesh;
    // from the sharp box onto the round one, along the line to the core
    IndexedVector<VertexIndex, Vec3> normals(mesh.vertexCount());
    for (const VertexIndex v : mesh.positions.indices()) {
        const Vec3 nearest = mesh.positions[v].cwiseMax(-core).cwiseMin(core);
        normals[v] = (mesh.positions[v] - nearest).normalized();
        mesh.positions[v] = nearest + rounding * normals[v];
    }
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t i = 0; i < 3; ++i) mesh.normals[t][i] = normals[mesh.triangles[t][i]];
    }
    return mesh;
}

void setFlatNormals(TriMesh& mesh) {
    mesh.normals.clear();
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 normal = mesh.areaVector(t).normalized();
        mesh.normals.push_back({normal, normal, normal});
    }
}

void projectUvs(TriMesh& mesh, double scale) {
    // each triangle is seen along the axis it faces most
    const Box3 box = boundsOf(mesh);
    mesh.uvs.clear();
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Vec3 normal = mesh.areaVector(t);
        int across = 0;
        normal.cwiseAbs().maxCoeff(&across);
        const bool plus = normal[across] > 0;
        std::array<Vec2, 3> uvs;
        for (size_t i = 0; i < 3; ++i) {
            const Vec3 p = mesh.positions[mesh.triangles[t][i]] - box.min;
            const Vec3 q = box.max - mesh.positions[mesh.triangles[t][i]];
            // upright on the sides, and never mirrored
            if (across == 0) uvs[i] = Vec2(plus ? q.z() : p.z(), p.y());
            if (across == 1) uvs[i] = Vec2(p.x(), plus ? q.z() : p.z());
            if (across == 2) uvs[i] = Vec2(plus ? p.x() : q.x(), p.y());
            uvs[i] /= scale;
        }
        mesh.uvs.push_back(uvs);
    }
}

}  // namespace sunder::shapes
