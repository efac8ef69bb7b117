#include "geometry/repair/clean_faces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/tree/winding_number.h"

namespace sunder {

using detail::KeepMask;

namespace {

constexpr double kFinArea = 0.25;    // of the whole surface; a larger patch is a part of the object, not a slip
constexpr double kCrumbArea = 1e-3;  // of the whole surface: too small to be a part
constexpr int kMaxCleaningPasses = 32;

/// Copies of one triangle: same three vertices.
struct FaceGroup {
    std::vector<TriangleIndex> faces;  // ascending
    size_t even = 0;                   // how many turn like the first
};

std::vector<FaceGroup> groupsOfCopies(const TriMesh& mesh) {
    struct Key {
        Triangle sorted;
        TriangleIndex face;
    };
    // with sorted vertices, copies stand side by side, the first face first
    std::vector<Key> keys(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        Triangle sorted = mesh.triangles[t];
        std::sort(sorted.begin(), sorted.end());
        keys[raw(t)] = {sorted, t};
    }
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return std::tie(a.sorted, a.face) < std::tie(b.sorted, b.face); });
    // two copies turn alike if the same edge runs the same way in both
    const auto turnsLike = [&](TriangleIndex a, TriangleIndex b) {
        const Triangle &u = mesh.triangles[a], &v = mesh.triangles[b];
        const size_t at = detail::cornerOf(mesh, b, u[0]);
        return v[(at + 1) % 3] == u[1];
    };
    // runs of two and more, and how many turn like their first
    std::vector<FaceGroup> groups;
    for (size_t i = 0; i < keys.size();) {
        size_t end = i + 1;
        while (end < keys.size() && keys[end].sorted == keys[i].sorted) ++end;
        if (end - i > 1) {
            FaceGroup group;
            for (size_t k = i; k < end; ++k) {
                group.faces.push_back(keys[k].face);
                group.even += turnsLike(keys[i].face, keys[k].face);
            }
            groups.push_back(std::move(group));
        }
        i = end;
    }
    return groups;
}

bool isBad(size_t faces) { return faces % 2 == 1 || faces > 2; }

struct Cap {
    size_t longest = 0;  // corner where the longest side starts; the opposite corner lies on that side
};

Cap capOf(const TriMesh& mesh, TriangleIndex t) {
    const auto p = mesh.corners(t);
    Cap cap;
    double best = -1;
    for (size_t c = 0; c < 3; ++c) {
        const double squared = (p[(c + 1) % 3] - p[c]).squaredNorm();
        if (squared > best) {
            best = squared;
            cap.longest = c;
        }
    }
    return cap;
}

size_t zeroAreaCount(const TriMesh& mesh) {
    size_t count = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        count += isZeroArea(a, b, c);
    }
    return count;
}

/// One round over the degenerate triangles that do not touch each other. Returns how many were resolved.
size_t zeroAreaPass(TriMesh& mesh) {
    ASSERT(mesh.normals.empty() || mesh.normals.size() == mesh.triangleCount());
    const MeshTopology topology(mesh);
    KeepMask keep(mesh.triangleCount(), 1);
    std::vector<uint8_t> touched(mesh.triangleCount(), 0);
    size_t resolved = 0;
    const size_t count = mesh.triangleCount();
    for (const TriangleIndex t : indexRange<TriangleIndex>(count)) {
        if (touched[raw(t)]) continue;
        const auto [a, b, c] = mesh.corners(t);
        if (!isZeroArea(a, b, c)) continue;
        // corners on one line: the middle one lies on the side between the others
        const size_t side = capOf(mesh, t).longest;
        const VertexIndex middle = mesh.triangles[t][(side + 2) % 3];
        const EdgeIndex longEdge = topology.edge(t, static_cast<int>(side));
        const bool hangs = topology.sides(topology.edge(t, static_cast<int>((side + 1) % 3))).size() == 1 &&
                           topology.sides(topology.edge(t, static_cast<int>((side + 2) % 3))).size() == 1;
        // whoever has that long side gets the middle corner on it, unless the triangle hangs by the long side alone
        std::vector<HalfEdge> neighbours;
        bool free = true;
        for (const HalfEdge& other : topology.sides(longEdge)) {
            if (other.triangle == t) continue;
            neighbours.push_back(other);
            free &= !touched[raw(other.triangle)];
            // the neighbour must not have the middle vertex already: the two would fold onto each other
            for (const VertexIndex v : mesh.triangles[other.triangle]) free &= v != middle || hangs;
        }
        if (!free && !hangs) {
            // two degenerate triangles on the same three points cancel
            if (neighbours.size() == 1 && !touched[raw(neighbours[0].triangle)]) {
                Triangle u = mesh.triangles[t], v = mesh.triangles[neighbours[0].triangle];
                std::sort(u.begin(), u.end());
                std::sort(v.begin(), v.end());
                if (u == v) {
                    keep[t] = keep[neighbours[0].triangle] = 0;
                    touched[raw(t)] = touched[raw(neighbours[0].triangle)] = 1;
                    resolved += 2;
                }
            }
            continue;
        }
        // the neighbours take the middle corner over, and the triangle goes
        if (!hangs) {
            for (const HalfEdge& other : neighbours) {
                touched[raw(other.triangle)] = 1;
                detail::splitSide(mesh, other.triangle, other.corner, {middle});
            }
        }
        touched[raw(t)] = 1;
        keep[t] = 0;
        ++resolved;
    }
    keep.resize(mesh.triangleCount(), 1);
    detail::keepTriangles(mesh, keep);
    return resolved;
}

}  // namespace

