#include "geometry/grid/mesh_to_grid.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/grid/detail/far_field.h"
#include "geometry/grid/detail/line_crossings.h"
#include "geometry/grid/detail/surface_band.h"
#include "geometry/grid/detail/winding_sign.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

using detail::NearestOffsets;

// The sweeps start from the band; it must hold every lattice point of a cell that the surface cuts.
constexpr double kNarrowestBand = 2;  // cells
// Rounding of positions must not put a point that is exactly `bandCells` away outside the band.
constexpr double kBandSlack = 1e-3;  // cells

constexpr size_t kRowGrain = 64;  // rows of x per parallel block

/// Calls body(j, k) for every row of x, in parallel.
template <class Body>
void forEachRow(const GridFrame& frame, Body&& body) {
    const size_t rows = static_cast<size_t>(frame.points[1]);
    parallelFor(rows * static_cast<size_t>(frame.points[2]), kRowGrain, [&](const BlockRange& block) {
        for (size_t row = block.begin; row < block.end; ++row)
            body(static_cast<int>(row % rows), static_cast<int>(row / rows));
    });
}

IndexedVector<VertexIndex, Vec3> positionsInCells(const TriMesh& mesh, const GridFrame& frame) {
    IndexedVector<VertexIndex, Vec3> positions(mesh.vertexCount());
    for (const VertexIndex v : mesh.positions.indices())
        positions[v] = (mesh.positions[v] - frame.origin) / frame.cellSize;
    return positions;
}

bool coversSurface(const GridFrame& frame, const TriMesh& mesh) {
    const Box3 box = boundsOf(mesh), bounds = frame.bounds();
    return box.empty() || (bounds.contains(box.min) && bounds.contains(box.max));
}

/// A frame that cuts through the surface: what lies outside it may be nearest to points inside. The straight way there
/// leaves through the frame's border, so the border's points ask the tree and the sweeps carry the answers inward.
void seedBorder(const TriMesh& mesh, const GridFrame& frame, NearestOffsets& nearest) {
    const TriangleTree tree(mesh);
    forEachRow(frame, [&](int j, int k) {
        const bool wholeRow = j == 0 || k == 0 || j == frame.points[1] - 1 || k == frame.points[2] - 1;
        const int step = wholeRow ? 1 : std::max(1, frame.points[0] - 1);
        double known = std::numeric_limits<double>::infinity();  // m, at the point before
        for (int i = 0; i < frame.points[0]; i += step) {
            const size_t n = nearest.index(i, j, k);
            if (nearest.isKnown(n)) {
                known = std::sqrt(static_cast<double>(nearest.squared[n])) * frame.cellSize;
                continue;
            }
            const Vec3 p = frame.position(i, j, k);
            const double within = (known + step * frame.cellSize) * (1 + 1e-9);
            const SurfacePoint found = tree.closestPoint(p, within);
            if (found.triangle == kNone<TriangleIndex>) continue;
            known = std::sqrt(found.squaredDistance);
            nearest.offer(n, (found.point - p) / frame.cellSize);
        }
    });
}

/// Squared distances in cells, in the grid's order; `unknown` points get infinity.
void copySquares(const NearestOffsets& nearest, const GridFrame& frame, std::span<float> squared) {
    forEachRow(frame, [&](int j, int k) {
        const float* from = nearest.squared.data() + nearest.index(0, j, k);
        float* to = squared.data() + frame.index(0, j, k);
        for (int i = 0; i < frame.points[0]; ++i) {
            to[i] = from[i] < NearestOffsets::kUnknown ? from[i] : std::numeric_limits<float>::infinity();
        }
    });
}

/// Where the band left a point unknown, the swept distance; the band's own values stay as they are.
void completeSquares(const NearestOffsets& nearest, const GridFrame& frame, std::span<float> squared) {
    forEachRow(frame, [&](int j, int k) {
        const float* from = nearest.squared.data() + nearest.index(0, j, k);
        float* to = squared.data() + frame.index(0, j, k);
        for (int i = 0; i < frame.points[0]; ++i) {
            const float swept = from[i] < NearestOffsets::kUnknown ? from[i] : std::numeric_limits<float>::infinity();
            to[i] = to[i] < std::numeric_limits<float>::infinity() ? to[i] : swept;
        }
    });
}

/// The surface itself is +0, whatever the sign there.
float signedDistance(float squaredCells, double cellSize, bool inside) {
    const float distance = static_cast<float>(std::sqrt(static_cast<double>(squaredCells)) * cellSize);
    return inside && distance > 0 ? -distance : distance;
}

void applyClosedSign(const detail::LineCrossings& crossings, DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    forEachRow(frame, [&](int j, int k) {
        float* row = grid.values().data() + frame.index(0, j, k);
        int winding = 0, i = 0;
        const auto fillUpTo = [&](int end) {
            for (; i < end; ++i) row[i] = signedDistance(row[i], frame.cellSize, winding >= 1);
        };
        for (const auto& crossing : crossings.onLine(j, k)) {
            fillUpTo(crossing.first);
            winding += crossing.step;
        }
        fillUpTo(frame.points[0]);
    });
}

void applySign(std::span<const uint8_t> inside, DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    forEachRow(frame, [&](int j, int k) {
        const size_t row = frame.index(0, j, k);
        for (size_t i = row; i < row + static_cast<size_t>(frame.points[0]); ++i)
            grid.values()[i] = signedDistance(grid.values()[i], frame.cellSize, inside[i] != 0);
    });
}

}  // namespace

DistanceGrid gridFromMesh(const TriMesh& mesh, const GridFrame& frame, const GridOptions& options, Progress* progress) {
    ASSERT(frame.cellSize > 0);
    DistanceGrid grid(frame, std::numeric_limits<float>::infinity());
    if (frame.pointCount() == 0 || mesh.empty()) return grid;
    Progress silent;
    Progress& report = progress != nullptr ? *progress : silent;
    report.start("distance grid", 5);

    // band: exact nearest points
    const auto positions = positionsInCells(mesh, frame);
    NearestOffsets nearest(frame);
    detail::fillBand(mesh, positions, std::max(options.bandCells, kNarrowestBand) + kBandSlack, nearest, report);
    if (!coversSurface(frame, mesh)) seedBorder(mesh, frame, nearest);
    copySquares(nearest, frame, grid.values());

    // far field: three steps of progress
    detail::sweepOutward(nearest, report);
    completeSquares(nearest, frame, grid.values());
    nearest = NearestOffsets(GridFrame{});

    // sign
    if (options.sign == GridSign::ClosedMesh) {
        applyClosedSign(detail::LineCrossings(mesh, positions, frame.points), grid);
        report.advance(1);
    } else {
        applySign(detail::insideByWindingNumber(mesh, frame, grid.values(), report), grid);
    }
    report.finish();
    return grid;
}

DistanceGrid gridFromMesh(const TriMesh& mesh, double cellSize, const GridOptions& options, Progress* progress) {
    const int padding = static_cast<int>(std::ceil(options.bandCells));
    return gridFromMesh(mesh, alignedFrame(boundsOf(mesh), cellSize, padding), options, progress);
}

double cellSizeFor(const TriMesh& mesh, int cells) {
    ASSERT(cells > 0);
    return boundsOf(mesh).size().maxCoeff() / cells;
}

}  // namespace sunder
