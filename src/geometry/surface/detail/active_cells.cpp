#include "geometry/surface/detail/active_cells.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/assert.h"
#include "base/error.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "geometry/surface/detail/cell_field.h"

namespace sunder::detail {

namespace {

constexpr size_t kRowsPerBlock = 32;

/// Moves bit b to bit 2b: the four signs of a column of points (y, z) to the corners of one x.
constexpr unsigned spread(unsigned column) {
    return (column & 1U) | (column & 2U) << 1 | (column & 4U) << 2 | (column & 8U) << 3;
}

bool onBorder(const GridFrame& frame, int i, int j, int k) {
    return i == 0 || j == 0 || k == 0 || i == frame.points[0] - 1 || j == frame.points[1] - 1 ||
           k == frame.points[2] - 1;
}

void findInRow(const DistanceGrid& grid, int y, int z, std::vector<ActiveCell>& found) {
    const GridFrame& frame = grid.frame();
    std::array<const float*, 4> points{};  // rows of points around the row of cells; none where all count as outside
    for (int b = 0; b < 4; ++b) {
        const int j = y + b % 2, k = z + b / 2;
        if (!onBorder(frame, 1, j, k)) points[b] = grid.values().data() + frame.index(0, j, k);
    }
    // the signs of the four points at one place of the row
    const auto column = [&](int i) {
        unsigned bits = 0;
        for (unsigned b = 0; b < 4; ++b) bits |= (points[b] != nullptr && points[b][i] < 0 ? 1U : 0U) << b;
        return bits;
    };
    const int lastPoint = frame.points[0] - 1;
    // a cell is active if its eight corners differ: two columns and what lies between
    unsigned low = 0;
    for (int x = 0; x < lastPoint; ++x) {
        const unsigned high = x + 1 < lastPoint ? column(x + 1) : 0;
        if (low != high || (low != 0 && low != 15)) {
            found.push_back({x, static_cast<uint8_t>(spread(low) | spread(high) << 1), 0, 0, 0});
        }
        low = high;
    }
}

}  // namespace

ActiveCells::ActiveCells(const DistanceGrid& grid) {
    const Int3 points = grid.frame().points;
    if (points[0] < 3 || points[1] < 3 || points[2] < 3) return;  // nothing but border
    cells_ = {points[0] - 1, points[1] - 1, points[2] - 1};
    findCells(grid);
    joinAcrossFaces(grid);
    switchPinchedFaces();
    numberVerticesAndQuads();
}

void ActiveCells::findCells(const DistanceGrid& grid) {
    const size_t rows = static_cast<size_t>(cells_[1]) * static_cast<size_t>(cells_[2]);
    rowStart_.assign(rows + 1, 0);
    std::vector<std::vector<ActiveCell>> found((rows + kRowsPerBlock - 1) / kRowsPerBlock);
    parallelFor(rows, kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            const size_t before = found[block.index].size();
            findInRow(grid, rowY(r), rowZ(r), found[block.index]);
            rowStart_[r + 1] = found[block.index].size() - before;
        }
    });
    std::partial_sum(rowStart_.begin(), rowStart_.end(), rowStart_.begin());
    cellsInRows_.resize(rowStart_.back());
    parallelFor(rows, kRowsPerBlock, [&](const BlockRange& block) {
        std::copy(found[block.index].begin(), found[block.index].end(),
                  cellsInRows_.begin() + static_cast<std::ptrdiff_t>(rowStart_[block.begin]));
    });
}

void ActiveCells::joinAcrossFaces(const DistanceGrid& grid) {
    const SheetTable& table = SheetTable::instance();
    parallelFor(rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            for (size_t n = rowStart_[r]; n < rowStart_[r + 1]; ++n) {
                ActiveCell& cell = cellsInRows_[n];
                unsigned faces = table.ambiguousFaces(cell.inside);
                if (faces == 0) continue;
                CellField field(grid, {cell.x, rowY(r), rowZ(r)});
                for (; faces != 0; faces &= faces - 1) {
                    const int face = std::countr_zero(faces);
                    if (field.joinsAcross(faceCorners(face))) cell.joined |= static_cast<uint8_t>(1U << face);
                }
            }
        }
    });
}

void ActiveCells::switchPinchedFaces() {
    const SheetTable& table = SheetTable::instance();
    // in cell order, one after the other: a switch can make another one needless, and the result must not depend on
    // who came first
    for (size_t r = 0; r < rowCount(); ++r) {
        for (size_t n = rowStart_[r]; n < rowStart_[r + 1]; ++n) {
            ActiveCell& cell = cellsInRows_[n];
            if (table.ambiguousFaces(cell.inside) == 0) continue;
            for (int axis = 0; axis < 3; ++axis) {
                const int upper = 2 * axis + 1, lower = 2 * axis;
                // both cells at a face must be pinched there for a switch to help
                if (!table.isPinched(cell.inside, cell.joined, upper)) continue;
                ActiveCell& other =
                    cellsInRows_[position(cell.x + (axis == 0), rowY(r) + (axis == 1), rowZ(r) + (axis == 2))];
                if (!table.isPinched(other.inside, other.joined, lower)) continue;
                cell.joined ^= static_cast<uint8_t>(1U << upper);
                other.joined ^= static_cast<uint8_t>(1U << lower);
            }
        }
    }
}

void ActiveCells::numberVerticesAndQuads() {
    const SheetTable& table = SheetTable::instance();
    for (ActiveCell& cell : cellsInRows_) {
        cell.firstVertex = static_cast<uint32_t>(vertexCount_);
        cell.firstQuad = static_cast<uint32_t>(quadCount_);
        vertexCount_ += table.sheets(cell.inside, cell.joined).count;
        // the corners next to the lowest one along x, y, z whose sign differs from its own
        const unsigned differs = (cell.inside & 1U) != 0 ? ~static_cast<unsigned>(cell.inside) : cell.inside;
        quadCount_ += static_cast<size_t>(std::popcount(differs & 0b10110U));
    }
    if (vertexCount_ >= kInvalidIndex || 2 * quadCount_ >= kInvalidIndex) {
        throw InputError("isosurface", "the surface needs " + std::to_string(2 * quadCount_) +
                                           " triangles, more than 32-bit indices can name; use a coarser grid");
    }
}

size_t ActiveCells::position(int x, int y, int z) const {
    const size_t r = static_cast<size_t>(y) + static_cast<size_t>(cells_[1]) * static_cast<size_t>(z);
    const auto first = cellsInRows_.begin() + static_cast<std::ptrdiff_t>(rowStart_[r]);
    const auto last = cellsInRows_.begin() + static_cast<std::ptrdiff_t>(rowStart_[r + 1]);
    const auto found = std::lower_bound(first, last, x, [](const ActiveCell& cell, int at) { return cell.x < at; });
    ASSERT(found != last && found->x == x);
    return static_cast<size_t>(found - cellsInRows_.begin());
}

}  // namespace sunder::detail
