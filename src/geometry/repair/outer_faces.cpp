#include "geometry/repair/outer_faces.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {

namespace {

constexpr double kInside = 0.5;     // winding number
constexpr double kMaxPieces = 5e4;  // of divided triangles, about
constexpr double kStepOff = 1e-3;   // of a cell: how far off a piece its two sides are asked

/// A piece of a source triangle.
struct Piece {
    std::array<Vec3, 3> corners;
    TriangleIndex source;
    bool layered = false;  // another triangle lies on the source: crossing it may change the winding number by 0 or 2

    Box3 box() const {
        Box3 box;
        for (const Vec3& corner : corners) box.add(corner);
        return box;
    }
    double squaredSide(size_t i) const { return (corners[(i + 1) % 3] - corners[i]).squaredNorm(); }
    size_t longestSide() const {
        size_t longest = 0;
        for (size_t i = 1; i < 3; ++i) {
            if (squaredSide(i) > squaredSide(longest)) longest = i;
        }
        return longest;
    }
};

/// The first of each set of triangles on the same three vertices, and how many there are of it; 0 for the others.
IndexedVector<TriangleIndex, uint32_t> copiesOfFirst(const TriMesh& mesh) {
    std::vector<std::pair<Triangle, TriangleIndex>> keys;
    keys.reserve(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        Triangle sorted = mesh.triangles[t];
        std::sort(sorted.begin(), sorted.end());
        keys.emplace_back(sorted, t);
    }
    std::sort(keys.begin(), keys.end());
    IndexedVector<TriangleIndex, uint32_t> copies(mesh.triangleCount(), 0);
    for (size_t i = 0; i < keys.size();) {
        const size_t first = i;
        while (i < keys.size() && keys[i].first == keys[first].first) ++i;
        copies[keys[first].second] = static_cast<uint32_t>(i - first);
    }
    return copies;
}

/// `cellSize`, m: coarser when that makes too many pieces.
std::vector<Piece> dividedAtCuts(const TriMesh& mesh, double cellSize, double longest) {
    // which other triangles cut each one, and which lie flat on another
    std::vector<std::vector<Box3>> cuts(mesh.triangleCount());
    std::vector<uint8_t> layered(mesh.triangleCount(), 0);
    for (const IntersectingPair& pair : selfIntersections(mesh)) {
        cuts[raw(pair.first)].push_back(Piece{mesh.corners(pair.second), pair.second}.box());
        cuts[raw(pair.second)].push_back(Piece{mesh.corners(pair.first), pair.first}.box());
        if (pair.relation == TriangleRelation::CoplanarOverlap)
            layered[raw(pair.first)] = layered[raw(pair.second)] = 1;
    }
    // what is there several times is crossed at once
    const IndexedVector<TriangleIndex, uint32_t> copies = copiesOfFirst(mesh);
    for (const TriangleIndex t : mesh.triangles.indices()) layered[raw(t)] |= copies[t] > 1;
    // pieces as small as asked for, unless the cut area is so large that it would be too many
    double cutArea = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (!cuts[raw(t)].empty()) cutArea += 0.5 * mesh.areaVector(t).norm();
    }
    cellSize = std::max(cellSize, std::sqrt(2 * cutArea / kMaxPieces));

    std::vector<Piece> pieces;
    // halved across the longest side until small, where a cut is near
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (copies[t] == 0) continue;
        std::vector<Piece> open{{mesh.corners(t), t, layered[raw(t)] != 0}};
        while (!open.empty()) {
            const Piece piece = open.back();
            open.pop_back();
            const size_t side = piece.longestSide();
            const Box3 box = piece.box().expanded(cellSize);
            const auto overlaps = [&](const Box3& cut) { return cut.overlaps(box); };
            if (piece.squaredSide(side) <= cellSize * cellSize ||
                (piece.squaredSide(side) <= longest * longest &&
                 std::none_of(cuts[raw(t)].begin(), cuts[raw(t)].end(), overlaps))) {
                pieces.push_back(piece);
                continue;
            }
            Piece first = piece, second = piece;
            first.corners[(side + 1) % 3] = second.corners[side] =
                0.5 * (piece.corners[side] + piece.corners[(side + 1) % 3]);
            open.push_back(second);
            open.push_back(first);
        }
    }
    return pieces;
}

enum class PieceKind : uint8_t { Outward, Inward, Inner, Stray };

PieceKind classify(const Piece& piece, const WindingNumber& winding, double step) {
    const auto& [a, b, c] = piece.corners;
    const Vec3 area = (b - a).cross(c - a);
    const double length = area.norm();
    if (!(length > 0)) return PieceKind::Stray;
    const Vec3 middle = (a + b + c) / 3;
    const Vec3 off = (step / length) * area;
    // Crossing one triangle from front to back adds one.
    const double front = winding(middle + off);
    const bool frontInside = front >= kInside;
    const bool backInside = (piece.layered ? winding(middle - off) : front + 1) >= kInside;
    if (frontInside == backInside) return frontInside ? PieceKind::Inner : PieceKind::Stray;
    return backInside ? PieceKind::Outward : PieceKind::Inward;
}

}  // namespace

namespace {

OuterFaces classified(const std::vector<Piece>& pieces, const WindingNumber& winding, double step) {
    ASSERT(step > 0);
    std::vector<PieceKind> kinds(pieces.size());
    parallelFor(pieces.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) kinds[i] = classify(pieces[i], winding, step);
    });

    // what bounds the solid, turned outward; the rest is counted
    OuterFaces outer;
    for (size_t i = 0; i < pieces.size(); ++i) {
        outer.innerPieces += kinds[i] == PieceKind::Inner;
        outer.strayPieces += kinds[i] == PieceKind::Stray;
        outer.turned += kinds[i] == PieceKind::Inward;
        if (kinds[i] == PieceKind::Inner || kinds[i] == PieceKind::Stray) continue;
        Triangle triangle{};
        for (size_t c = 0; c < 3; ++c) triangle[c] = outer.surface.positions.push_back(Vec3(pieces[i].corners[c]));
        if (kinds[i] == PieceKind::Inward) std::swap(triangle[1], triangle[2]);
        outer.surface.triangles.push_back(triangle);
        outer.source.push_back(pieces[i].source);
    }
    return outer;
}

}  // namespace

OuterFaces outerFaces(const TriMesh& mesh, const WindingNumber& winding, double cellSize, double longest) {
    return classified(dividedAtCuts(mesh, cellSize, longest), winding, kStepOff * cellSize);
}

OuterFaces wholeOuterFaces(const TriMesh& mesh, const WindingNumber& winding, double step) {
    std::vector<Piece> pieces;
    for (const TriangleIndex t : mesh.triangles.indices()) pieces.push_back({mesh.corners(t), t, true});
    return classified(pieces, winding, step);
}

}  // namespace sunder
