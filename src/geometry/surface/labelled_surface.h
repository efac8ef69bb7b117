#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// A solid divided into regions, sampled on a lattice.
struct LabelledRegions {
    const DistanceGrid* solid = nullptr;  // negative inside; its outermost points count as outside
    std::span<const uint32_t> labels;     // one per lattice point: the region there, inside and outside the solid alike

    /// How much farther from region `a` than from region `b` a point is: negative in a, positive in b, 0 on their wall;
    /// continuous, in any unit. Walls are placed where it is 0. Empty: halfway between lattice points, then smoothed.
    /// Called from several threads at once.
    std::function<double(const Vec3& point, uint32_t a, uint32_t b)> difference;
};

struct LabelledOptions {
    double creaseAngle = 0.35;  // rad; normals in a cell that differ by less are taken as smooth
    /// How far outside its cell a vertex may go to where a wall meets the surface or another wall, cells. The labels of
    /// corners cannot tell which of two neighbouring cells that is in. 0: rims are less sharp, up to half a cell beside
    /// the crease, but fewer slivers along them fold over.
    double creaseReach = 0.5;
    size_t fewestCells = 0;    // parts of fewer lattice points go to the neighbour they share most of their wall with
    int smoothingRounds = 20;  // of walls whose `difference` is not known
    std::function<Vec3(const Vec3&)> normalAt;  // of the solid's surface, as in IsosurfaceOptions
};

/// A connected part of one region.
struct LabelledPiece {
    uint32_t label = 0;
    TriMesh mesh;  // closed, 2-manifold, outward; triangles on walls are marked `inside`
};

/// All regions of a solid at once, ordered by label, then by where they begin in the lattice. Two pieces that meet have
/// the same wall: the same positions to the bit, the same triangles turned over. So the pieces fill the solid's own
/// surface exactly, whatever the labels are. Vertices where a wall meets the solid's surface lie on both; creases of
/// the solid stay as sharp as `isosurface` makes them. Throws InputError.
std::vector<LabelledPiece> labelledSurface(const LabelledRegions& regions, const LabelledOptions& options = {});

}  // namespace sunder
