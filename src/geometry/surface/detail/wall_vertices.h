#pragma once

#include <optional>
#include <span>

#include "geometry/surface/detail/cell_vertices.h"
#include "geometry/surface/detail/label_cells.h"

namespace sunder::detail {

struct WallVertex {
    Vec3 position = Vec3::Zero();  // lattice units, from the cell's lowest corner
    bool onCrease = false;         // of the solid or a wall, or three regions meet here
    bool onSolid = false;          // on the solid's surface
    bool loose = false;            // on a wall whose place is not known: to be smoothed
};

/// Places vertices: on the solid's surface where it passes through the cell or tet, then on every wall there as far as
/// that leaves it free, so that three and more regions meet in sharp lines and points.
class WallPlacer {
public:
    /// All must outlive the placer.
    WallPlacer(const LabelledRegions& regions, const WallField& field, const LabelledOptions& options);
    WallPlacer(const WallPlacer&) = delete;
    WallPlacer& operator=(const WallPlacer&) = delete;

    /// The one vertex of a whole cell.
    WallVertex inCell(const Int3& cell, const CellLabels& parts) const;
    /// The vertex between these of a cell's corners and its centre: those of a tet, or of a triangle of a face.
    WallVertex between(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const;
    /// Cautious places for the same: the middle of where labels change along the edges.
    Vec3 middleOfCell(const Int3& cell, const CellLabels& parts) const;
    Vec3 middleBetween(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const;
    /// The point of the solid's surface in the cell that is nearest to `wanted`.
    Vec3 pulledToSolid(const Int3& cell, const CellLabels& parts, const Vec3& wanted) const;
    /// The room that vertices have in a cell.
    static Box3 room();
    /// Where labels change between two corners.
    Vec3 onEdge(const Int3& cell, const CellLabels& parts, CornerPair edge) const {
        return field_->crossing(cell, parts, edge);
    }

private:
    /// A cell or tet: which edges it has.
    struct Place {
        const Int3& cell;
        const CellLabels& parts;
        std::span<const CornerPair> edges;
    };
    WallVertex place(const Place& at, std::optional<Vec3> start) const;
    Vec3 meanCrossing(const Place& at) const;
    SheetVertex onSolid(const Place& at, std::optional<VertexPlacer::Wish> wish) const;
    Vec3 onSolidAndWalls(const Place& at, std::span<const Wall> walls, SheetVertex vertex) const;
    Vec3 onWalls(const Place& at, std::span<const Wall> walls, const Box3& room) const;
    std::optional<Vec3> onCreaseOfWall(const Place& at, const Wall& wall) const;

    std::array<const DistanceGrid*, 1> solid_;
    double reach_;  // cells
    IsosurfaceOptions solidOptions_;
    VertexPlacer solidPlacer_;
    const WallField* field_;
};

}  // namespace sunder::detail
