#include "fracture/fem/detail/fem_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "base/log.h"
#include "base/parallel.h"
#include "base/random.h"
#include "fracture/noise.h"
#include "fracture/squeeze.h"
#include "fracture/strength_field.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/tet/cracked_tets.h"
#include "geometry/tet/embedding.h"
#include "geometry/tet/stuffing.h"
#include "math/sparse/block_cholesky.h"

namespace sunder::fracture {

namespace {

constexpr double kTetsPerCube = 12;  // of a body-centred cubic lattice
// cubes across the mean thickness, at least: linear tets do not bend
constexpr double kLinearAcross = 1.4, kQuadraticAcross = 0.9;
constexpr double kFewTets = 400;         // a fragment has at least
constexpr double kMostTimes = 8;         // what was asked for: more is not done for thin walls
constexpr double kMostTimesQuick = 2;    // the same for fragments, and for ten-node tets that were asked for
constexpr double kMostQuadratic = 6000;  // tets: more would take too long
constexpr double kFragment = 0.9;        // of the whole body's volume: what has less is a fragment, and done quickly
constexpr double kEnough = 0.9;          // of a solid's volume that tets must fill
constexpr double kFiner = 0.8;           // cubes, from try to try
constexpr double kCrackedShare = 0.1;    // stiffness that a tet with an old crack has left
constexpr double kCrackedStrength = 0.3;

/// A plate is stretched across, so that tets may be flat where the plate is.
Vec3 unitFor(const TriMesh& mesh, double solidVolume) {
    const Vec3 size = boundsOf(mesh).size();
    int thin = 0;
    size.minCoeff(&thin);
    Vec3 unit = Vec3::Ones();
    const double next = std::min(size[(thin + 1) % 3], size[(thin + 2) % 3]), thickness = size[thin];
    const bool isPlate = solidVolume > 0.4 * size.prod();
    if (isPlate && thickness < 0.04 * next) {
        unit[thin] = 4;
    } else if (isPlate && thickness < 0.1 * next) {
        unit[thin] = 2;
    }
    return unit;
}

/// What a body is filled with.
struct Filling {
    stress::ElementOrder order = stress::ElementOrder::Linear;
    double cube = 0;    // m, edge of the lattice's cubes
    double finest = 0;  // m, no smaller cubes than these
};

/// A body is thin when the cubes for the wanted number of tets are too few across it for linear tets. It gets quadratic
/// ones, unless it is so thin that there would be too many.
Filling fillingFor(const TriMesh& mesh, double wholeVolume, const FemFractureOptions& options) {
    const bool isFragment = volume(mesh) < kFragment * wholeVolume;
    using stress::ElementOrder;
    const double inside = volume(mesh), thickness = 2 * inside / surfaceArea(mesh);
    // fragments get cubes of the size that the whole body has, but some
    const double tets =
        std::max(options.tets * std::min(1.0, inside / wholeVolume), std::min<double>(kFewTets, options.tets));
    const double wanted = std::cbrt(kTetsPerCube * inside / tets);
    const bool quick = isFragment || options.elements == ElementChoice::Quadratic;
    const double finest = std::cbrt(kTetsPerCube * inside /
                                    std::min<double>(options.maxTets, (quick ? kMostTimesQuick : kMostTimes) * tets));
    const double thinnest = thickness / kQuadraticAcross;  // m, a cube
    const bool thin =
        wanted > thickness / kLinearAcross && kTetsPerCube * inside / (thinnest * thinnest * thinnest) < kMostQuadratic;
    const bool quadratic = options.elements == ElementChoice::Quadratic ||
                           (options.elements == ElementChoice::Auto && thin && !isFragment);
    const ElementOrder order = quadratic ? ElementOrder::Quadratic : ElementOrder::Linear;
    const double across = order == ElementOrder::Linear ? kLinearAcross : kQuadraticAcross;
    return {order, std::max(std::min(wanted, thickness / across), finest), finest};
}

/// The largest part that hangs together by faces.
TetMesh largestPart(const TetMesh& mesh) {
    const TetComponents parts = componentsOf(uncracked(mesh));
    if (parts.count <= 1) return mesh;
    std::vector<double> volumes(parts.count, 0.0);
    for (const TetIndex t : mesh.tets.indices()) volumes[parts.of[t]] += volume(mesh, t);
    const auto largest = static_cast<uint32_t>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
    std::vector<TetIndex> chosen;
    for (const TetIndex t : mesh.tets.indices()) {
        if (parts.of[t] == largest) chosen.push_back(t);
    }
    return subset(mesh, chosen);
}

/// Fills a solid with tets that hang together. Cubes that lose thin walls are made smaller, as long as that does not
/// take too many tets.
void fill(FemBody& body, double cube, double finest) {
    const double whole = volume(body.stretched);
    for (;; cube *= kFiner) {
        body.cellSize = cube;
        body.grid = gridFromMesh(body.stretched, cube, {.bandCells = 4});
        body.tets = largestPart(stuffIsosurface(body.grid, {.cellSize = cube / kCubePerCell}));
        if (volume(body.tets) > kEnough * whole || kFiner * cube < finest) return;
    }
}

/// How strong the material is from place to place.
class StrengthAt {
public:
    StrengthAt(const Solid& solid, const FemFractureOptions& options)
        : solid_(solid), options_(options), wave_(0.15 * std::cbrt(std::max(solid.wholeVolume, 1e-300))) {}
    double operator()(const Vec3& place) const {
        // of the whole body's seed-free place: fragments find the same
        const Vec3 noise = vectorNoise(place / wave_, 0x5ee1) + 0.5 * vectorNoise(2.3 * place / wave_, 0x5ee2);
        const double varied = std::max(0.1, 1 + 2 * options_.variation * noise.x());
        return options_.strength.tensile * varied * (solid_.strength ? solid_.strength->at(place) : 1);
    }

private:
    const Solid& solid_;
    const FemFractureOptions& options_;
    double wave_;  // m
};

void addGrains(const Solid& solid, const GrainOptions& options, FemBody& body) {
    const Grains grains(options, solid.seed, body.tets);
    IndexedVector<NodeIndex, uint32_t> grain;
    grain.resize(body.tets.nodeCount());
    parallelFor(grain.size(), 256, [&](const BlockRange& block) {
        for (size_t n = block.begin; n < block.end; ++n) grain[NodeIndex(n)] = grains.at(body.tets.nodes[NodeIndex(n)]);
    });
    body.weakPlane.assign(body.tets.tetCount(), Vec3::Zero());
    for (const TetIndex t : body.tets.tets.indices()) {
        const Tet& nodes = body.tets.tets[t];
        const uint32_t one = grain[nodes[0]];
        for (size_t k = 1; k < 4; ++k) {
            const uint32_t other = grain[nodes[k]];
            if (other == one) continue;
            const Vec3 normal = grains.normalOf(std::min(one, other), std::max(one, other), middleOf(body.tets, t));
            if (!normal.allFinite()) break;
            body.weakPlane[t] = options.bias * normal;
            body.strength[t] *= options.strength;
            break;
        }
    }
}

/// Tets with old cracks in them are soft and weak.
void addWeakSpots(FemBody& body) {
    if (body.scars.spots.empty()) return;
    const TetLocator locator(body.tets);
    std::vector<uint8_t> cracked(body.tets.tetCount(), 0);
    for (const WeakSpot& spot : body.scars.spots) {
        const TetIndex t = locator.locate(spot.place).tet;
        if (t != kNone<TetIndex>) cracked[raw(t)] = 1;
    }
    body.share.assign(body.tets.tetCount(), 1.0);
    for (size_t t = 0; t < cracked.size(); ++t) {
        if (cracked[t] == 0) continue;
        body.share[t] = kCrackedShare;
        body.strength[TetIndex(t)] *= kCrackedStrength;
    }
}

}  // namespace

FemBody fillWithTets(const Solid& solid, const FemFractureOptions& options) {
    FemBody body;
    body.volume = volume(*solid.mesh);
    if (!(body.volume > 0)) return body;
    const MassProperties mass = massProperties(*solid.mesh);
    body.centre = mass.centre;
    body.inverseInertia = (solid.mass / body.volume * mass.inertia.matrix()).inverse();
    body.unit = unitFor(*solid.mesh, body.volume);
    body.stretched = *solid.mesh;
    stretchPositions(body.stretched, body.unit);
    const auto [order, cube, finest] = fillingFor(body.stretched, body.unit.prod() * solid.wholeVolume, options);
    body.order = order;
    if (!(cube > 0) || !std::isfinite(cube)) return body;
    fill(body, cube, finest);
    // some walls are far thinner than the mean, and took many more tets than were foreseen
    if (options.elements == ElementChoice::Auto && static_cast<double>(body.tets.tetCount()) > 1.5 * kMostQuadratic)
        body.order = stress::ElementOrder::Linear;
    for (Vec3& node : body.tets.nodes) node = node.cwiseQuotient(body.unit);
    return body;
}

FemBody makeFemBody(const Solid& solid, const FemFractureOptions& options) {
    FemBody body = fillWithTets(solid, options);
    if (body.tets.tetCount() == 0) return body;
    body.scars = scarsIn(solid.inherited);

    const StrengthAt strengthAt(solid, options);
    body.strength.resize(body.tets.tetCount());
    parallelFor(body.tets.tetCount(), 256, [&](const BlockRange& block) {
        for (size_t t = block.begin; t < block.end; ++t)
            body.strength[TetIndex(t)] = strengthAt(middleOf(body.tets, TetIndex(t)));
    });
    if (options.grains.count > 1) addGrains(solid, options.grains, body);
    addWeakSpots(body);
    try {
        body.solver = std::make_unique<stress::FemSolver>(body.tets, options.elastic,
                                                          stress::FemOptions{.order = body.order}, body.share);
    } catch (const NotPositiveDefinite& error) {
        logWarning("a body has tets that its stress cannot be solved in ({}); it stays whole", error.what());
    }
    return body;
}

}  // namespace sunder::fracture
