#pragma once

#include <vector>

#include "base/progress.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/detail/bcc_lattice.h"
#include "geometry/tet/detail/stuffing_stencils.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder::detail {

/// The solid that a lattice is stuffed with: the region value < 0 of a grid, cut off at the grid's bounds.
class SolidField {
public:
    explicit SolidField(const DistanceGrid& grid);
    double operator()(const Vec3& point) const;

    const DistanceGrid& grid() const { return *grid_; }
    /// Holds every point with a negative value; empty when there is none.
    const Box3& bounds() const { return bounds_; }
    size_t innerPointCount() const { return innerPointCount_; }
    /// Counted in grid points, m^3.
    double volume() const;

private:
    const DistanceGrid* grid_;
    Box3 gridBounds_;
    Box3 bounds_;
    size_t innerPointCount_ = 0;
};

/// A body-centred cubic lattice with its points sorted into inside and outside, the surface's cuts through its edges
/// found, and points too near to a cut moved onto it [labelle2007, section 3]. Knows how many tets it gives before it
/// makes them.
class CutLattice {
public:
    /// The field has inner points.
    CutLattice(const SolidField& field, double cellSize, Progress& progress);

    double cellSize() const { return lattice_.cellSize(); }
    size_t tetCount() const { return tetsBeforeLayer_.back(); }
    TetMesh mesh() const;
    /// Volume of the inner grid points that lie in lattice tets without an inner corner, m^3.
    double lostVolume(const SolidField& field) const;

private:
    void sample(const SolidField& field, Progress& progress);
    void findCuts(const SolidField& field, Progress& progress);
    void warp();
    void numberNodes();
    void countTets();

    template <class Body>
    void forEachInnerLayer(Body&& body) const;
    template <class Body>
    void forEachPointInLayer(int k, Body&& body) const;
    template <class Body>
    void forEachTetInLayer(int k, Body&& body) const;

    double fractionToCut(size_t point, int direction) const;
    Vec3 nodePosition(size_t point) const;
    bool holdsNothing(const Vec3& point) const;

    BccLattice lattice_;
    // one entry per lattice point
    std::vector<double> value_;
    std::vector<Side> side_;
    std::vector<uint16_t> crossings_;    // directions of the edges that the surface cuts, before warping
    std::vector<uint16_t> cuts_;         // of an inner point: the cuts that are left after it
    std::vector<int8_t> warpDirection_;  // along which the point was moved onto the cut; -1 = not
    std::vector<uint32_t> firstCut_;     // of an inner point with cuts: its first entry of cutAt_
    std::vector<uint32_t> firstNode_;    // its own node, followed by those of its cuts

    std::vector<double> cutAt_;  // for each cut edge, from the inner end: where along it, 0..1
    // sums over the layers of cubes below
    std::vector<size_t> nodesBeforeLayer_;
    std::vector<size_t> tetsBeforeLayer_;
};

}  // namespace sunder::detail
