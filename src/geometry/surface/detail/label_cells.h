#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/grid/flood_fill.h"

namespace sunder::detail {

/// The component (LatticeComponents::kOutside where there is none) at each corner of a cell.
using CellLabels = std::array<uint32_t, 8>;

/// A cell whose corners differ.
struct LabelCell {
    int x = 0;                 // along the row
    uint8_t tets = 0;          // tets with a vertex of their own, a bit each; none: one vertex for the whole cell
    uint32_t firstVertex = 0;  // of those in the cell

    bool isWhole() const { return tets == 0; }
    size_t vertexCount() const;
    /// The vertex that stands for a tet whose corners differ.
    uint32_t vertex(int tet) const;
};

/// All cells that walls pass through, row by row, with their vertices numbered. A cell has one vertex wherever that
/// leaves every region's boundary a 2-manifold, and else one in each tet.
class LabelCells {
public:
    /// `parts` must have no material on the border of the lattice and outlive this.
    LabelCells(const LatticeComponents& parts, const GridFrame& frame);

    size_t rowCount() const { return rowStart_.size() - 1; }
    std::span<const LabelCell> row(size_t r) const {
        return std::span(cells_).subspan(rowStart_[r], rowStart_[r + 1] - rowStart_[r]);
    }
    Int3 position(size_t r, const LabelCell& cell) const {
        const auto rows = static_cast<size_t>(cellsPerAxis_[1]);
        return {cell.x, static_cast<int>(r % rows), static_cast<int>(r / rows)};
    }
    /// The cell's corners must differ.
    const LabelCell& at(const Int3& cell) const;
    CellLabels labels(const Int3& cell) const;

    size_t vertexCount() const { return vertexCount_; }

private:
    void findInRow(int y, int z, std::vector<LabelCell>& found) const;

    const LatticeComponents* parts_;
    GridFrame frame_;
    Int3 cellsPerAxis_{0, 0, 0};
    std::vector<size_t> rowStart_{0};
    std::vector<LabelCell> cells_;
    size_t vertexCount_ = 0;
};

}  // namespace sunder::detail
