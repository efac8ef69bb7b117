#include "geometry/surface/detail/wall_polygons.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"
#include "geometry/surface/detail/quad_split.h"

namespace sunder::detail {

namespace {

constexpr size_t kRowsPerBlock = 8;

Vec3 asVector(const Int3& cell) { return {double(cell[0]), double(cell[1]), double(cell[2])}; }

/// What blocks found, in their order.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& blocks) {
    std::vector<T> all;
    size_t count = 0;
    for (const std::vector<T>& block : blocks) count += block.size();
    all.reserve(count);
    for (const std::vector<T>& block : blocks) all.insert(all.end(), block.begin(), block.end());
    return all;
}

size_t blockCount(const LabelCells& cells) { return (cells.rowCount() + kRowsPerBlock - 1) / kRowsPerBlock; }

/// Where smoothing may take a vertex: anywhere in its cell, or near by if there are others.
Box3 roomOf(const WallVertex& vertex, const Int3& at, const LabelCell& cell) {
    constexpr double kShare = 0.2;  // cells
    const Vec3 middle = asVector(at) + vertex.position;
    if (!cell.isWhole() || cell.ambiguous != 0)
        return {Vec3(middle - Vec3::Constant(kShare)), Vec3(middle + Vec3::Constant(kShare))};
    return {Vec3(asVector(at) + WallPlacer::room().min), Vec3(asVector(at) + WallPlacer::room().max)};
}

/// The cell's own vertices in tets and in triangles of faces: use(vertex, corners that it lies between).
template <class Use>
void forEachBetween(const LabelCell& cell, const Use& use) {
    for (int tet = 0; tet < kTetCount; ++tet) {
        if ((cell.tets >> tet & 1U) == 0) continue;
        const std::array<uint8_t, 3> base = cell.diagonals.triangle(tet / 2, tet % 2);
        const std::array<uint8_t, 4> corners{base[0], base[1], base[2], kCentre};
        use(cell.vertex(tet / 2, tet % 2), corners);
    }
    for (int face = 0; face < 6; face += 2) {
        for (int triangle = 0; triangle < 2 && cell.isAmbiguous(face); ++triangle) {
            use(cell.faceVertex(face, triangle), cell.diagonals.triangle(face, triangle));
        }
    }
}

/// Polygons around the edges that a cell owns: its three edges at the lowest corner, the diagonals of its lower faces
/// and those from its centre to its corners.
class PolygonFinder {
public:
    PolygonFinder(const LabelCells& cells, const WallPlacer& placer, std::vector<WallPolygon>& found)
        : cells_(&cells), placer_(&placer), found_(&found) {}

    void addOf(const Int3& at, const LabelCell& cell) {
        at_ = at;
        parts_ = cells_->labels(at, cell);
        for (int axis = 0; axis < 3; ++axis) aroundEdge(axis);
        for (int face = 0; face < 6; face += 2) aroundDiagonal(cell, face);
        for (int corner = 0; corner < 8 && !cell.isWhole(); ++corner) aroundSpoke(cell, corner);
    }

private:
    void begin() { polygon_ = {}; }
    /// Vertices of one cell may all be the same.
    void add(uint32_t vertex) {
        if (polygon_.count > 0 && polygon_.corners[polygon_.count - 1U] == vertex) return;
        polygon_.corners[polygon_.count++] = vertex;
    }
    void addFaceVertex(const Int3& at, const LabelCell& cell, int face, int triangle) {
        if (!cell.isAmbiguous(face)) return;
        plain_ = false;
        Int3 owner = at;
        owner[static_cast<size_t>(face / 2)] += face % 2;
        add((face % 2 == 0 ? cell : cells_->at(owner)).faceVertex(face - face % 2, triangle));
    }
    /// `edge` leads from behind to before. Less than three corners: the polygon has vanished within one or two cells.
    void finish(CornerPair edge, bool turned, bool mayBeSplit) {
        if (polygon_.count > 1 && polygon_.corners[polygon_.count - 1U] == polygon_.corners[0]) --polygon_.count;
        if (polygon_.count < 3) return;
        if (turned) std::reverse(polygon_.corners.begin(), polygon_.corners.begin() + polygon_.count);
        polygon_.behind = parts_[edge.from];
        polygon_.before = parts_[edge.to];
        polygon_.needsMiddle = polygon_.count > 3 && !mayBeSplit;
        if (polygon_.needsMiddle) polygon_.middle = asVector(at_) + placer_->onEdge(at_, parts_, edge);
        found_->push_back(polygon_);
    }

