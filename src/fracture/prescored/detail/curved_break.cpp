#include "fracture/prescored/detail/curved_break.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fracture/prescored/detail/placed_regions.h"
#include "geometry/surface/labelled_surface.h"

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

}  // namespace

std::vector<TriMesh> breakAlongSurfaces(const Solid& solid, const PreparedSolid& body, const PrescoredOptions& options,
                                        const ImpactPlace& place, uint64_t seed, CurvedAssets& assets) {
    const PlacedRegions placed = options.alignment == PatternAlignment::Exact
                                     ? placeExactly(body, options, place, seed, assets)
                                     : placeFast(body, options, place, assets);
    LabelledRegions regions;
    regions.solid = &body.grid;
    regions.labels = placed.labels;
    regions.difference = [&](const Vec3& point, uint32_t a, uint32_t b) { return placed.difference(a, b, point); };
    LabelledOptions contouring;
    contouring.fewestCells = fewestCells(solid, body, options);
    std::vector<TriMesh> pieces;
    for (LabelledPiece& piece : labelledSurface(regions, contouring)) pieces.push_back(std::move(piece.mesh));
    return pieces;
}

}  // namespace sunder::fracture
