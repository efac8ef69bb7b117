#pragma once

#include <array>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/surface/detail/plane_fit.h"

namespace sunder::detail {

/// A tangent plane that a lattice point near a cell knows of: its own nearest surface point.
struct NearbyPlane {
    TangentPlane plane;   // lattice units, counted from the cell's lowest corner
    double overhang = 0;  // how far the point lies outside the cell, cells
};

/// The values of one grid around one cell, in units of the cell size, and what they tell of the surface there. Points
/// are (x, y, z) counted from the cell's lowest corner. The grid's outermost points count as outside (value >= 0), as
/// everywhere in this folder; beyond it values repeat; not-a-number counts as far outside.
class CellField {
public:
    CellField(const DistanceGrid& grid, const Int3& cell);

    double corner(int corner) const { return value({corner & 1, corner >> 1 & 1, corner >> 2}); }
    bool changesSign() const;
    /// Do all corners of the cell itself (offset 0) or of one next to it lie inside, or all outside?
    bool cellIsAll(bool inside, const Int3& offset) const;

    /// Largest second difference at the eight corners, along any axis: zero on a plane, h * curvature on a smooth
    /// surface, of the order of one at a crease.
    double bending() const;

    /// Gradient at a point of a cell edge, second order where the surface is smooth.
    Vec3 edgeGradient(int lowCorner, int highCorner, double t) const;

    /// Are the inside corners of an ambiguous face of the cell joined across its middle? The same answer, to the bit,
    /// from both cells at the face.
    bool joinsAcross(const std::array<int, 4>& faceCorners);

    /// A lattice point with value d says that no surface is nearer than |d|. Is the point deeper than `tolerance`
    /// inside one of these empty balls?
    bool isOffSurface(const Vec3& point, double tolerance) const;

    /// Tangent planes of the lattice points around, one ring beyond the corners, whose nearest surface point lies in
    /// the cell widened by `margin`. A lattice point near a crease knows the face next to it exactly, if differences
    /// are taken to the side that does not look across the crease: of the three parabolas through the point along each
    /// axis, the straightest (essentially non-oscillatory differences [osher1991]). A mixed gradient shows by its
    /// length, which for a distance must be one.
    std::vector<NearbyPlane> planesNear(double margin);

private:
    static constexpr int kSide = 8;  // points -3 .. 4 along each axis
    double value(const Int3& p) const { return values_[slot(p)]; }
    static size_t slot(const Int3& p) {
        return static_cast<size_t>((p[0] + 3) + kSide * ((p[1] + 3) + kSide * (p[2] + 3)));
    }
    void load(int low, int high);
    Vec3 centralGradient(const Int3& p) const;
    struct OneSided {
        Vec3 gradient;
        double bending = 0;  // largest second difference used
    };
    OneSided oneSidedGradient(const Int3& p) const;

    const DistanceGrid* grid_;
    Int3 cell_;
    std::array<float, kSide * kSide * kSide> values_;  // filled as far as loaded
};

}  // namespace sunder::detail
