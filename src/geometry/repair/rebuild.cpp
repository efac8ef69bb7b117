#include "geometry/repair/rebuild.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/split_long_edges.h"
#include "geometry/mesh/topology.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/detail/examine.h"
#include "geometry/repair/outer_faces.h"
#include "geometry/repair/shells.h"
#include "geometry/repair/thin_fans.h"
#include "geometry/repair/wall_thickness.h"
#include "geometry/surface/isosurface.h"

namespace sunder {

namespace {

constexpr double kVolumeTolerance = 0.01;
constexpr double kCrumbVolume = 1e-4;  // of the whole
constexpr double kCrumbCells = 4;      // across
constexpr double kShardVolume = 0.01;  // of the whole: what a thin edge leaves on the grid where it ends

/// Asks the winding number as seldom as possible. Between neighbouring points that are both farther than half a cell
/// from the outer faces nothing can change, so a run of such points along x is asked at its ends only; an open source,
/// whose inside fades out through its gaps, at every eighth point too. Where two answers differ, all between are asked.
class SignSetter {
public:
    SignSetter(DistanceGrid& grid, const WindingNumber& winding, SourceKind source)
        : grid_(grid), winding_(winding), step_(source == SourceKind::Open ? 8 : grid.frame().points[0]) {}

    /// Values are distances without sign before, with it after.
    void setRow(int j, int k) {
        const int count = grid_.frame().points[0];
        const auto far = [&](int i) { return grid_.at(i, j, k) > 0.75 * grid_.frame().cellSize; };
        for (int i = 0; i < count;) {
            int last = i;
            if (far(i)) {
                while (last + 1 < count && far(last + 1)) ++last;
            }
            setRun(i, last, j, k);
            i = last + 1;
        }
    }

private:
    bool inside(int i, int j, int k) const { return winding_(grid_.frame().position(i, j, k)) >= 0.5; }
    void set(int i, int j, int k, bool isInside) {
        float& value = grid_.at(i, j, k);
        value = isInside ? -std::abs(value) : std::abs(value);
    }
    void setRun(int first, int last, int j, int k) {
        bool before = inside(first, j, k);
        set(first, j, k, before);
        for (int i = first; i < last;) {
            const int next = std::min(i + step_, last);
            const bool after = inside(next, j, k);
            for (int m = i + 1; m < next; ++m) set(m, j, k, before == after ? before : inside(m, j, k));
            set(next, j, k, after);
            before = after;
            i = next;
        }
    }

    DistanceGrid& grid_;
    const WindingNumber& winding_;
    int step_;
};

/// Distances to the outer faces alone, with the sign of the whole soup.
DistanceGrid gridOfSoup(const TriMesh& mesh, const OuterFaces& outer, const WindingNumber& winding, double cellSize,
                        SourceKind source, Progress* progress) {
    const GridFrame frame = alignedFrame(boundsOf(mesh), cellSize, 4);
    DistanceGrid grid = gridFromMesh(outer.surface, frame, {.bandCells = 3, .sign = GridSign::ClosedMesh}, progress);
    for (float& value : grid.values()) value = std::abs(value);
    SignSetter signs(grid, winding, source);
    parallelFor(static_cast<size_t>(frame.points[2]), 1, [&](const BlockRange& block) {
        for (int j = 0; j < frame.points[1]; ++j) signs.setRow(j, static_cast<int>(block.begin));
    });
    return grid;
}

/// Of the longest side of the box: what is longer is near everywhere, and found by every search.
constexpr double kShortPiece = 1.0 / 8;

/// Positions and triangles alone.
TriMesh inShortPieces(const TriMesh& mesh) {
    return splitLongEdges(mesh, kShortPiece * boundsOf(mesh).size().maxCoeff());
}

/// Shells of a few cells, or no thicker than one, are noise of the sampling, not bodies.
size_t dropCrumbs(TriMesh& mesh, double cellSize) {
    const MeshTopology topology(mesh);
    const Components components = connectedComponents(mesh, topology);
    if (components.count < 2) return 0;
    const std::vector<NestedShell> shells = nestedShells(mesh, components);
    double largest = 0;
    for (const NestedShell& shell : shells) largest = std::max(largest, std::abs(shell.volume));
    detail::KeepMask keep(mesh.triangleCount(), 1);
    size_t dropped = 0;
    for (const NestedShell& shell : shells) {
        const bool isCrumb =
            std::abs(shell.volume) <= kCrumbVolume * largest && shell.box.size().maxCoeff() <= kCrumbCells * cellSize;
        const bool isShard =
            std::abs(shell.volume) <= kShardVolume * largest && 2 * std::abs(shell.volume) <= cellSize * shell.area;
        if (!isCrumb && !isShard) continue;
        ++dropped;
        for (const TriangleIndex t : shell.triangles) keep[t] = 0;
    }
    detail::keepTriangles(mesh, keep);
    removeUnusedVertices(mesh);
    return dropped;
}

/// Affine coordinates of a point in a triangle's plane; beyond the triangle they extend its map, within reason.
Vec3 affineCoordinates(const Vec3& p, const std::array<Vec3, 3>& corners) {
    const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0], w = p - corners[0];
    const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), wu = w.dot(u), wv = w.dot(v);
    const double determinant = uu * vv - uv * uv;
    if (!(determinant > 0)) return {1.0 / 3, 1.0 / 3, 1.0 / 3};
    const double s = std::clamp((wu * vv - wv * uv) / determinant, -1.0, 2.0);
    const double t = std::clamp((wv * uu - wu * uv) / determinant, -1.0, 2.0);
    return {1 - s - t, s, t};
}

