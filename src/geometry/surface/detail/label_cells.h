#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/surface/detail/wall_field.h"

namespace sunder::detail {

/// A cell whose corners differ.
struct LabelCell {
    int x = 0;              // along the row
    uint16_t tets = 0;      // tets with a vertex of their own, a bit each; none: one vertex for the whole cell
    uint8_t ambiguous = 0;  // faces whose triangles have a vertex each, a bit per face
    Diagonals diagonals;
    uint32_t centre = 0;       // component at the centre; unless whole
    uint32_t firstVertex = 0;  // of the cell's own: those of the cell or its tets, then of its ambiguous lower faces

    bool isWhole() const { return tets == 0; }
    bool isAmbiguous(int face) const { return (ambiguous >> face & 1) != 0; }
    size_t vertexCount() const;
    /// The vertex that stands for the tet on a triangle of a face.
    uint32_t vertex(int face, int triangle) const;
    /// The vertex in a triangle of an ambiguous lower face.
    uint32_t faceVertex(int face, int triangle) const;
};

/// All cells that walls pass through, row by row, with their vertices numbered.
///
/// The walls are the dual of the tets of cell_corners.h: a vertex in each tet, a polygon around each edge, a polyhedron
/// around each point. Four polyhedra meet at a vertex, three at an edge, two at a polygon, so any union of polyhedra is
/// bounded by a 2-manifold, however the points are labelled. That would be far too many vertices; so those of a cell
/// are drawn into one wherever every region's boundary crosses the cell's surface in a single loop: what lies within is
/// then the cone over that loop. A loop can cross a face twice only if the face is ambiguous, and then there is a
/// vertex in each of its triangles, so that two neighbouring cells are never joined by two edges.
class LabelCells {
public:
    /// `parts` must have no material on the border of the lattice. All must outlive this.
    LabelCells(const LatticeComponents& parts, const GridFrame& frame, const WallField& field);

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
    CellLabels labels(const Int3& at, const LabelCell& cell) const;

    size_t vertexCount() const { return vertexCount_; }
    size_t wholeCount() const;
    size_t cellCount() const { return cells_.size(); }

private:
    void findInRow(int y, int z, const WallField& field, std::vector<LabelCell>& found) const;

    const LatticeComponents* parts_;
    GridFrame frame_;
    Int3 cellsPerAxis_{0, 0, 0};
    std::vector<size_t> rowStart_{0};
    std::vector<LabelCell> cells_;
    size_t vertexCount_ = 0;
};

}  // namespace sunder::detail