size_t dropRepeatedIndexFaces(TriMesh& mesh) {
    KeepMask keep(mesh.triangleCount(), 1);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Triangle& v = mesh.triangles[t];
        keep[t] = v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
    }
    return detail::keepTriangles(mesh, keep);
}

bool isZeroArea(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return (b - a).cross(c - a).norm() <= 1e-13 * longest;
}

size_t dropZeroAreaFaces(TriMesh& mesh) {
    const size_t before = zeroAreaCount(mesh);
    size_t left = before;
    int idle = 0;
    for (int pass = 0; pass < kMaxCleaningPasses && left > 0 && idle < 3; ++pass) {
        if (zeroAreaPass(mesh) == 0) break;
        const size_t now = zeroAreaCount(mesh);
        idle = now < left ? 0 : idle + 1;  // a flat sheet passes its degenerate triangles round in circles
        left = now;
    }
    return before - std::min(before, left);
}

DuplicateFaceCounts dropDuplicateFaces(TriMesh& mesh) {
    const std::vector<FaceGroup> groups = groupsOfCopies(mesh);
    DuplicateFaceCounts counts;
    if (groups.empty()) return counts;

    const MeshTopology topology(mesh);
    IndexedVector<TriangleIndex, uint32_t> groupOf(mesh.triangleCount(), kInvalidIndex);
    for (size_t g = 0; g < groups.size(); ++g) {
        for (const TriangleIndex t : groups[g].faces) groupOf[t] = static_cast<uint32_t>(g);
    }

    // is the connected surface doubled for the larger part?
    const Components components = connectedComponents(mesh, topology);
    std::vector<size_t> faces(components.count, 0), doubled(components.count, 0);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        ++faces[raw(components.ofTriangle[t])];
        doubled[raw(components.ofTriangle[t])] += groupOf[t] != kInvalidIndex;
    }

    // patches of doubled faces, joined across edges, decide together
    DisjointSets joined(groups.size());
    const auto groupsAt = [&](EdgeIndex e) {
        std::vector<uint32_t> found;
        for (const HalfEdge& side : topology.sides(e)) {
            if (groupOf[side.triangle] != kInvalidIndex) found.push_back(groupOf[side.triangle]);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    };
    // groups at one edge are of one patch
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const std::vector<uint32_t> here = groupsAt(e);
        for (size_t i = 1; i < here.size(); ++i) joined.join(here[0], here[i]);
    }
    struct Patch {
        size_t badWhenOneKept = 0;
        size_t badWhenAllGone = 0;
        size_t opposite = 0;  // groups with both orientations
        size_t groups = 0;
    };
    // what an edge would be left with: one copy of each group, or none
    std::vector<Patch> patches(groups.size());
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const std::vector<uint32_t> here = groupsAt(e);
        if (here.empty()) continue;
        size_t copies = 0;
        for (const HalfEdge& side : topology.sides(e)) copies += groupOf[side.triangle] != kInvalidIndex;
        const size_t others = topology.sides(e).size() - copies;
        Patch& patch = patches[joined.root(here[0])];
        patch.badWhenOneKept += isBad(others + here.size());
        patch.badWhenAllGone += isBad(others);
    }
    for (uint32_t g = 0; g < groups.size(); ++g) {
        ++patches[joined.root(g)].groups;
        patches[joined.root(g)].opposite += groups[g].even != groups[g].faces.size();
    }

    // all copies go where that leaves fewer bad edges, or as many and both sides are there: such walls part nothing
    KeepMask keep(mesh.triangleCount(), 1);
    for (uint32_t g = 0; g < groups.size(); ++g) {
        const FaceGroup& group = groups[g];
        const Patch& patch = patches[joined.root(g)];
        const ComponentIndex component = components.ofTriangle[group.faces[0]];
        const bool doubleSided = 2 * doubled[raw(component)] > faces[raw(component)];
        const bool removeAll =
            !doubleSided && (patch.badWhenAllGone < patch.badWhenOneKept ||
                             (patch.badWhenAllGone == patch.badWhenOneKept && 2 * patch.opposite > patch.groups));
        for (size_t i = removeAll ? 0 : 1; i < group.faces.size(); ++i) keep[group.faces[i]] = 0;
        if (removeAll) {
            counts.flapsAndWalls += group.faces.size();
        } else {
            const size_t backs = std::min(group.even, group.faces.size() - group.even);
            counts.backs += backs;
            counts.copies += group.faces.size() - 1 - backs;
        }
    }
    detail::keepTriangles(mesh, keep);
    return counts;
}

