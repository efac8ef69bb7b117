#pragma once

#include "base/progress.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// Edge of the lattice's cubes, in asked cells. A boundary triangle has its corners on the grid's surface and between
/// them goes up to 0.838 cubes away from the nearest one (searched in stuffing_stencils_test), so with cubes of
/// 0.5 / 0.838 = 0.597 cells it stays within half a cell. Against the input, 61 models show up to 0.75 cubes.
inline constexpr double kCubePerCell = 0.59;

/// How fine the tets are. One of the two has to be given; cellSize goes first.
struct StuffingOptions {
    /// The boundary keeps within half of this of the surface, m; the cubes are smaller, see kCubePerCell.
    /// 0 = chosen for targetTets.
    double cellSize = 0;
    /// Wanted number of tets when cellSize is 0; met within 5 % (unless so few are wanted that no lattice does).
    size_t targetTets = 0;
};

/// Isosurface stuffing [labelle2007]: fills the region value < 0 with tets of a body-centred cubic lattice, warped and
/// cut so that the boundary follows the surface. Dihedral angles lie within 10.5 to 163.8 degrees in a random
/// search over all cuts; that is evidence, not a proof. Whatever lies outside the grid's lattice counts as outside the
/// solid.
///
/// Features thinner than the lattice are lost: the report says how much, and the caller warns or asks for a finer
/// lattice. The boundary is a closed manifold: nodes at which only tips or edges of tets would touch are doubled, see
/// splitPinches().
TetMesh stuffIsosurface(const DistanceGrid& grid, const StuffingOptions& options, Progress* progress = nullptr);

/// What the tets were made with, and how much of the solid they lost.
struct StuffingReport {
    double cellSize = 0;      // m, as asked, or what was chosen for targetTets
    double latticeSize = 0;   // m, edge of the lattice's cubes: cellSize times kCubePerCell
    double solidVolume = 0;   // m^3, of the region value < 0, counted in grid points
    double lostVolume = 0;    // m^3, of those points that have no tet within about a cube: thin features
    size_t doubledNodes = 0;  // to part tets that only touched
    size_t droppedTets = 0;   // where two wedges met at one edge and could not be parted

    /// 0 to 1; 0 for an empty solid.
    double lostFraction() const { return solidVolume > 0 ? lostVolume / solidVolume : 0; }
};

/// What stuffWithReport() made.
struct Stuffing {
    TetMesh mesh;           // empty: the solid is too thin for the lattice
    StuffingReport report;  // to be looked at: thin features may be lost
};

/// The same with an account of it. Throws std::invalid_argument when neither size nor count is given, and
/// std::length_error when the lattice would have more than 2^31 points.
Stuffing stuffWithReport(const DistanceGrid& grid, const StuffingOptions& options, Progress* progress = nullptr);

}  // namespace sunder