    void aroundEdge(int axis) {
        const CornerPair edge{0, static_cast<uint8_t>(1 << axis)};
        if (parts_[edge.from] == parts_[edge.to]) return;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        // the four cells around it, counter-clockwise seen from its upper end: how far back they begin, and the faces
        // by which the round enters and leaves them
        struct Turn {
            int backU, backV, enter, leave;
        };
        const std::array<Turn, 4> round{
            {{1, 1, 2 * v + 1, 2 * u + 1}, {0, 1, 2 * u, 2 * v + 1}, {0, 0, 2 * v, 2 * u}, {1, 0, 2 * u + 1, 2 * v}}};
        begin();
        plain_ = true;
        for (const Turn& turn : round) {
            Int3 at = at_;
            at[static_cast<size_t>(u)] -= turn.backU;
            at[static_cast<size_t>(v)] -= turn.backV;
            const LabelCell& cell = cells_->at(at);
            const int low = turn.backU << u | turn.backV << v, high = low | 1 << axis;
            const int entering = cell.diagonals.triangleAt(turn.enter, low, high);
            const int leaving = cell.diagonals.triangleAt(turn.leave, low, high);
            add(cell.vertex(turn.enter, entering));
            add(cell.vertex(turn.leave, leaving));
            addFaceVertex(at, cell, turn.leave, leaving);
        }
        // four corners in four cells: two cells across an edge meet nowhere else, so the diagonal is the only one
        finish(edge, false, polygon_.count == 4 && plain_);
    }

    void aroundDiagonal(const LabelCell& cell, int face) {
        const CornerPair edge = cell.diagonals.ends(face);
        if (parts_[edge.from] == parts_[edge.to]) return;
        Int3 below = at_;
        --below[static_cast<size_t>(face / 2)];
        const LabelCell& other = cells_->at(below);
        begin();
        add(cell.vertex(face, 0));
        add(cell.vertex(face, 1));
        addFaceVertex(at_, cell, face, 1);
        add(other.vertex(face + 1, 1));
        add(other.vertex(face + 1, 0));
        addFaceVertex(at_, cell, face, 0);
        finish(edge, cell.diagonals.isMain(face), false);
    }

    void aroundSpoke(const LabelCell& cell, int corner) {
        if (parts_[static_cast<size_t>(corner)] == parts_[kCentre]) return;
        begin();
        for (int axis = 0; axis < 3; ++axis) {  // from the edge along it to the next one, over the face between
            const int next = (axis + 1) % 3, last = (axis + 2) % 3;
            const int face = 2 * last + (corner >> last & 1);
            add(cell.vertex(face, cell.diagonals.triangleAt(face, corner, corner ^ 1 << axis)));
            add(cell.vertex(face, cell.diagonals.triangleAt(face, corner, corner ^ 1 << next)));
        }
        finish({static_cast<uint8_t>(corner), kCentre}, std::popcount(static_cast<unsigned>(corner)) % 2 != 0, false);
    }

    const LabelCells* cells_;
    const WallPlacer* placer_;
    std::vector<WallPolygon>* found_;
    Int3 at_{0, 0, 0};
    CellLabels parts_{};
    WallPolygon polygon_;
    bool plain_ = true;  // no vertex of a face so far
};

}  // namespace