namespace {

/// Has the patch solid on both of its sides? Asked at its largest triangle.
bool liesInside(const TriMesh& mesh, const std::vector<TriangleIndex>& patch) {
    TriangleIndex largest = patch[0];
    for (const TriangleIndex t : patch) {
        if (mesh.areaVector(t).squaredNorm() > mesh.areaVector(largest).squaredNorm()) largest = t;
    }
    const auto [a, b, c] = mesh.corners(largest);
    const Vec3 area = mesh.areaVector(largest);
    const Vec3 step = 1e-3 * area / std::sqrt(area.norm());
    const Vec3 middle = (a + b + c) / 3;
    return std::abs(exactWindingNumber(mesh, middle + step)) > 0.5 &&
           std::abs(exactWindingNumber(mesh, middle - step)) > 0.5;
}

/// Of the patches that may be fins, those that leave two faces at every crowded edge they hang on when all of them are
/// gone: any number may hang on one edge.
std::vector<uint8_t> finsTogether(const MeshTopology& topology, const Components& patches,
                                  const std::function<bool(size_t)>& mayBeFin) {
    std::vector<uint8_t> isFin(patches.count, 0);
    for (size_t p = 0; p < patches.count; ++p) isFin[p] = mayBeFin(p);
    std::vector<EdgeIndex> crowded;
    std::vector<uint8_t> hangs(patches.count, 0);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (!topology.isNonManifold(e)) continue;
        crowded.push_back(e);
        for (const HalfEdge& side : topology.sides(e)) hangs[raw(patches.ofTriangle[side.triangle])] = 1;
    }
    for (size_t p = 0; p < patches.count; ++p) isFin[p] &= hangs[p];
    // one that has to stay leaves more at its other edges
    bool settled = false;
    while (!settled) {
        settled = true;
        for (const EdgeIndex e : crowded) {
            size_t left = 0, fins = 0;
            for (const HalfEdge& side : topology.sides(e))
                ++(isFin[raw(patches.ofTriangle[side.triangle])] ? fins : left);
            if (fins == 0 || left == 2) continue;
            for (const HalfEdge& side : topology.sides(e)) isFin[raw(patches.ofTriangle[side.triangle])] = 0;
            settled = false;
        }
    }
    return isFin;
}

}  // namespace

