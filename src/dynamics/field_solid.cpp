#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/random.h"
#include "dynamics/detail/shapes/shape_maker.h"
#include "dynamics/detail/shapes/surface_particles.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/grid/searched_grid.h"
#include "geometry/mesh/topology.h"

namespace sunder::dynamics {

namespace {

constexpr int kCellsAcross = 16;
/// Meshes with so many triangles have many in each cell: nearest ones are searched for, which is sooner done.
constexpr size_t kManyTriangles = 12'000;
constexpr int kFewestAcross = 14;    // cells whose size is exact: 14 to 21
constexpr double kMostPoints = 4e5;  // of a lattice that is finer because the solid is thin
/// A solid whose deepest lattice point is nearer to the surface than this many cells is too thin for its lattice.
constexpr double kDeepEnough = 0.75;
constexpr size_t kFewestParticles = 64, kMostParticles = 128;
constexpr double kBandCells = 4;
/// In radii: what stands out between particles by more would sink visibly into floors.
constexpr double kBulge = 0.007;

void requireClosed(const TriMesh& mesh) {
    if (mesh.empty()) throw std::invalid_argument("field solid: the mesh has no triangles; a closed surface is needed");
    for (const Vec3& p : mesh.positions) {
        if (!p.allFinite()) throw std::invalid_argument("field solid: the mesh has coordinates that are not finite");
    }
    // every edge is run through as often in one direction as in the other
    const MeshTopology topology(mesh);
    size_t open = 0;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        int balance = 0;
        for (const HalfEdge& side : topology.sides(e))
            balance += mesh.triangles[side.triangle][side.corner] == topology.vertices(e)[0] ? 1 : -1;
        open += balance != 0 ? 1 : 0;
    }
    if (open > 0) {
        throw std::invalid_argument(
            fmt::format("field solid: the mesh is not closed, {} of its {} edges are open or turned against each "
                        "other; repair it first",
                        open, topology.edgeCount()));
    }
}

MassProperties massOf(const TriMesh& mesh, const FieldOptions& options) {
    const MassProperties mass = options.mass != nullptr ? *options.mass : massProperties(mesh);
    const double size = boundsOf(mesh).diagonal();
    if (mass.volume > 1e-9 * size * size * size) return mass;
    if (mass.volume < 0) {
        throw std::invalid_argument(
            fmt::format("field solid: the mesh is inside out (volume {} m^3); its triangles must turn "
                        "counter-clockwise seen from outside",
                        mass.volume));
    }
    throw std::invalid_argument(fmt::format("field solid: the mesh encloses no volume ({} m^3)", mass.volume));
}

double boxVolume(const Box3& box) { return box.size().prod(); }

/// A lattice in the middle of the box, one cell around it.
GridFrame centredFrame(const Box3& box, double cellSize) {
    GridFrame frame;
    frame.cellSize = cellSize;
    for (int axis = 0; axis < 3; ++axis) {
        const int cells = std::max(1, static_cast<int>(std::ceil(box.size()[axis] / cellSize - 1e-6)));
        frame.points[axis] = cells + 3;
        frame.origin[axis] = box.centre()[axis] - 0.5 * (cells + 2) * cellSize;
    }
    return frame;
}

DistanceGrid gridOf(const TriMesh& mesh, const Box3& box, double cellSize) {
    return gridFromMesh(mesh, centredFrame(box, cellSize), {.bandCells = kBandCells});
}

double deepestOf(const DistanceGrid& grid) {
    return -double{*std::min_element(grid.values().begin(), grid.values().end())};
}

/// The middle of a wall is half of it deep.
bool tooCoarseFor(const FieldOptions& options, double cell) {
    return options.thinPart > 0 && 0.5 * options.thinPart < kDeepEnough * cell;
}

/// In the frame, given or principal, whose box around the solid is smaller; finer when the solid is thin.
CompactField fieldOf(const TriMesh& inBody, const RigidTransform& bodyFromGiven, const FieldOptions& options) {
    const Quat givenFromBody = bodyFromGiven.rotation.conjugate();
    const TriMesh inGivenAxes = transformed(inBody, {givenFromBody, Vec3::Zero()});
    const bool turn = boundsOf(inGivenAxes).empty() || boxVolume(boundsOf(inGivenAxes)) < boxVolume(boundsOf(inBody));
    const TriMesh& mesh = turn ? inGivenAxes : inBody;
    const Box3 box = boundsOf(mesh);
    double cell = options.cellSize > 0 ? options.cellSize : box.size().maxCoeff() / kCellsAcross;
    DistanceGrid grid = gridOf(mesh, box, cell);
    if (!(options.cellSize > 0)) {
        // what falls between the lattice's points is not there for others
        while (deepestOf(grid) < kDeepEnough * cell || tooCoarseFor(options, cell)) {
            cell *= 0.6;
            if (static_cast<double>(centredFrame(box, cell).pointCount()) > kMostPoints) break;
            grid = gridOf(mesh, box, cell);
        }
    }
    return CompactField(grid, {turn ? givenFromBody : Quat::Identity(), Vec3::Zero()}, box);
}

/// The field of a mesh with many triangles, in its given frame. Aligned lattices of few sizes: most of a large piece's
/// points are points of the whole's lattice.
struct FineField {
    DistanceGrid grid;
    std::shared_ptr<const NearestTriangles> nearest;
};
FineField fineFieldOf(const TriangleTree& tree, const FieldOptions& options) {
    const BrokenOutOf& whole = options.whole;
    const Box3 box = boundsOf(tree.mesh());
    const FieldSolid* before = whole.shape != nullptr ? whole.shape->field() : nullptr;
    const WholeSolid known{whole.mesh, before != nullptr ? before->nearest.get() : nullptr};
    double cell = exactCellSize(box.size().maxCoeff() / kFewestAcross);
    for (;;) {
        SearchedGrid made = searchedGrid(tree, alignedFrame(box, cell, 1), known);
        const bool deepEnough = deepestOf(made.grid) >= kDeepEnough * cell && !tooCoarseFor(options, cell);
        cell = exactCellSize(0.6 * cell);
        if (deepEnough || static_cast<double>(alignedFrame(box, cell, 1).pointCount()) > kMostPoints)
            return {std::move(made.grid), std::make_shared<const NearestTriangles>(std::move(made.nearest))};
    }
}

/// How far the mesh stands out of the hull of its particles, m: the most by which it reaches farther in any of many
/// directions.
double bulgeOf(const TriMesh& mesh, const std::vector<detail::SurfaceParticle>& particles) {
    constexpr int kDirections = 200;
    Random random(0);
    double bulge = 0;
    for (int i = 0; i < kDirections; ++i) {
        const Vec3 direction = Vec3(random.normal(), random.normal(), random.normal()).normalized();
        double ofMesh = 0, ofParticles = 0;
        for (const Vec3& p : mesh.positions) ofMesh = std::max(ofMesh, direction.dot(p));
        for (const detail::SurfaceParticle& p : particles) ofParticles = std::max(ofParticles, direction.dot(p.point));
        bulge = std::max(bulge, ofMesh - ofParticles);
    }
    return bulge;
}

ShapePtr makeFromField(TriMesh inBody, CompactField field, const MassProperties& mass, const detail::BodyFrame& frame,
                       const FieldOptions& options, std::shared_ptr<const NearestTriangles> nearest = nullptr,
                       const TriangleTree* givenTree = nullptr) {
    FieldSolid solid;
    solid.nearest = std::move(nearest);
    detail::ParticleOptions particles;
    particles.fewest = options.particles > 0 ? options.particles : kFewestParticles;
    particles.most = options.particles > 0 ? options.particles : kMostParticles;
    particles.spacing = field.cellSize();
    particles.seed = options.seed;
    double radius = 0;
    for (const Vec3& p : inBody.positions) radius = std::max(radius, p.norm());
    particles.bulge = kBulge * radius;
    std::vector<detail::SurfaceParticle> points = detail::surfaceParticles(inBody, particles);
    solid.bulge = static_cast<float>(bulgeOf(inBody, points));
    detail::fillClusters(std::move(points), solid);

    ShapeParts parts;
    parts.kind = ShapeKind::Field;
    parts.givenTree = givenTree;
    parts.volume = mass.volume;
    parts.moments = frame.moments;
    parts.bodyFromGiven = frame.bodyFromGiven;
    parts.radius = radius;
    parts.innerRadius = std::max(0.0, -field.value(Vec3::Zero()) - 0.5 * field.cellSize());
    parts.thickness =
        std::min(0.5 * boundsOf(inBody).size().minCoeff(), std::max(field.deepest(), 0.25 * field.cellSize()));
    solid.surface = std::move(inBody);
    solid.field = std::move(field);
    parts.geometry = std::move(solid);
    return ShapeMaker::make(std::move(parts));
}

}  // namespace