void takeAttributes(TriMesh& mesh, const TriMesh& source, const TriangleTree& outerTree, const OuterFaces& outer) {
    ASSERT(outer.source.size() == outer.surface.triangleCount());
    mesh.materialNames = source.materialNames;
    const size_t count = mesh.triangleCount();
    if (!source.materials.empty()) mesh.materials.assign(count, 0);
    if (!source.inside.empty()) mesh.inside.assign(count, 0);
    if (!source.uvs.empty()) mesh.uvs.assign(count, {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()});
    if (source.materials.empty() && source.inside.empty() && source.uvs.empty()) return;
    // each new triangle is like the old one that is nearest to its middle
    parallelFor(count, 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const auto t = static_cast<TriangleIndex>(static_cast<uint32_t>(i));
            const auto corners = mesh.corners(t);
            const SurfacePoint nearest = outerTree.closestPoint((corners[0] + corners[1] + corners[2]) / 3);
            const TriangleIndex from = outer.source[nearest.triangle];
            if (!source.materials.empty()) mesh.materials[t] = source.materials[from];
            if (!source.inside.empty()) mesh.inside[t] = source.inside[from];
            if (source.uvs.empty()) continue;
            // its picture goes on beyond the old triangle's corners
            const auto sourceCorners = source.corners(from);
            for (size_t c = 0; c < 3; ++c) {
                const Vec3 weights = affineCoordinates(corners[c], sourceCorners);
                for (size_t k = 0; k < 3; ++k) mesh.uvs[t][c] += weights[static_cast<int>(k)] * source.uvs[from][k];
            }
        }
    });
}

RebuildResult rebuildAt(const TriMesh& mesh, const WindingNumber& winding, int cells, SourceKind source,
                        Progress* progress) {
    ASSERT(cells > 0);
    RebuildResult result;
    result.cells = cells;
    result.cellSize = cellSizeFor(mesh, cells);
    // the faces that bound the solid, and the volume they enclose
    const double longest =
        hasThickFans(mesh) ? kShortPiece * boundsOf(mesh).size().maxCoeff() : std::numeric_limits<double>::infinity();
    const OuterFaces outer = outerFaces(mesh, winding, result.cellSize, longest);
    result.innerPieces = outer.innerPieces;
    if (outer.surface.empty()) return result;
    const Vec3 reference = boundsOf(mesh).centre();
    for (const TriangleIndex t : outer.surface.triangles.indices()) {
        const auto [a, b, c] = outer.surface.corners(t);
        result.expectedVolume += (a - reference).dot((b - reference).cross(c - reference)) / 6;
    }
    result.wall = wallThickness(outer.surface);

    const DistanceGrid grid = gridOfSoup(mesh, outer, winding, result.cellSize, source, progress);
    const TriangleTree tree(outer.surface);
    // creases come out sharp since the surface's own normals are asked
    IsosurfaceOptions options;
    options.normalAt = [&](const Vec3& point) {
        return Vec3(outer.surface.areaVector(tree.closestPoint(point).triangle).normalized());
    };
    result.mesh = isosurface(grid, options);
    result.crumbs = dropCrumbs(result.mesh, result.cellSize);
    takeAttributes(result.mesh, mesh, tree, outer);
    result.volume = volume(result.mesh);
    return result;
}

bool volumeHolds(const RebuildResult& result) {
    return std::abs(result.volume - result.expectedVolume) <= kVolumeTolerance * std::abs(result.expectedVolume);
}

}  // namespace

