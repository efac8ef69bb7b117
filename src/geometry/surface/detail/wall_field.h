#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "geometry/grid/flood_fill.h"
#include "geometry/surface/detail/cell_corners.h"
#include "geometry/surface/detail/plane_fit.h"
#include "geometry/surface/labelled_surface.h"

namespace sunder::detail {

/// The wall between two regions in one cell. Named by the labels that the lattice points were given, not by the
/// components they belong to: a part given to a neighbour because it was small keeps its old walls to others.
struct Wall {
    std::array<uint32_t, 2> labels{};  // ascending; equal for two parts of one region
    bool known = false;                // `difference` agrees with the labels of the corners
    std::array<double, 8> atCorner{};  // difference at corners with these labels; negative where it is the first
};

/// Where the walls are. Points are in lattice units, from the cell's lowest corner.
class WallField {
public:
    WallField(const LabelledRegions& regions, const LatticeComponents& parts) : regions_(&regions), parts_(&parts) {}

    /// The walls that these edges of a cell cross, each once.
    std::vector<Wall> wallsOn(const Int3& cell, const CellLabels& parts, std::span<const CornerPair> edges) const;

    /// Tangent plane of the wall near a point: one step of Newton's method away. None where the difference is flat.
    std::optional<TangentPlane> planeNear(const Int3& cell, const Wall& wall, const Vec3& point) const;

    /// Where the wall between the ends of an edge, or the solid's surface, crosses it.
    Vec3 crossing(const Int3& cell, const CellLabels& parts, CornerPair edge) const;

    /// The component that has the middle of these corners; one of theirs.
    uint32_t partAmid(const Int3& cell, const CellLabels& parts, std::span<const uint8_t> corners) const;

private:
    uint32_t label(const Int3& cell, const CellLabels& parts, int corner) const;
    double solidAt(const Int3& cell, const CellLabels& parts, int corner) const;
    double value(const Int3& cell, const Vec3& point, uint32_t labelA, uint32_t labelB) const;
    double shareOfEdge(const Int3& cell, const CellLabels& parts, CornerPair edge) const;

    const LabelledRegions* regions_;
    const LatticeComponents* parts_;
};

}  // namespace sunder::detail
