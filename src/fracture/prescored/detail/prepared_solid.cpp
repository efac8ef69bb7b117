#include "fracture/prescored/detail/prepared_solid.h"

#include <algorithm>

#include "base/random.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"

namespace sunder::fracture {

namespace {

constexpr double kCellsPerWall = 2;

/// Enough that even the smallest piece of a concentrated pattern is met by some.
size_t sampleCount(int pieces) { return 2048 + 16 * static_cast<size_t>(pieces); }

/// A crack through a thin body wants some cells across it to be rough in: such a body gets finer ones, up to twice.
double cellSizeOf(const TriMesh& mesh, int cells) {
    const double usual = cellSizeFor(mesh, cells);
    const double meanThickness = 2 * volume(mesh) / surfaceArea(mesh);
    return std::clamp(meanThickness / kCellsPerWall, usual / 2, usual);
}

}  // namespace

PreparedSolid prepareSolid(const Solid& solid, const PrescoredOptions& options, const Context& context) {
    PreparedSolid prepared;
    context.stage("sampling the inside");
    prepared.samples = sampleInterior(solid.mesh(), sampleCount(options.pieces), mixSeed(solid.seed, 1));
    if (isCurved(options.pattern.kind)) {
        context.stage("measuring distances");
        prepared.grid = gridFromMesh(solid.mesh(), cellSizeOf(solid.mesh(), options.cells));
    }
    return prepared;
}

}  // namespace sunder::fracture
