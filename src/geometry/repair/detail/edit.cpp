#include "geometry/repair/detail/edit.h"

#include <numeric>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/disjoint_sets.h"

namespace sunder::detail {

namespace {

template <class T>
void keepEntries(IndexedVector<TriangleIndex, T>& array, const KeepMask& keep) {
    if (array.empty()) return;
    size_t next = 0;
    for (size_t i = 0; i < keep.size(); ++i) {
        if (keep.items()[i]) array.items()[next++] = array.items()[i];
    }
    array.items().resize(next);
}

}  // namespace

size_t keepTriangles(TriMesh& mesh, const KeepMask& keep) {
    ASSERT(keep.size() == mesh.triangleCount());
    const size_t before = mesh.triangleCount();
    keepEntries(mesh.triangles, keep);
    keepEntries(mesh.uvs, keep);
    keepEntries(mesh.normals, keep);
    keepEntries(mesh.materials, keep);
    keepEntries(mesh.inside, keep);
    return before - mesh.triangleCount();
}

TriangleIndex appendTriangle(TriMesh& mesh, const Triangle& vertices, TriangleIndex like,
                             const std::array<CornerBlend, 3>& blends) {
    ASSERT(like == kNone<TriangleIndex> || raw(like) < mesh.triangleCount());
    const TriangleIndex added = mesh.triangles.push_back(vertices);

    // labels are those of the triangle it is like
    if (!mesh.materials.empty()) mesh.materials.push_back(like == kNone<TriangleIndex> ? 0 : mesh.materials[like]);
    if (!mesh.inside.empty()) mesh.inside.push_back(like == kNone<TriangleIndex> ? uint8_t{0} : mesh.inside[like]);

    // pictures and normals are blended from corners that are there
    if (!mesh.uvs.empty()) {
        std::array<Vec2, 3> uvs{Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
        for (size_t c = 0; c < 3; ++c) {
            if (blends[c].triangle == kNone<TriangleIndex>) continue;
            const auto& source = mesh.uvs[blends[c].triangle];
            for (size_t k = 0; k < 3; ++k) uvs[c] += blends[c].weights[static_cast<int>(k)] * source[k];
        }
        mesh.uvs.push_back(uvs);
    }
    if (!mesh.normals.empty()) {
        std::array<Vec3, 3> normals{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
        for (size_t c = 0; c < 3; ++c) {
            if (blends[c].triangle == kNone<TriangleIndex>) continue;
            const auto& source = mesh.normals[blends[c].triangle];
            for (size_t k = 0; k < 3; ++k) normals[c] += blends[c].weights[static_cast<int>(k)] * source[k];
            const double length = normals[c].norm();
            if (length > 0) normals[c] /= length;
        }
        mesh.normals.push_back(normals);
    }
    return added;
}

CornerBlend atCorner(TriangleIndex t, size_t corner) { return {t, Vec3::Unit(static_cast<int>(corner))}; }

size_t cornerOf(const TriMesh& mesh, TriangleIndex t, VertexIndex v) {
    const Triangle& triangle = mesh.triangles[t];
    return triangle[0] == v ? 0 : triangle[1] == v ? 1 : 2;
}

void splitSide(TriMesh& mesh, TriangleIndex t, size_t corner, const std::vector<VertexIndex>& on) {
    if (on.empty()) return;
    ASSERT(corner < 3 && raw(t) < mesh.triangleCount());
    const size_t nextCorner = (corner + 1) % 3, apexCorner = (corner + 2) % 3;
    const Triangle old = mesh.triangles[t];
    const Vec3 a = mesh.positions[old[corner]], b = mesh.positions[old[nextCorner]];
    const double squaredLength = (b - a).squaredNorm();
    // attributes along the side, by distance
    const auto blendAt = [&](VertexIndex v) {
        const double s =
            squaredLength > 0 ? std::clamp((mesh.positions[v] - a).dot(b - a) / squaredLength, 0.0, 1.0) : 0.5;
        CornerBlend blend{t, Vec3::Zero()};
        blend.weights[static_cast<int>(corner)] = 1 - s;
        blend.weights[static_cast<int>(nextCorner)] = s;
        return blend;
    };

    // All parts are appended while t still holds the attributes they are blended from; the first then moves into t.
    // a fan from the apex to the side's pieces
    std::vector<VertexIndex> chain{old[corner]};
    chain.insert(chain.end(), on.begin(), on.end());
    chain.push_back(old[nextCorner]);
    std::vector<CornerBlend> blends{atCorner(t, corner)};
    for (const VertexIndex v : on) blends.push_back(blendAt(v));
    blends.push_back(atCorner(t, nextCorner));
    for (size_t i = 1; i + 1 < chain.size(); ++i) {
        appendTriangle(mesh, {chain[i], chain[i + 1], old[apexCorner]}, t,
                       {blends[i], blends[i + 1], atCorner(t, apexCorner)});
    }
    const TriangleIndex first =
        appendTriangle(mesh, {chain[0], chain[1], old[apexCorner]}, t, {blends[0], blends[1], atCorner(t, apexCorner)});
    const auto moveLast = [&](auto& array) {
        if (array.empty()) return;
        array[t] = array[first];
        array.items().pop_back();
    };
    moveLast(mesh.uvs);
    moveLast(mesh.normals);
    moveLast(mesh.materials);
    moveLast(mesh.inside);
    moveLast(mesh.triangles);
}

Components componentsWhere(const TriMesh& mesh, const MeshTopology& topology,
                           const std::function<bool(EdgeIndex)>& joins) {
    DisjointSets joined(mesh.triangleCount());
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() < 2 || !joins(e)) continue;
        for (const HalfEdge& side : sides.subspan(1)) joined.join(raw(sides[0].triangle), raw(side.triangle));
    }
    Components components;
    components.ofTriangle.resize(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const uint32_t r = joined.root(raw(t));
        components.ofTriangle[t] = r == raw(t) ? static_cast<ComponentIndex>(static_cast<uint32_t>(components.count++))
                                               : components.ofTriangle[static_cast<TriangleIndex>(r)];
    }
    return components;
}

std::string textOf(const Vec3& point) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", point.x(), point.y(), point.z());
}

std::string counted(size_t count, const char* singular, const char* plural) {
    if (count == 1) return fmt::format("1 {}", singular);
    return plural ? fmt::format("{} {}", count, plural) : fmt::format("{} {}s", count, singular);
}

}  // namespace sunder::detail
