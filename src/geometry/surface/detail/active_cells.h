#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/surface/detail/sheet_table.h"

namespace sunder::detail {

/// A cell the surface passes through.
struct ActiveCell {
    int x = 0;                 // along the row
    uint8_t inside = 0;        // corners with value < 0, one bit each
    uint8_t joined = 0;        // ambiguous faces across which the inside is joined, one bit each
    uint32_t firstVertex = 0;  // one vertex per sheet
    uint32_t firstQuad = 0;    // one quad per crossed edge that starts at the cell's lowest corner
};

/// All cells the surface of a grid passes through, row by row, with the connection of every ambiguous face settled
/// such that the dual surface (a vertex per sheet, a quad per crossed edge) is a closed 2-manifold.
///
/// A face whose inside corners lie on a diagonal holds two curves. When these belong to one sheet in both adjacent
/// cells, the two sheet vertices would be joined by two surface edges: a non-manifold edge, the known flaw of dual
/// marching cubes [nielson2004; wenger2013, ch. 5]. Switching how that face is connected exchanges the ends of its two
/// curves, which splits a loop that holds both. So: connect as the values suggest, then
/// switch every face that is pinched from both sides. A switch only ever splits loops, never joins two, hence it
/// cannot pinch another face, and one pass over the faces is enough for any values whatever.
class ActiveCells {
public:
    explicit ActiveCells(const DistanceGrid& grid);

    Int3 cellsPerAxis() const { return cells_; }
    size_t rowCount() const { return rowStart_.size() - 1; }
    std::span<const ActiveCell> row(size_t r) const {
        return std::span(cellsInRows_).subspan(rowStart_[r], rowStart_[r + 1] - rowStart_[r]);
    }
    int rowY(size_t r) const { return static_cast<int>(r % static_cast<size_t>(cells_[1])); }
    int rowZ(size_t r) const { return static_cast<int>(r / static_cast<size_t>(cells_[1])); }

    /// The cell must be active.
    const ActiveCell& at(int x, int y, int z) const { return cellsInRows_[position(x, y, z)]; }

    size_t vertexCount() const { return vertexCount_; }
    size_t quadCount() const { return quadCount_; }

private:
    void findCells(const DistanceGrid& grid);
    void joinAcrossFaces(const DistanceGrid& grid);
    void switchPinchedFaces();
    void numberVerticesAndQuads();
    size_t position(int x, int y, int z) const;

    Int3 cells_{0, 0, 0};
    std::vector<size_t> rowStart_{0};
    std::vector<ActiveCell> cellsInRows_;
    size_t vertexCount_ = 0;
    size_t quadCount_ = 0;
};

}  // namespace sunder::detail