size_t dropFins(TriMesh& mesh) {
    size_t dropped = 0;
    const double wholeArea = surfaceArea(mesh);
    for (int pass = 0; pass < kMaxCleaningPasses; ++pass) {
        const MeshTopology topology(mesh);
        const Components patches =
            detail::componentsWhere(mesh, topology, [&](EdgeIndex e) { return !topology.isNonManifold(e); });
        if (patches.count < 2) break;

        struct Patch {
            double area = 0;
            size_t hangingEdges = 0;  // non-manifold edges that its removal makes clean
            size_t otherEdges = 0;    // non-manifold edges that stay, or become, bad without it
            size_t openEdges = 0;
        };
        // patches between crowded edges, and what each hangs on
        std::vector<Patch> found(patches.count);
        std::vector<uint32_t> here;  // patches at an edge, by sides
        for (const TriangleIndex t : mesh.triangles.indices()) {
            found[raw(patches.ofTriangle[t])].area += 0.5 * mesh.areaVector(t).norm();
        }
        for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
            const auto sides = topology.sides(e);
            if (sides.size() == 1) ++found[raw(patches.ofTriangle[sides[0].triangle])].openEdges;
            if (sides.size() < 3) continue;
            // each patch at a crowded edge counts once, with all its sides there
            here.clear();
            for (const HalfEdge& side : sides) here.push_back(raw(patches.ofTriangle[side.triangle]));
            std::sort(here.begin(), here.end());
            for (size_t i = 0; i < here.size();) {
                size_t next = i;
                while (next < here.size() && here[next] == here[i]) ++next;
                const size_t left = sides.size() - (next - i);
                ++(left == 2 ? found[here[i]].hangingEdges : found[here[i]].otherEdges);
                i = next;
            }
        }
        const std::vector<uint8_t> together = finsTogether(topology, patches, [&](size_t p) {
            return found[p].openEdges > 0 && found[p].area <= kFinArea * wholeArea;
        });

        // The smallest first, fins before closed-off walls: a wall is dropped only when no open sheet explains the
        // edge.
        const auto lists = patches.lists();
        std::vector<size_t> candidates;
        for (size_t p = 0; p < patches.count; ++p) {
            const Patch& patch = found[p];
            if (!together[p] && patch.hangingEdges > 0 && patch.otherEdges == 0 && patch.area <= kFinArea * wholeArea)
                candidates.push_back(p);
        }
        std::sort(candidates.begin(), candidates.end(), [&](size_t p, size_t q) {
            return std::tuple(found[p].openEdges == 0, found[p].area, p) <
                   std::tuple(found[q].openEdges == 0, found[q].area, q);
        });
        // Other fins that have no crowded edge in common go at once; removing one may clean the edge another hung on,
        // so that the other waits. Walls go one by one.
        KeepMask keep(mesh.triangleCount(), 1);
        std::vector<uint8_t> edgeTaken(topology.edgeCount(), 0);
        bool any = false;
        for (size_t p = 0; p < patches.count; ++p) {
            if (!together[p]) continue;
            for (const TriangleIndex t : lists[p]) {
                keep[t] = 0;
                for (int corner = 0; corner < 3; ++corner) edgeTaken[raw(topology.edge(t, corner))] = 1;
            }
            any = true;
        }
        for (const size_t p : candidates) {
            const bool wall = found[p].openEdges == 0;
            if (wall && any) break;
            if (wall && found[p].area > kCrumbArea * wholeArea && !liesInside(mesh, lists[p])) continue;
            const auto crowdedEdges = [&](auto&& visit) {
                for (const TriangleIndex t : lists[p]) {
                    for (int corner = 0; corner < 3; ++corner) {
                        const EdgeIndex e = topology.edge(t, corner);
                        if (topology.isNonManifold(e)) visit(edgeTaken[raw(e)]);
                    }
                }
            };
            bool free = true;
            crowdedEdges([&](uint8_t taken) { free &= taken == 0; });
            if (!free) continue;
            crowdedEdges([](uint8_t& taken) { taken = 1; });
            for (const TriangleIndex t : lists[p]) keep[t] = 0;
            any = true;
            if (wall) break;
        }
        // nothing more that may go
        if (!any) break;
        dropped += detail::keepTriangles(mesh, keep);
    }
    return dropped;
}

}  // namespace sunder
