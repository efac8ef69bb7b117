#pragma once

#include <optional>
#include <span>

#include "geometry/surface/detail/active_cells.h"
#include "geometry/surface/detail/plane_fit.h"
#include "geometry/surface/isosurface.h"

namespace sunder::detail {

/// Where an edge leaves a solid that is the intersection of several.
struct EdgeCrossing {
    double t = 0;   // 0 at the inside end, 1 at the outside end
    int field = 0;  // whose surface is met; the first of equals
};
/// `insideEnd` and `outsideEnd` hold the value of each field at the two ends of the edge.
EdgeCrossing edgeCrossing(std::span<const double> insideEnd, std::span<const double> outsideEnd);

struct SheetVertex {
    Vec3 position;  // lattice units, from the cell's lowest corner; in the cell, or just beyond in one without
    SurfaceFeature feature = SurfaceFeature::Smooth;
    Vec3 axis = Vec3::Zero();  // normal where smooth, direction of a crease
};

/// Finds the vertex of every sheet in a cell of the intersection of one or two fields.
class VertexPlacer {
public:
    static constexpr size_t kMaxFields = 2;

    /// The fields share one frame and outlive the placer.
    VertexPlacer(std::span<const DistanceGrid* const> fields, const IsosurfaceOptions& options);

    /// One vertex per sheet of the cell.
    void place(const Int3& at, const ActiveCell& cell, std::span<SheetVertex> vertices) const;

private:
    struct Cell;
    SheetVertex placeSheet(const Cell& cell, int sheet) const;
    SheetVertex placeByNearbyPlanes(const Cell& cell, int sheet, const Vec3& centre, const Box3& box) const;
    std::optional<SheetVertex> placeOnFeature(const Cell& cell, std::span<const TangentPlane> planes,
                                              SurfaceFeature feature, const Vec3& centre, const Box3& box) const;
    SheetVertex placeOnFace(std::span<const TangentPlane> planes, const Vec3& centre, const Box3& box) const;
    enum class Side { Inside, Outside };
    std::optional<Side> sideOf(const Cell& cell, const Int3& offset) const;
    std::optional<Vec3> pointOnTip(const Cell& cell, std::span<const TangentPlane> planes, SurfaceFeature feature,
                                   const Vec3& centre) const;
    Vec3 surfaceNormal(const Cell& cell, int field, const Vec3& point, const Vec3& estimate) const;
    bool onBorder(const Int3& cell, int corner) const;
    void findCrossings(Cell& cell) const;
    void findNearbyPlanes(Cell& cell) const;

    std::span<const DistanceGrid* const> fields_;
    const IsosurfaceOptions* options_;
    double smoothBending_;  // second difference that a kink of creaseAngle exceeds
};

}  // namespace sunder::detail