WallVertices placeVertices(const LabelCells& cells, const WallPlacer& placer) {
    WallVertices vertices;
    vertices.positions.resize(cells.vertexCount());
    vertices.onCrease.resize(cells.vertexCount());
    std::vector<std::vector<WallVertices::Loose>> loose(blockCount(cells));
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const LabelCell& cell : cells.row(r)) {
                const Int3 at = cells.position(r, cell);
                const CellLabels labels = cells.labels(at, cell);
                const auto put = [&](uint32_t v, const WallVertex& placed) {
                    vertices.positions[v] = asVector(at) + placed.position;
                    vertices.onCrease[v] = placed.onCrease ? 1 : 0;
                    if (placed.loose) loose[block.index].push_back({v, at, placed.onSolid, roomOf(placed, at, cell)});
                };
                if (cell.isWhole()) put(cell.firstVertex, placer.inCell(at, labels));
                forEachBetween(cell, [&](uint32_t v, std::span<const uint8_t> corners) {
                    put(v, placer.between(at, labels, corners));
                });
            }
        }
    });
    vertices.loose = joined(loose);
    return vertices;
}

void retreat(WallVertices& vertices, const LabelCells& cells, const WallPlacer& placer,
             const std::vector<bool>& parts) {
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const LabelCell& cell : cells.row(r)) {
                const Int3 at = cells.position(r, cell);
                const CellLabels labels = cells.labels(at, cell);
                const bool concerned = std::any_of(labels.begin(), labels.begin() + 8, [&](uint32_t part) {
                    return part != LatticeComponents::kOutside && parts[part];
                });
                if (!concerned) continue;
                if (cell.isWhole()) {
                    vertices.positions[cell.firstVertex] = asVector(at) + placer.middleOfCell(at, labels);
                }
                forEachBetween(cell, [&](uint32_t v, std::span<const uint8_t> corners) {
                    vertices.positions[v] = asVector(at) + placer.middleBetween(at, labels, corners);
                });
            }
        }
    });
}

std::vector<WallPolygon> findPolygons(const LabelCells& cells, const WallPlacer& placer) {
    std::vector<std::vector<WallPolygon>> found(blockCount(cells));
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        PolygonFinder finder(cells, placer, found[block.index]);
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const LabelCell& cell : cells.row(r)) {
                finder.addOf(cells.position(r, cell), cell);
            }
        }
    });
    return joined(found);
}

std::vector<WallTriangle> triangulate(const std::vector<WallPolygon>& polygons, WallVertices& vertices) {
    std::vector<WallTriangle> triangles;
    triangles.reserve(2 * polygons.size());
    for (const WallPolygon& polygon : polygons) {
        const auto& c = polygon.corners;
        const auto add = [&](uint32_t p, uint32_t q, uint32_t r) {
            triangles.push_back({{p, q, r}, polygon.behind, polygon.before});
        };
        if (polygon.needsMiddle) {
            const auto middle = static_cast<uint32_t>(vertices.positions.size());
            vertices.positions.push_back(polygon.middle);
            vertices.onCrease.push_back(0);
            for (size_t i = 0; i < polygon.count; ++i) add(c[i], c[(i + 1U) % polygon.count], middle);
            continue;
        }
        if (polygon.count == 3) {
            add(c[0], c[1], c[2]);
            continue;
        }
        std::array<Vec3, 4> corners;
        std::array<bool, 4> onCrease{};
        for (size_t i = 0; i < 4; ++i) {
            corners[i] = vertices.positions[c[i]];
            onCrease[i] = vertices.onCrease[c[i]] != 0;
        }
        const size_t first = splitsAtFirst(corners, onCrease) ? 0 : 1;
        add(c[first], c[first + 1], c[first + 2]);
        add(c[first], c[first + 2], c[(first + 3) % 4]);
    }
    return triangles;
}

}  // namespace sunder::detail
