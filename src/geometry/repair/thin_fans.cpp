#include "geometry/repair/thin_fans.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/assert.h"
#include "geometry/repair/clean_faces.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/drop_opposites.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {

namespace {

constexpr uint32_t kThickFan = 300;  // triangles around a vertex
constexpr double kMaxThinCells = 1e6;
constexpr size_t kMaxFanCuts = 1000;  // pairs of needles

std::vector<uint32_t> valences(const TriMesh& mesh) {
    std::vector<uint32_t> valence(mesh.vertexCount(), 0);
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) ++valence[raw(v)];
    }
    return valence;
}

}  // namespace

bool hasThickFans(const TriMesh& mesh) {
    const std::vector<uint32_t> valence = valences(mesh);
    return std::any_of(valence.begin(), valence.end(), [](uint32_t n) { return n > kThickFan; });
}

TriMesh withThinnerFans(const TriMesh& mesh, double distance) {
    ASSERT(distance > 0);
    TriMesh thinner = mesh;
    const std::vector<uint32_t> valence = valences(mesh);
    std::vector<uint8_t> onRim(mesh.vertexCount(), 0);
    bool any = false;
    for (const Triangle& triangle : mesh.triangles) {
        const bool atHub =
            std::any_of(triangle.begin(), triangle.end(), [&](VertexIndex v) { return valence[raw(v)] > kThickFan; });
        if (!atHub) continue;
        for (const VertexIndex v : triangle) {
            if (valence[raw(v)] > kThickFan) continue;
            onRim[raw(v)] = 1;
            any = true;
        }
    }
    if (!any) return thinner;

    // rim vertices of one cell become the first of them
    const Box3 bounds = boundsOf(mesh);
    const double cell = std::max(distance / 2, bounds.size().maxCoeff() / kMaxThinCells);
    struct Place {
        std::array<int64_t, 3> cell;
        VertexIndex vertex;
        bool operator<(const Place& other) const { return std::tie(cell, vertex) < std::tie(other.cell, other.vertex); }
    };
    std::vector<Place> places;
    for (const VertexIndex v : mesh.positions.indices()) {
        if (!onRim[raw(v)]) continue;
        const Vec3 at = (mesh.positions[v] - bounds.min) / cell;
        places.push_back(
            {{static_cast<int64_t>(at.x()), static_cast<int64_t>(at.y()), static_cast<int64_t>(at.z())}, v});
    }
    std::sort(places.begin(), places.end());
    IndexedVector<VertexIndex, VertexIndex> becomes(mesh.vertexCount());
    for (const VertexIndex v : mesh.positions.indices()) becomes[v] = v;
    for (size_t i = 1; i < places.size(); ++i) {
        if (places[i].cell == places[i - 1].cell) becomes[places[i].vertex] = becomes[places[i - 1].vertex];
    }
    for (Triangle& triangle : thinner.triangles) {
        for (VertexIndex& v : triangle) v = becomes[v];
    }
    dropRepeatedIndexFaces(thinner);
    dropOpposites(thinner);
    removeUnusedVertices(thinner);
    return thinner;
}

bool isTangledFan(const TriMesh& mesh) {
    const std::vector<uint32_t> valence = valences(mesh);
    const auto atHub = [&](TriangleIndex t) {
        const Triangle& triangle = mesh.triangles[t];
        return std::any_of(triangle.begin(), triangle.end(),
                           [&](VertexIndex v) { return valence[raw(v)] > kThickFan; });
    };
    const FoundIntersections found = findSelfIntersections(mesh, kMaxFanCuts * 10);
    const auto cuts = std::count_if(found.pairs.begin(), found.pairs.end(),
                                    [&](const IntersectingPair& p) { return atHub(p.first) && atHub(p.second); });
    return found.tooNear || static_cast<size_t>(cuts) > kMaxFanCuts;
}

}  // namespace sunder
