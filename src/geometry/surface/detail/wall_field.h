#pragma once

#include <array>
#include <optional>

#include "geometry/surface/detail/label_cells.h"
#include "geometry/surface/detail/plane_fit.h"
#include "geometry/surface/labelled_surface.h"

namespace sunder::detail {

/// The wall between two components in one cell. Points are in lattice units, from the cell's lowest corner.
struct Wall {
    std::array<uint32_t, 2> parts{};   // components on its two sides
    bool known = false;                // `difference` agrees with the labels at both ends of every edge it crosses
    std::array<double, 8> atCorner{};  // difference at the corners of the two components; negative in the first
};

/// Where the walls between components are.
class WallField {
public:
    WallField(const LabelledRegions& regions, const LatticeComponents& parts) : regions_(&regions), parts_(&parts) {}

    /// The walls that edges of the cell cross, each once.
    std::vector<Wall> wallsIn(const Int3& cell, const CellLabels& labels) const;

    /// Tangent plane of the wall near a point: one step of Newton's method away. None where the difference is flat.
    std::optional<TangentPlane> planeNear(const Int3& cell, const Wall& wall, const Vec3& point) const;

    /// How far along the way from one corner to the other labels change, 0 .. 1, by the wall between them or by the
    /// solid's surface.
    double crossing(const Int3& cell, const CellLabels& labels, int from, int to) const;

private:
    double difference(const Int3& cell, const Vec3& point, uint32_t partA, uint32_t partB) const;
    bool hasDifference(uint32_t partA, uint32_t partB) const;

    const LabelledRegions* regions_;
    const LatticeComponents* parts_;
};

inline Vec3 cornerPoint(int corner) { return {double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)}; }

}  // namespace sunder::detail
