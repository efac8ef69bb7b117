#include "geometry/repair/detail/examine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/weld.h"
#include "geometry/repair/detail/edit.h"

namespace sunder::detail {

size_t weldWhereNeeded(TriMesh& mesh) {
    TriMesh welded = mesh;
    const size_t gone = weldExact(welded);
    if (gone == 0) return 0;
    if (isClosedManifold(mesh) && !isClosedManifold(welded)) {
        const CopyCounts copies = countCopies(welded);
        if (copies.same + copies.opposite == 0) return 0;
    }
    mesh = std::move(welded);
    return gone;
}

CopyCounts countCopies(const TriMesh& mesh) {
    struct Key {
        Triangle sorted;
        TriangleIndex face;
        bool odd;
    };
    // with sorted vertices, copies stand side by side; the parity of the sorting tells which way a face turns
    std::vector<Key> keys;
    keys.reserve(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        Triangle v = mesh.triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        const bool odd = v[1] > v[2];
        if (odd) std::swap(v[1], v[2]);
        keys.push_back({v, t, odd});
    }
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return std::tie(a.sorted, a.face) < std::tie(b.sorted, b.face); });
    CopyCounts counts;
    TriangleIndex firstSame = kNone<TriangleIndex>, firstOpposite = kNone<TriangleIndex>;
    // within a run: faces beyond one that turn alike, and pairs that face each other
    for (size_t i = 0; i < keys.size();) {
        size_t end = i, odd = 0;
        for (; end < keys.size() && keys[end].sorted == keys[i].sorted; ++end) odd += keys[end].odd;
        const size_t total = end - i, opposite = std::min(odd, total - odd);
        const size_t same = (odd > 0 ? odd - 1 : 0) + (total - odd > 0 ? total - odd - 1 : 0);
        counts.same += same;
        counts.opposite += opposite;
        if (same > 0) firstSame = std::min(firstSame, keys[i].face);
        if (opposite > 0) firstOpposite = std::min(firstOpposite, keys[i].face);
        i = end;
    }
    counts.firstSame = firstSame;
    counts.firstOpposite = firstOpposite;
    return counts;
}

Intersections findIntersections(const TriMesh& mesh, const Components& components) {
    Intersections found;
    FoundIntersections all = findSelfIntersections(mesh, kMaxCuts + 1);
    found.pairs = std::move(all.pairs);
    found.tooNear = all.tooNear;
    for (const IntersectingPair& pair : found.pairs) {
        const uint32_t a = raw(components.ofTriangle[pair.first]), b = raw(components.ofTriangle[pair.second]);
        if (pair.relation == TriangleRelation::CoplanarOverlap) {
            if (found.coplanar++ == 0) found.firstCoplanar = pair;
        } else if (a == b) {
            if (found.crossing++ == 0) found.firstCrossing = pair;
        }
        if (a != b) found.shellPairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(found.shellPairs.begin(), found.shellPairs.end());
    found.shellPairs.erase(std::unique(found.shellPairs.begin(), found.shellPairs.end()), found.shellPairs.end());
    return found;
}

std::string Intersections::tooManyText() const {
    return fmt::format(
        "more than {} pairs of triangles {}: too many to be sorted out. Export the mesh again, or leave out the part "
        "that "
        "folds onto itself, and try again",
        tooNear ? kMaxNearPairs : kMaxCuts, tooNear ? "are so near that each may cut the other" : "cut each other");
}

Vec3 placeOf(const TriMesh& mesh, const IntersectingPair& pair) {
    // the middle of where their boxes overlap
    Box3 first, second;
    for (const Vec3& p : mesh.corners(pair.first)) first.add(p);
    for (const Vec3& p : mesh.corners(pair.second)) second.add(p);
    return 0.5 * (first.min.cwiseMax(second.min) + first.max.cwiseMin(second.max));
}

bool enclosesVolume(const TriMesh& mesh) {
    const Box3 bounds = boundsOf(mesh);
    const double magnitude = std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff());
    // moving every triangle by the rounding of its coordinates changes the volume by this much
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * magnitude * surfaceArea(mesh);
    return std::abs(volume(mesh)) > rounding;
}

std::string thinWallText(const WallThickness& wall, double cellSize) {
    return fmt::format("{:.3g} thick at {}: thinner than three cells of {:.3g}; a cell size of {:.3g} or less would do",
                       wall.thinnest, textOf(wall.place), cellSize, wall.thinnest / 3);
}

}  // namespace sunder::detail