ShapePtr makeFieldSolid(const TriMesh& mesh, const FieldOptions& options) {
    requireClosed(mesh);
    if (options.cellSize != 0) detail::requireLength(options.cellSize, "field solid: cell size");
    const MassProperties mass = massOf(mesh, options);
    const detail::BodyFrame frame = detail::bodyFrame(mass);
    TriMesh inBody = transformed(mesh, frame.bodyFromGiven);
    removeUnusedVertices(inBody);
    const bool fine = options.cellSize == 0 && mesh.triangleCount() >= kManyTriangles && !hasFlatTriangles(mesh);
    if (fine) {
        const TriangleTree tree(mesh);
        FineField made = fineFieldOf(tree, options);
        CompactField field(made.grid, frame.bodyFromGiven.inverse(), boundsOf(mesh));
        return makeFromField(std::move(inBody), std::move(field), mass, frame, options, std::move(made.nearest), &tree);
    }
    CompactField field = fieldOf(inBody, frame.bodyFromGiven, options);
    return makeFromField(std::move(inBody), std::move(field), mass, frame, options);
}

ShapePtr makeFieldSolid(const TriMesh& mesh, const DistanceGrid& grid, const FieldOptions& options) {
    requireClosed(mesh);
    for (int axis = 0; axis < 3; ++axis) {
        if (grid.frame().points[axis] < 2)
            throw std::invalid_argument("field solid: the distance grid needs at least two points along every axis");
    }
    const MassProperties mass = massOf(mesh, options);
    const detail::BodyFrame frame = detail::bodyFrame(mass);
    TriMesh inBody = transformed(mesh, frame.bodyFromGiven);
    removeUnusedVertices(inBody);
    CompactField field(grid, frame.bodyFromGiven.inverse(), boundsOf(mesh));
    return makeFromField(std::move(inBody), std::move(field), mass, frame, options);
}

}  // namespace sunder::dynamics