Decisiveness windingDecisiveness(const TriMesh& source) {
    constexpr size_t kSamples = 4096;
    constexpr double kMargin = 0.01;  // of the box diagonal: nearer to the surface the winding number jumps anyway
    // random places in the box, each by its own number
    const Box3 bounds = boundsOf(source);
    const TriMesh mesh =
        hasThickFans(source) ? inShortPieces(withThinnerFans(source, kMargin * bounds.diagonal())) : source;
    const TriangleTree tree(mesh);
    const WindingNumber winding(mesh);
    struct Counts {
        size_t inside = 0, ambiguous = 0, turned = 0, asked = 0;
    };
    const Counts counts = parallelReduce(
        kSamples, 64, Counts{},
        [&](const BlockRange& block) {
            Counts own;
            for (size_t i = block.begin; i < block.end; ++i) {
                Random random(0xdec1, i);
                Vec3 point;
                for (int axis = 0; axis < 3; ++axis) point[axis] = random.uniform(bounds.min[axis], bounds.max[axis]);
                const double margin = kMargin * bounds.diagonal();
                ++own.asked;
                // near the surface any answer is right
                if (tree.closestPoint(point, margin).squaredDistance <= margin * margin) continue;
                const double w = winding(point);
                own.inside += std::abs(w) >= 0.5;
                own.ambiguous += std::abs(w - std::round(w)) > 0.2;
                own.turned += w <= -0.5;
            }
            return own;
        },
        [](Counts a, const Counts& b) {
            return Counts{a.inside + b.inside, a.ambiguous + b.ambiguous, a.turned + b.turned, a.asked + b.asked};
        });
    // of what is inside, how much is not clearly so
    Decisiveness result;
    result.insideShare = static_cast<double>(counts.inside) / static_cast<double>(counts.asked);
    result.ambiguousShare =
        static_cast<double>(counts.ambiguous) / static_cast<double>(std::max<size_t>(1, counts.inside));
    result.turnedShare = static_cast<double>(counts.turned) / static_cast<double>(std::max<size_t>(1, counts.inside));
    return result;
}

RebuildResult rebuildThroughGrid(const TriMesh& source, const RebuildOptions& options, Progress* progress) {
    // needles closer than a cell tell it nothing
    const bool fans = hasThickFans(source);
    const double finest = boundsOf(source).size().maxCoeff() / std::max(options.cells, options.maxCells);
    const TriMesh mesh = fans ? withThinnerFans(source, 2 * finest) : source;
    if (fans && isTangledFan(mesh)) {
        RebuildResult result;
        result.tangledFan = true;
        return result;
    }
    // Rounded to whole numbers anyway: wide clusters will do for a closed source.
    const WindingNumber winding(fans ? inShortPieces(mesh) : mesh, options.source == SourceKind::Closed ? 1.5 : 2.0);

    // an open soup gives nothing to compare with
    if (options.source == SourceKind::Open) return rebuildAt(mesh, winding, options.cells, options.source, progress);

    // finer where a wall or the volume asks for it, within the limit
    const int limit = std::max(options.cells, options.maxCells);
    const double longest = boundsOf(mesh).size().maxCoeff();
    const WallThickness wall = wallThickness(wholeOuterFaces(mesh, winding, 1e-3 * longest / options.cells).surface);
    int cells = options.cells;
    if (wall.known() && wall.thinnest < 3 * longest / cells) {
        cells = static_cast<int>(std::min(std::ceil(3 * longest / wall.thinnest), static_cast<double>(limit)));
    }
    RebuildResult result = rebuildAt(mesh, winding, cells, options.source, progress);
    // of thinned fans the volume is not known so well that a second try would tell more
    if (!volumeHolds(result) && cells < limit && !fans)
        result = rebuildAt(mesh, winding, limit, options.source, progress);
    if (result.wall.known() && result.wall.thinnest < 3 * result.cellSize) {
        result.warnings.push_back(fmt::format("a wall is {}; give a finer resolution to keep it",
                                              detail::thinWallText(result.wall, result.cellSize)));
    }
    if (!volumeHolds(result)) {
        result.warnings.push_back(
            fmt::format("the rebuilt volume {:.6g} differs from the {:.6g} that the source's outer faces enclose by "
                        "{:.2g} %: details smaller than the cell size {:.3g} were lost; give a finer resolution",
                        result.volume, result.expectedVolume, 100 * std::abs(result.volume / result.expectedVolume - 1),
                        result.cellSize));
    }
    return result;
}

}  // namespace sunder
