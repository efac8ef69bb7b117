#include "geometry/grid/mesh_to_grid.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/assert.h"
#include "base/simd.h"
#include "geometry/grid/detail/closed_sign.h"
#include "geometry/grid/detail/far_field.h"
#include "geometry/grid/detail/flat_triangles.h"
#include "geometry/grid/detail/lattice_rows.h"
#include "geometry/grid/detail/surface_band.h"
#include "geometry/grid/detail/winding_sign.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

using detail::forEachRow;
using detail::NearestOffsets;

// The sweeps start from the band; it must hold every lattice point of a cell that the surface cuts.
constexpr double kNarrowestBand = 2;  // cells
// Rounding of positions must not put a point that is exactly `bandCells` away outside the band.
constexpr double kBandSlack = 1e-3;  // cells

bool coversSurface(const GridFrame& frame, const TriMesh& mesh) {
    const Box3 box = boundsOf(mesh), bounds = frame.bounds();
    return box.empty() || (bounds.contains(box.min) && bounds.contains(box.max));
}

/// A frame that cuts through the surface: what lies outside it may be nearest to points inside. The straight way there
/// leaves through the frame's border, so the border's points ask the tree and the sweeps carry the answers inward.
void seedBorder(const TriMesh& mesh, const GridFrame& frame, NearestOffsets& nearest) {
    const TriangleTree tree(mesh);
    forEachRow(frame, [&](int j, int k) {
        // all points of a border row, only the two ends of an inner one
        const bool wholeRow = j == 0 || k == 0 || j == frame.points[1] - 1 || k == frame.points[2] - 1;
        const int step = wholeRow ? 1 : std::max(1, frame.points[0] - 1);
        double known = std::numeric_limits<double>::infinity();  // m, at the point before
        for (int i = 0; i < frame.points[0]; i += step) {
            const size_t n = nearest.index(i, j, k);
            if (nearest.isKnown(n)) {
                known = std::sqrt(static_cast<double>(nearest.squared(n))) * frame.cellSize;
                continue;
            }
            const Vec3 p = frame.position(i, j, k);
            // the point before bounds the search
            const double within = (known + step * frame.cellSize) * (1 + 1e-9);
            const SurfacePoint found = tree.closestPoint(p, within);
            if (found.triangle == kNone<TriangleIndex>) continue;
            known = std::sqrt(found.squaredDistance);
            nearest.offer(n, (found.point - p) / frame.cellSize);
        }
    });
}

/// Lengths of a row of offsets, m; infinite where none is known.
SUNDER_SIMD void writeLengths(const float* x, const float* y, const float* z, int count, double cellSize, float* out) {
    for (int i = 0; i < count; ++i) {
        const double dx = x[i], dy = y[i], dz = z[i];
        const float length = static_cast<float>(std::sqrt(dx * dx + dy * dy + dz * dz) * cellSize);
        out[i] = dx < 0.5 * NearestOffsets::kUnknown ? length : std::numeric_limits<float>::infinity();
    }
}

void writeDistances(const NearestOffsets& nearest, DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    forEachRow(frame, [&](int j, int k) {
        const size_t n = nearest.index(0, j, k);
        writeLengths(nearest.x.data() + n, nearest.y.data() + n, nearest.z.data() + n, frame.points[0], frame.cellSize,
                     grid.values().data() + frame.index(0, j, k));
    });
}

void applySign(std::span<const uint8_t> inside, DistanceGrid& grid) {
    const GridFrame& frame = grid.frame();
    forEachRow(frame, [&](int j, int k) {
        const size_t row = frame.index(0, j, k);
        for (size_t i = row; i < row + static_cast<size_t>(frame.points[0]); ++i) {
            if (inside[i] != 0) detail::negate(grid.values().data() + i, 0, 1);
        }
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
    const auto positions = detail::positionsInCells(mesh, frame);
    NearestOffsets nearest(frame.points);
    std::optional<TriMesh> faces;
    if (options.sign == GridSign::ClosedMesh) faces = detail::withoutFlatTriangles(mesh);
    const TriMesh& surface = faces ? *faces : mesh;
    detail::fillBand(surface, positions, frame.points, std::max(options.bandCells, kNarrowestBand) + kBandSlack,
                     nearest, report);
    if (!coversSurface(frame, mesh)) seedBorder(surface, frame, nearest);

    // far field: three steps of progress
    detail::sweepOutward(nearest, report);
    writeDistances(nearest, grid);
    nearest = NearestOffsets({0, 0, 0});

    // sign
    if (options.sign == GridSign::ClosedMesh) {
        detail::applyClosedSign(mesh, positions, grid);
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
