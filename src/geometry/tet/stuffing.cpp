#include "geometry/tet/stuffing.h"

#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/tet/detail/cut_lattice.h"
#include "geometry/tet/pinches.h"
#include "geometry/tet/validate.h"

namespace sunder {

namespace {

using detail::CutLattice;
using detail::SolidField;

constexpr double kTetsPerCube = 12;

/// Finds the size of the cubes by trying: the number of tets grows with about the third power of the resolution, less
/// when much of the solid is surface, and is only known after the points next to the surface are sorted.
CutLattice latticeForCount(const SolidField& field, size_t targetTets, Progress& progress) {
    constexpr int kMaxRounds = 16;
    constexpr double kGoodEnough = 0.02;  // relative
    ASSERT(targetTets > 0);
    const double wanted = std::log(static_cast<double>(targetTets));
    struct Trial {
        double logSize = 0;
        double logCount = 0;
        double error() const { return std::abs(logCount); }
    };
    std::optional<CutLattice> best;
    Trial bestTrial, last;
    // first guess: all of the volume in whole cubes
    double logSize = std::log(kTetsPerCube * field.volume() / static_cast<double>(targetTets)) / 3;
    for (int round = 0; round < kMaxRounds; ++round) {
        CutLattice lattice(field, std::exp(logSize), progress);
        // an empty lattice counts as a quarter of a tet: much finer next time
        const Trial trial{logSize, std::log(std::max(0.25, static_cast<double>(lattice.tetCount()))) - wanted};
        if (!best || trial.error() < bestTrial.error()) {
            best = std::move(lattice);
            bestTrial = trial;
        }
        if (bestTrial.error() < kGoodEnough) break;

        // Newton's step in logarithms, with the slope of the last two trials where it can be believed
        double slope = -3;
        if (round > 0 && trial.logSize != last.logSize) {
            slope = std::clamp((trial.logCount - last.logCount) / (trial.logSize - last.logSize), -4.0, -2.0);
        }
        last = trial;
        logSize -= trial.logCount / slope;
    }
    return std::move(*best);
}

CutLattice makeLattice(const SolidField& field, const StuffingOptions& options, Progress& progress) {
    // counted in layers of cubes; unknown before their size is
    progress.start("tetrahedra", 0);
    if (options.cellSize > 0) return CutLattice(field, kCubePerCell * options.cellSize, progress);
    return latticeForCount(field, options.targetTets, progress);
}

}  // namespace

Stuffing stuffWithReport(const DistanceGrid& grid, const StuffingOptions& options, Progress* progress) {
    // what was asked for
    if (!(options.cellSize >= 0) || !std::isfinite(options.cellSize)) {
        throw std::invalid_argument(
            fmt::format("cell size of the tets must be positive (m), got {}", options.cellSize));
    }
    if (options.cellSize == 0 && options.targetTets == 0) {
        throw std::invalid_argument("give the tets a cell size or a target number of tets");
    }
    Progress silent;
    Progress& talk = progress ? *progress : silent;
    // an empty solid is no mistake: no tets
    const SolidField field(grid);
    Stuffing result;
    result.report.cellSize = options.cellSize;
    result.report.latticeSize = kCubePerCell * options.cellSize;
    if (field.innerPointCount() == 0) return result;

    // cut the lattice, then mend where its tets touch at edges and nodes only
    const CutLattice lattice = makeLattice(field, options, talk);
    result.mesh = lattice.mesh();
    const PinchReport pinches = splitPinches(result.mesh);
    ASSERT(problemWith(result.mesh).empty());
    result.report = {.cellSize = options.cellSize > 0 ? options.cellSize : lattice.cellSize() / kCubePerCell,
                     .latticeSize = lattice.cellSize(),
                     .solidVolume = field.volume(),
                     .lostVolume = lattice.lostVolume(field),
                     .doubledNodes = pinches.doubledNodes,
                     .droppedTets = pinches.droppedTets};
    talk.finish();
    return result;
}

TetMesh stuffIsosurface(const DistanceGrid& grid, const StuffingOptions& options, Progress* progress) {
    return stuffWithReport(grid, options, progress).mesh;
}

}  // namespace sunder
