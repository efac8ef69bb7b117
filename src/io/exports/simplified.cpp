#include "io/exports/simplified.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <meshoptimizer.h>
#include <tuple>
#include <vector>

#include "base/assert.h"
#include "geometry/mesh/box_uvs.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/drop_opposites.h"
#include "geometry/repair/split_nonmanifold.h"

namespace sunder {

namespace {

/// A vertex as one kind of surface has it: those of one place are a seam, along which both sides are thinned alike.
struct Side {
    VertexIndex vertex{};
    uint32_t material = 0;
    uint8_t inside = 0;
    double u = 0, v = 0;
    friend auto operator<=>(const Side&, const Side&) = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

/// The corners of a mesh as programs for triangles want them.
struct Corners {
    std::vector<Side> sides;
    std::vector<unsigned> indices;  // three per triangle, into sides
    std::vector<float> positions;   // three per side, within a cube of 1
};

Corners cornersOf(const TriMesh& mesh) {
    Corners corners;
    std::map<Side, unsigned> numbers;
    const Box3 box = boundsOf(mesh);
    const double size = std::max(box.size().maxCoeff(), std::numeric_limits<double>::min());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (size_t k = 0; k < 3; ++k) {
            Side side{.vertex = mesh.triangles[t][k]};
            if (!mesh.materials.empty()) side.material = mesh.materials[t];
            if (!mesh.inside.empty()) side.inside = mesh.inside[t];
            // UVs of crack faces are made again
            if (!mesh.uvs.empty() && side.inside == 0) {
                side.u = mesh.uvs[t][k].x();
                side.v = mesh.uvs[t][k].y();
            }
            const auto [entry, isNew] = numbers.try_emplace(side, static_cast<unsigned>(corners.sides.size()));
            if (isNew) {
                corners.sides.push_back(side);
                const Vec3 place = (mesh.positions[side.vertex] - box.min) / size;
                for (int axis = 0; axis < 3; ++axis) corners.positions.push_back(static_cast<float>(place[axis]));
            }
            corners.indices.push_back(entry->second);
        }
    }
    return corners;
}

TriMesh meshFrom(const Corners& corners, const TriMesh& before) {
    TriMesh mesh;
    mesh.positions = before.positions;
    mesh.materialNames = before.materialNames;
    for (size_t i = 0; i < corners.indices.size(); i += 3) {
        std::array<Side, 3> sides;
        for (size_t k = 0; k < 3; ++k) sides[k] = corners.sides[corners.indices[i + k]];
        mesh.triangles.push_back({sides[0].vertex, sides[1].vertex, sides[2].vertex});
        if (!before.materials.empty()) mesh.materials.push_back(sides[0].material);
        if (!before.inside.empty()) mesh.inside.push_back(sides[0].inside);
        if (before.uvs.empty()) continue;
        const TriangleIndex t{static_cast<uint32_t>(mesh.triangles.size() - 1)};
        mesh.uvs.push_back(sides[0].inside != 0 ? boxUvs(mesh.corners(t), mesh.areaVector(t))
                                                : std::array{Vec2(sides[0].u, sides[0].v), Vec2(sides[1].u, sides[1].v),
                                                             Vec2(sides[2].u, sides[2].v)});
    }
    dropOpposites(mesh);
    splitNonManifold(mesh);
    removeUnusedVertices(mesh);
    if (!before.normals.empty()) computeNormals(mesh, kCreaseAngle);
    return mesh;
}

}  // namespace

TriMesh simplified(const TriMesh& mesh, size_t mostTriangles) {
    if (mesh.triangleCount() <= mostTriangles) return mesh;
    const Corners all = cornersOf(mesh);
    const bool closed = isClosedManifold(mesh);
    // collapsing edges now and then tears a thin place: a little less is asked for, then more, until all is whole
    std::vector<double> targets;
    for (const double part : {1.0, 0.9, 0.8, 1.5, 2.0}) targets.push_back(part * static_cast<double>(mostTriangles));
    for (const double target : targets) {
        Corners fewer = all;
        const size_t count =
            meshopt_simplify(fewer.indices.data(), all.indices.data(), all.indices.size(), all.positions.data(),
                             all.sides.size(), 3 * sizeof(float), 3 * static_cast<size_t>(target), 1.0f, 0, nullptr);
        ASSERT(count % 3 == 0);
        fewer.indices.resize(count);
        TriMesh result = meshFrom(fewer, mesh);
        if (count > 0 && (!closed || isClosedManifold(result))) return result;
    }
    return mesh;
}

}  // namespace sunder
