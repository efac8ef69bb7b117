#include "geometry/surface/detail/wall_polygons.h"

#include <algorithm>

#include "base/parallel.h"
#include "geometry/surface/detail/kuhn_lattice.h"
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

/// Sides that have shrunk to nothing, because both tets lie in a cell with one vertex, are left out. Less than three
/// corners remain when the whole polygon has vanished in one or two such cells.
WallPolygon polygonAround(const LabelCells& cells, const Int3& point, int direction) {
    WallPolygon polygon;
    std::array<Int3, 6> cellOf{};
    const Int3* back = nullptr;
    const LabelCell* cell = nullptr;
    for (const RingTet& tet : KuhnLattice::instance().ring(direction)) {
        if (back == nullptr || *back != tet.back) {
            back = &tet.back;
            cell = &cells.at({point[0] - tet.back[0], point[1] - tet.back[1], point[2] - tet.back[2]});
        }
        const uint32_t vertex = cell->vertex(tet.tet);
        if (polygon.count > 0 && polygon.corners[polygon.count - 1U] == vertex) continue;
        cellOf[polygon.count] = tet.back;
        polygon.corners[polygon.count++] = vertex;
    }
    // two cells across an edge meet nowhere else, so a diagonal between them is the only one
    const bool acrossEdge = polygon.count == 4 && cellOf[0] != cellOf[1] && cellOf[1] != cellOf[2] &&
                            cellOf[2] != cellOf[3] && cellOf[3] != cellOf[0];
    polygon.needsMiddle = polygon.count > 3 && !acrossEdge;
    return polygon;
}

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
                const CellLabels labels = cells.labels(at);
                const auto put = [&](uint32_t v, const WallVertex& placed) {
                    vertices.positions[v] = asVector(at) + placed.position;
                    vertices.onCrease[v] = placed.onCrease ? 1 : 0;
                    if (placed.loose) loose[block.index].push_back({v, at});
                };
                if (cell.isWhole()) {
                    put(cell.firstVertex, placer.inCell(at, labels));
                    continue;
                }
                for (int tet = 0; tet < 6; ++tet) {
                    if ((cell.tets >> tet & 1U) != 0) put(cell.vertex(tet), placer.inTet(at, labels, tet));
                }
            }
        }
    });
    vertices.loose = joined(loose);
    return vertices;
}

std::vector<WallPolygon> findPolygons(const LabelCells& cells, const WallPlacer& placer) {
    std::vector<std::vector<WallPolygon>> found(blockCount(cells));
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const LabelCell& cell : cells.row(r)) {
                const Int3 at = cells.position(r, cell);
                const CellLabels labels = cells.labels(at);
                for (int direction = 1; direction < 8; ++direction) {
                    const uint32_t behind = labels[0], before = labels[static_cast<size_t>(direction)];
                    if (behind == before) continue;
                    if (direction == 7 && cell.isWhole()) continue;  // the diagonal is the cell's own
                    WallPolygon polygon = polygonAround(cells, at, direction);
                    if (polygon.count < 3) continue;
                    polygon.behind = behind;
                    polygon.before = before;
                    if (polygon.needsMiddle) polygon.middle = asVector(at) + placer.onEdge(at, labels, 0, direction);
                    found[block.index].push_back(polygon);
                }
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
