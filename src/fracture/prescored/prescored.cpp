#include "fracture/prescored/prescored.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/log.h"
#include "base/random.h"
#include "fracture/prescored/detail/curved_break.h"
#include "fracture/prescored/detail/planar_break.h"
#include "fracture/prescored/detail/portable.h"
#include "fracture/prescored/detail/prepared_solid.h"
#include "fracture/share_mass.h"
#include "fracture/strength_field.h"
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

double volumeOf(const Solid& solid) { return solid.generation == 0 ? solid.wholeVolume : volume(*solid.mesh); }

std::string reasonFor(const Load& push, double threshold) {
    return fmt::format("impulse {:.4g} N s at ({:.4g}, {:.4g}, {:.4g}), threshold {:.4g} N s", push.impulse.norm(),
                       push.point.x(), push.point.y(), push.point.z(), threshold);
}

/// A push without a normal acts along its impulse.
ImpactPlace placeOf(const Load& push) {
    for (const Vec3& direction : {push.normal, push.impulse}) {
        const double length = direction.norm();
        if (length > 0 && std::isfinite(length)) return {push.point, direction / length};
    }
    return {push.point, Vec3(0, 0, 1)};
}

}  // namespace

const char* nameOf(PatternAlignment alignment) { return alignment == PatternAlignment::Exact ? "exact" : "fast"; }

PatternAlignment alignmentNamed(std::string_view name) {
    for (const PatternAlignment a : {PatternAlignment::Exact, PatternAlignment::Fast}) {
        if (name == nameOf(a)) return a;
    }
    throw std::invalid_argument(fmt::format("there is no alignment '{}'; there are exact, fast", name));
}

std::string problemWith(const PrescoredOptions& options) {
    if (options.pieces < 2 || options.pieces > 100'000) {
        return fmt::format("pieces must lie in 2 .. 100000, got {}", options.pieces);
    }
    if (!(options.threshold >= 0)) {
        return fmt::format("threshold must be an impulse of 0 N s or more, got {:g}", options.threshold);
    }
    if (!(options.thresholdExponent >= 0 && options.thresholdExponent <= 4)) {
        return fmt::format("threshold exponent must lie in 0 .. 4, got {:g}", options.thresholdExponent);
    }
    if (!(options.smallestPiece >= 0 && options.smallestPiece <= 1)) {
        return fmt::format("smallest piece must lie in 0 .. 1 (parts of the whole body's volume), got {:g}",
                           options.smallestPiece);
    }
    if (options.maxGenerations < 1 || options.maxGenerations > 100) {
        return fmt::format("generations must lie in 1 .. 100, got {}", options.maxGenerations);
    }
    if (options.cells < 8 || options.cells > 512) {
        return fmt::format("cells along the longest side must lie in 8 .. 512, got {}", options.cells);
    }
    return problemWith(options.pattern);
}

struct PrescoredMethod::Assets {
    explicit Assets(AssetStore* store) : curved(store) {}
    CurvedAssets curved;
};

PrescoredMethod::PrescoredMethod(PrescoredOptions options, AssetStore* store)
    : options_(std::move(options)), assets_(std::make_unique<Assets>(store)) {
    if (const std::string problem = problemWith(options_); !problem.empty()) throw std::invalid_argument(problem);
}

PrescoredMethod::~PrescoredMethod() = default;

double PrescoredMethod::thresholdOf(const Solid& solid) const {
    if (solid.generation == 0 || options_.thresholdExponent == 0 || !(solid.wholeVolume > 0)) return options_.threshold;
    const double part = std::clamp(volumeOf(solid) / solid.wholeVolume, 1e-30, 1.0);
    return options_.threshold * power(part, options_.thresholdExponent);
}

double PrescoredMethod::thresholdFor(const Solid& solid, const Load& push) const {
    return thresholdOf(solid) * (solid.strength ? solid.strength->at(push.point) : 1);
}

bool PrescoredMethod::mayBreak(const Solid& solid, const Loads& loads) const {
    const Load* push = hardest(loads);
    if (push == nullptr || solid.generation >= options_.maxGenerations) return false;
    if (!(push->impulse.norm() > thresholdFor(solid, *push))) return false;
    return solid.generation == 0 || volumeOf(solid) >= options_.smallestPiece * solid.wholeVolume;
}

std::unique_ptr<const Prepared> PrescoredMethod::prepare(const Solid& solid) const {
    auto prepared = std::make_unique<PreparedSolid>();
    prepared->samples = sampleInterior(*solid.mesh, sampleCount(options_.pieces), mixSeed(solid.seed, 1));
    if (isCurved(options_.pattern.kind)) {
        prepared->grid = gridFromMesh(*solid.mesh, cellSizeOf(*solid.mesh, options_.cells));
    }
    return prepared;
}

/// Places the pattern and intersects it with the body.
std::vector<TriMesh> PrescoredMethod::piecesOf(const Solid& solid, const PreparedSolid& body, const ImpactPlace& place,
                                               uint64_t seed) const {
    const PatternKind kind = options_.pattern.kind;
    if (isCurved(kind)) return breakAlongSurfaces(solid, body, options_, place, seed, assets_->curved);
    const SitePattern sites = placeSites(options_.pattern, body.samples, options_.pieces, place, seed);
    return breakAlongPlanes(*solid.mesh, sites, options_.pieces, kind);
}

FracturePlan PrescoredMethod::plan(const Solid& solid, const Prepared& prepared, const Loads& loads) const {
    FracturePlan plan;
    if (!mayBreak(solid, loads)) return plan;
    const Load& push = *hardest(loads);
    const ImpactPlace place = placeOf(push);
    const auto& body = dynamic_cast<const PreparedSolid&>(prepared);
    std::vector<TriMesh> pieces;
    try {
        pieces = piecesOf(solid, body, place, mixSeed(solid.seed, 2));
    } catch (const std::runtime_error& error) {
        logWarning("a body stays whole that should have broken ({}): {}", reasonFor(push, thresholdFor(solid, push)),
                   error.what());
        return plan;
    }
    if (pieces.size() < 2) return plan;

    for (TriMesh& piece : pieces) plan.fragments.push_back({std::move(piece), 0, {}});
    shareMass(solid.mass, plan.fragments);
    plan.reason = reasonFor(push, thresholdFor(solid, push));
    return plan;
}

}  // namespace sunder::fracture
