#include "fracture/prescored/detail/curved_break.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fracture/prescored/detail/placed_regions.h"
#include "geometry/cut/cut_by_cells.h"
#include "geometry/cut/lattice_walls.h"
#include "geometry/grid/flood_fill.h"

namespace sunder::fracture {

namespace {

constexpr double kFewestCells = 12;  // what has fewer is a crumb of the grid, not a piece

/// Lattice points of the smallest piece that is left by itself.
size_t fewestCells(const Solid& solid, const PreparedSolid& body, const PrescoredOptions& options) {
    const double cell = body.grid.frame().cellSize;
    const double wanted = options.smallestPiece * solid.wholeVolume / (cell * cell * cell);
    // a fragment breaks again into pieces of its own size, whatever the whole was
    const double ratio = body.samples.spacing / cell, cellsPerSample = ratio * ratio * ratio;
    const double mean = static_cast<double>(body.samples.points.size()) * cellsPerSample / options.pieces;
    return static_cast<size_t>(std::max(kFewestCells, std::min(wanted, 0.25 * mean)));
}

/// Small parts of a region, as far as the lattice tells, have the label of the neighbour they share most with.
std::vector<uint32_t> withoutSpecks(const std::vector<uint32_t>& labels, const DistanceGrid& grid, size_t fewest) {
    const LatticeComponents parts = labelledComponents(grid, labels, LatticeBorder::Outside);
    const LatticeComponents kept = withoutSmallComponents(parts, grid.frame(), fewest);
    std::vector<uint32_t> result = labels;
    for (size_t p = 0; p < result.size(); ++p) {
        const uint32_t part = kept.ofPoint[p];
        if (part != LatticeComponents::kOutside) result[p] = kept.components[part].label;
    }
    return result;
}

}  // namespace

std::vector<TriMesh> breakAlongSurfaces(const Solid& solid, const PreparedSolid& body, const PrescoredOptions& options,
                                        const ImpactPlace& place, uint64_t seed, CurvedAssets& assets) {
    const PlacedRegions placed = options.alignment == PatternAlignment::Exact
                                     ? placeExactly(body, options, place, seed, assets)
                                     : placeFast(body, options, place, assets);
    LatticeRegions regions;
    regions.solid = &body.grid;
    const std::vector<uint32_t> labels = withoutSpecks(placed.labels, body.grid, fewestCells(solid, body, options));
    regions.labels = labels;
    regions.count = static_cast<uint32_t>(regionCount(placed.regions));
    regions.difference = [&](const Vec3& point, uint32_t a, uint32_t b) { return placed.difference(a, b, point); };
    std::vector<TriMesh> pieces;
    for (CutPiece& piece : cutByWalls(*solid.mesh, latticeWalls(regions))) pieces.push_back(std::move(piece.mesh));
    return pieces;
}

}  // namespace sunder::fracture
