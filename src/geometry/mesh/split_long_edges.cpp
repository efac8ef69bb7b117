#include "geometry/mesh/split_long_edges.h"

#include <map>
#include <utility>

#include "base/assert.h"

namespace sunder {

namespace {

/// One round: every long edge is halved once.
class Halving {
public:
    Halving(TriMesh& mesh, double longest) : mesh_(mesh), squaredLongest_(longest * longest) {}

    /// False: there was no long edge.
    bool run() {
        IndexedVector<TriangleIndex, Triangle> divided;
        for (const Triangle& triangle : mesh_.triangles) divide(triangle, divided);
        mesh_.triangles = std::move(divided);
        return !middles_.empty();
    }

private:
    static constexpr VertexIndex kShort = kNone<VertexIndex>;

    double squaredLength(VertexIndex a, VertexIndex b) const {
        return (mesh_.positions[a] - mesh_.positions[b]).squaredNorm();
    }

    VertexIndex middleOf(VertexIndex a, VertexIndex b) {
        if (a > b) std::swap(a, b);  // both triangles of an edge shall ask the same
        if (squaredLength(a, b) <= squaredLongest_) return kShort;
        const auto [known, fresh] = middles_.try_emplace({a, b}, kShort);
        if (fresh) known->second = mesh_.positions.push_back(0.5 * (mesh_.positions[a] + mesh_.positions[b]));
        return known->second;
    }

    void divide(const Triangle& corners, IndexedVector<TriangleIndex, Triangle>& out) {
        // its neighbours ask for the same middles, so the halves meet
        std::array<VertexIndex, 3> middle{};  // of the edge from corner k to the next
        size_t halved = 0;
        for (size_t k = 0; k < 3; ++k) {
            middle[k] = middleOf(corners[k], corners[(k + 1) % 3]);
            halved += middle[k] != kShort;
        }
        if (halved == 0) {
            out.push_back(corners);
            return;
        }

        // turned so that with one halved edge it is the first, and with two the third is whole
        size_t first = 0;
        while (halved == 1 ? middle[first] == kShort : halved == 2 && middle[(first + 2) % 3] != kShort) ++first;
        const VertexIndex a = corners[first], b = corners[(first + 1) % 3], c = corners[(first + 2) % 3];
        const VertexIndex ab = middle[first], bc = middle[(first + 1) % 3], ca = middle[(first + 2) % 3];
        if (halved == 1) {
            out.push_back({a, ab, c});
            out.push_back({ab, b, c});
        } else if (halved == 2) {
            out.push_back({ab, b, bc});
            // the shorter diagonal of what is left
            if (squaredLength(a, bc) <= squaredLength(ab, c)) {
                out.push_back({a, ab, bc});
                out.push_back({a, bc, c});
            } else {
                out.push_back({a, ab, c});
                out.push_back({ab, bc, c});
            }
        } else {
            out.push_back({a, ab, ca});
            out.push_back({ab, b, bc});
            out.push_back({ca, bc, c});
            out.push_back({ab, bc, ca});
        }
    }

    TriMesh& mesh_;
    double squaredLongest_;
    std::map<std::pair<VertexIndex, VertexIndex>, VertexIndex> middles_;
};

}  // namespace

TriMesh splitLongEdges(const TriMesh& mesh, double longest) {
    ASSERT(longest > 0);
    TriMesh split;
    split.positions = mesh.positions;
    split.triangles = mesh.triangles;
    while (Halving(split, longest).run()) {
    }
    return split;
}

}  // namespace sunder
