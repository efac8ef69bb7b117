#include "geometry/grid/searched_grid.h"

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>

#include "base/assert.h"
#include "base/hash.h"
#include "geometry/grid/detail/closed_sign.h"
#include "geometry/grid/detail/flat_triangles.h"
#include "geometry/grid/detail/lattice_rows.h"

namespace sunder {

namespace {

constexpr size_t kRowGrain = 4;  // rows of x per parallel block
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Triangles by their corners, which must be the same bits in the same order.
class TrianglesByCorners {
public:
    explicit TrianglesByCorners(const TriMesh& mesh)
        : mesh_(mesh), slots_(std::bit_ceil(2 * mesh.triangleCount() + 1), kNone<TriangleIndex>) {
        for (const TriangleIndex t : mesh.triangles.indices()) {
            TriangleIndex& slot = slots_[slotOf(mesh.corners(t))];
            if (slot == kNone<TriangleIndex>) slot = t;
        }
    }
    /// None when there is none.
    TriangleIndex find(const std::array<Vec3, 3>& corners) const { return slots_[slotOf(corners)]; }

private:
    /// Where it is, or where it would be.
    size_t slotOf(const std::array<Vec3, 3>& corners) const {
        Hasher hash;
        for (const Vec3& p : corners) {
            for (int axis = 0; axis < 3; ++axis) hash.add(p[axis]);
        }
        for (size_t i = hash.value();; ++i) {
            const size_t slot = i & (slots_.size() - 1);
            if (slots_[slot] == kNone<TriangleIndex> || mesh_.corners(slots_[slot]) == corners) return slot;
        }
    }

    const TriMesh& mesh_;
    std::vector<TriangleIndex> slots_;
};

/// For each point of a lattice along one axis the number it has in another, or -1.
std::vector<int> samePoints(const GridFrame& frame, const GridFrame& other, int axis) {
    std::vector<int> same(static_cast<size_t>(frame.points[axis]), -1);
    for (int i = 0; i < frame.points[axis]; ++i) {
        const double place = frame.origin[axis] + frame.cellSize * i;
        const double number = std::round((place - other.origin[axis]) / other.cellSize);
        if (!(number >= 0 && number < other.points[axis])) continue;
        if (other.origin[axis] + other.cellSize * number == place)
            same[static_cast<size_t>(i)] = static_cast<int>(number);
    }
    return same;
}

/// What a piece has of the whole.
class Inherited {
public:
    Inherited(const TriMesh& piece, const GridFrame& frame, const WholeSolid& whole)
        : nearest_(*whole.nearest), inPiece_(whole.mesh->triangleCount(), kNone<TriangleIndex>) {
        for (int axis = 0; axis < 3; ++axis) same_[static_cast<size_t>(axis)] = samePoints(frame, nearest_.frame, axis);
        const TrianglesByCorners known(*whole.mesh);
        added_.positions = piece.positions;
        for (const TriangleIndex t : piece.triangles.indices()) {
            const TriangleIndex before = known.find(piece.corners(t));
            if (before != kNone<TriangleIndex>) {
                inPiece_[raw(before)] = t;
            } else {
                added_.triangles.push_back(piece.triangles[t]);
                addedInPiece_.push_back(t);
            }
        }
        addedTree_.emplace(added_);
    }

    /// The nearest triangle of the piece at one of its points; none when it must be searched for.
    SurfacePoint at(const TriMesh& piece, const Vec3& point, int i, int j, int k) const {
        const int x = same_[0][static_cast<size_t>(i)], y = same_[1][static_cast<size_t>(j)],
                  z = same_[2][static_cast<size_t>(k)];
        if (x < 0 || y < 0 || z < 0) return {};
        const TriangleIndex old = inPiece_[raw(nearest_.triangles[nearest_.frame.index(x, y, z)])];
        if (old == kNone<TriangleIndex>) return {};
        const auto [a, b, c] = piece.corners(old);
        SurfacePoint found = closestPointOnTriangle(point, a, b, c);
        found.triangle = old;
        SurfacePoint added = addedTree_->closestPoint(point, std::sqrt(found.squaredDistance) * (1 + 1e-12));
        if (!(added.squaredDistance < found.squaredDistance)) return found;
        added.triangle = addedInPiece_[raw(added.triangle)];
        return added;
    }

private:
    const NearestTriangles& nearest_;
    std::array<std::vector<int>, 3> same_;
    std::vector<TriangleIndex> inPiece_;  // by triangle of the whole
    TriMesh added_;                       // triangles that the whole has not
    std::vector<TriangleIndex> addedInPiece_;
    std::optional<TriangleTree> addedTree_;
};

SearchedGrid search(const TriangleTree& tree, const GridFrame& frame, const Inherited* inherited) {
    const TriMesh& mesh = tree.mesh();
    SearchedGrid made{DistanceGrid(frame, std::numeric_limits<float>::infinity()), {frame, {}}};
    if (frame.pointCount() == 0 || mesh.empty()) return made;
    // point after point along a row, each within reach of the one before
    made.nearest.triangles.resize(frame.pointCount(), kNone<TriangleIndex>);
    std::atomic<size_t> searches = 0;
    detail::forEachRow(
        frame,
        [&](int j, int k) {
            double before = kInfinity;  // m, at the point before
            size_t searchesHere = 0;
            for (int i = 0; i < frame.points[0]; ++i) {
                const Vec3 point = frame.position(i, j, k);
                SurfacePoint found;
                // taken over where the nearest triangle is still there, searched for elsewhere
                if (inherited != nullptr) found = inherited->at(mesh, point, i, j, k);
                if (found.triangle == kNone<TriangleIndex>) {
                    found = tree.closestPoint(point, (before + frame.cellSize) * (1 + 1e-9));
                    ++searchesHere;
                }
                before = std::sqrt(found.squaredDistance);
                made.grid.at(i, j, k) = static_cast<float>(before);
                made.nearest.triangles[frame.index(i, j, k)] = found.triangle;
            }
            searches += searchesHere;
        },
        kRowGrain);
    made.searches = searches;
    // distances so far; signs from the mesh alone
    detail::applyClosedSign(mesh, detail::positionsInCells(mesh, frame), made.grid);
    return made;
}

}  // namespace

SearchedGrid searchedGrid(const TriangleTree& tree, const GridFrame& frame) { return search(tree, frame, nullptr); }

SearchedGrid searchedGrid(const TriangleTree& tree, const GridFrame& frame, const WholeSolid& whole) {
    const bool known = whole.mesh != nullptr && whole.nearest != nullptr;
    if (!known || whole.nearest->frame.cellSize != frame.cellSize) return search(tree, frame, nullptr);
    const Inherited inherited(tree.mesh(), frame, whole);
    return search(tree, frame, &inherited);
}

bool hasFlatTriangles(const TriMesh& mesh) {
    return mesh.triangleCount() > 0 && detail::withoutFlatTriangles(mesh).has_value();
}

double exactCellSize(double most) {
    ASSERT(most > 0 && std::isfinite(most));
    int exponent = 0;
    std::frexp(most, &exponent);  // most = fraction * 2^exponent, 0.5 <= fraction < 1
    const double power = std::ldexp(0.5, exponent);
    return 1.5 * power <= most ? 1.5 * power : power;
}

}  // namespace sunder
