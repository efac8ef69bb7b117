#pragma once

#include <optional>
#include <span>

#include "geometry/surface/detail/cell_vertices.h"
#include "geometry/surface/detail/wall_field.h"

namespace sunder::detail {

struct WallVertex {
    Vec3 position = Vec3::Zero();  // lattice units, from the cell's lowest corner
    bool onCrease = false;         // of the solid or a wall, or three regions meet here
    bool loose = false;            // on a wall whose place is not known: to be smoothed
};

/// Places the vertices of cells: on the solid's surface where it passes through the cell, then on every wall there as
/// far as that leaves it free, so that three and more regions meet in sharp lines and points.
class WallPlacer {
public:
    /// All must outlive the placer.
    WallPlacer(const LabelledRegions& regions, const LatticeComponents& parts, const LabelledOptions& options);
    WallPlacer(const WallPlacer&) = delete;
    WallPlacer& operator=(const WallPlacer&) = delete;

    /// The one vertex of a whole cell.
    WallVertex inCell(const Int3& cell, const CellLabels& labels) const;
    /// The point nearest to `wanted` on the solid's surface in a whole cell; `wanted` itself, kept in the cell, where
    /// the surface does not pass.
    Vec3 pulledToSolid(const Int3& cell, const CellLabels& labels, const Vec3& wanted) const;
    /// The vertex of a tet.
    WallVertex inTet(const Int3& cell, const CellLabels& labels, int tet) const;
    /// Where labels change between two corners.
    Vec3 onEdge(const Int3& cell, const CellLabels& labels, int from, int to) const;

private:
    SheetVertex onSolid(const Int3& cell, const CellLabels& labels, std::optional<Vec3> wanted) const;
    WallVertex onSolidAndWalls(const Int3& cell, const CellLabels& labels, std::span<const Wall> walls) const;
    WallVertex onWalls(const Int3& cell, const CellLabels& labels, std::span<const Wall> walls) const;
    std::optional<Vec3> onCreaseOfWall(const Int3& cell, const CellLabels& labels, const Wall& wall) const;

    std::array<const DistanceGrid*, 1> solid_;
    IsosurfaceOptions solidOptions_;
    VertexPlacer solidPlacer_;
    WallField field_;
};

}  // namespace sunder::detail
