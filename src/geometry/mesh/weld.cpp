#include "geometry/mesh/weld.h"

#include <bit>

namespace sunder {

namespace {

uint64_t hashOf(const Vec3& p) {
    uint64_t h = 0;
    for (int axis = 0; axis < 3; ++axis) {
        h ^= std::bit_cast<uint64_t>(p[axis] + 0.0);  // + 0.0 turns -0 into 0
        h *= 0x9e3779b97f4a7c15u;                     // 2^64 / golden ratio: spreads neighbouring coordinates
        h ^= h >> 32;
    }
    return h;
}

/// Vertices by place: open addressing, at most half full, filled in vertex order so that the first of equals is found.
class PlaceTable {
public:
    explicit PlaceTable(size_t count) : mask_(std::bit_ceil(2 * count + 2) - 1), slots_(mask_ + 1, kInvalidIndex) {}

    /// The kept vertex at this place; `next` goes in if there is none.
    VertexIndex findOrAdd(const IndexedVector<VertexIndex, Vec3>& kept, const Vec3& place, VertexIndex next) {
        size_t slot = hashOf(place) & mask_;
        while (slots_[slot] != kInvalidIndex) {
            const VertexIndex v = static_cast<VertexIndex>(slots_[slot]);
            if (kept[v] == place) return v;
            slot = (slot + 1) & mask_;
        }
        slots_[slot] = raw(next);
        return next;
    }

private:
    size_t mask_;
    std::vector<uint32_t> slots_;
};

}  // namespace

size_t weldExact(TriMesh& mesh) {
    const size_t before = mesh.vertexCount();
    // the first vertex at a place stands for all there
    PlaceTable places(before);
    IndexedVector<VertexIndex, VertexIndex> newIndex(before, kNone<VertexIndex>);
    IndexedVector<VertexIndex, Vec3> kept;
    kept.reserve(before);
    for (const VertexIndex v : mesh.positions.indices()) {
        const VertexIndex next = static_cast<VertexIndex>(static_cast<uint32_t>(kept.size()));
        newIndex[v] = places.findOrAdd(kept, mesh.positions[v], next);
        if (newIndex[v] == next) kept.push_back(mesh.positions[v]);
    }
    const size_t removed = before - kept.size();
    if (removed == 0) return 0;

    // triangles go over to the vertices that stay
    kept.items().shrink_to_fit();
    mesh.positions = std::move(kept);
    for (Triangle& triangle : mesh.triangles) {
        for (VertexIndex& v : triangle) v = newIndex[v];
    }
    return removed;
}

}  // namespace sunder
