#include "fracture/common/tet_filling.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "fracture/common/squeeze.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/tet/cracked_tets.h"
#include "geometry/tet/stuffing.h"

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

/// A plate is stretched across, so that tets may be flat where the plate is.
Vec3 stretchFor(const TriMesh& mesh, double solidVolume) {
    const Vec3 size = boundsOf(mesh).size();
    int thin = 0;
    size.minCoeff(&thin);
    Vec3 stretch = Vec3::Ones();
    const double next = std::min(size[(thin + 1) % 3], size[(thin + 2) % 3]), thickness = size[thin];
    const bool isPlate = solidVolume > 0.4 * size.prod();
    if (isPlate && thickness < 0.04 * next) {
        stretch[thin] = 4;
    } else if (isPlate && thickness < 0.1 * next) {
        stretch[thin] = 2;
    }
    return stretch;
}

/// What a body is filled with.
struct Filling {
    stress::ElementOrder order = stress::ElementOrder::Linear;
    double cube = 0;    // m, edge of the lattice's cubes
    double finest = 0;  // m, no smaller cubes than these
};

/// A body is thin when the cubes for the wanted number of tets are too few across it for linear tets. It gets quadratic
/// ones, unless it is so thin that there would be too many.
Filling fillingFor(const TriMesh& mesh, double wholeVolume, const FillingOptions& options) {
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

    // linear tets do not bend: what is thin wants quadratic ones, which are dear
    const double thinnest = thickness / kQuadraticAcross;  // m, a cube
    const bool thin =
        wanted > thickness / kLinearAcross && kTetsPerCube * inside / (thinnest * thinnest * thinnest) < kMostQuadratic;
    const bool quadratic = options.elements == ElementChoice::Quadratic ||
                           (options.elements == ElementChoice::Auto && thin && !isFragment);
    const ElementOrder order = quadratic ? ElementOrder::Quadratic : ElementOrder::Linear;
    // cubes as large as the wanted number allows, and no thicker than the walls
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
void fill(TetFilling& body, double cube, double finest) {
    ASSERT(cube > 0);
    const double whole = volume(body.stretched);
    for (;; cube *= kFiner) {
        body.cellSize = cube;
        body.grid = gridFromMesh(body.stretched, cube, {.bandCells = 4});
        body.tets = largestPart(stuffIsosurface(body.grid, {.cellSize = cube / kCubePerCell}));
        if (volume(body.tets) > kEnough * whole || kFiner * cube < finest) return;
    }
}

}  // namespace

TetFilling fillWithTets(const Solid& solid, const FillingOptions& options) {
    TetFilling body;
    body.volume = solid.volume();
    if (!(body.volume > 0)) return body;

    // mass, and the space in which tets are made: a plate is stretched across
    const MassProperties& mass = solid.geometry->mass();
    body.centre = mass.centre;
    body.inverseInertia = (solid.mass / body.volume * mass.inertia.matrix()).inverse();
    body.stretch = stretchFor(solid.mesh(), body.volume);
    body.stretched = solid.mesh();
    stretchPositions(body.stretched, body.stretch);

    // tets inside the stretched surface
    const auto [order, cube, finest] = fillingFor(body.stretched, body.stretch.prod() * solid.wholeVolume, options);
    body.order = order;
    if (!(cube > 0) || !std::isfinite(cube)) return body;
    fill(body, cube, finest);
    // some walls are far thinner than the mean, and took many more tets than were foreseen
    if (options.elements == ElementChoice::Auto && static_cast<double>(body.tets.tetCount()) > 1.5 * kMostQuadratic)
        body.order = stress::ElementOrder::Linear;
    for (Vec3& node : body.tets.nodes) node = node.cwiseQuotient(body.stretch);
    return body;
}

}  // namespace sunder::fracture
