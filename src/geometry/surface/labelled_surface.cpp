#include "geometry/surface/labelled_surface.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/grid/flood_fill.h"
#include "geometry/surface/detail/wall_polygons.h"

namespace sunder {

namespace {

using detail::WallTriangle;

constexpr uint32_t kOutside = LatticeComponents::kOutside;

void check(const LabelledRegions& regions, const LabelledOptions& options) {
    const std::string where = "labelled surface";
    if (regions.solid == nullptr) throw InputError(where, "no solid given; set `solid` to a distance grid");
    const size_t points = regions.solid->frame().pointCount();
    if (regions.labels.size() != points) {
        throw InputError(where, "found " + std::to_string(regions.labels.size()) + " labels for a grid of " +
                                    std::to_string(points) + " points; give one per point");
    }
    if (!(options.creaseAngle > 0)) {
        throw InputError(where,
                         "the crease angle must be positive (rad), found " + std::to_string(options.creaseAngle));
    }
    if (!(options.creaseReach >= 0 && options.creaseReach <= 1)) {
        throw InputError(
            where, "the reach of creases must be from 0 to 1 (cells), found " + std::to_string(options.creaseReach));
    }
}

/// A triangle as one of its two pieces sees it.
struct Side {
    uint32_t triangle = 0;
    bool turned = false;  // the piece lies before it
};

/// The sides of each component in turn, in triangle order.
struct SidesByPart {
    std::vector<Side> sides;
    std::vector<size_t> start;  // one per component, and one more
};

SidesByPart sortByPart(const std::vector<WallTriangle>& triangles, size_t partCount) {
    SidesByPart sorted;
    std::vector<size_t> next(partCount + 1, 0);
    for (const WallTriangle& triangle : triangles) {
        if (triangle.behind != kOutside) ++next[triangle.behind + 1];
        if (triangle.before != kOutside) ++next[triangle.before + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    sorted.start = next;
    sorted.sides.resize(next.back());
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        const WallTriangle& triangle = triangles[t];
        if (triangle.behind != kOutside) sorted.sides[next[triangle.behind]++] = {t, false};
        if (triangle.before != kOutside) sorted.sides[next[triangle.before]++] = {t, true};
    }
    return sorted;
}

TriMesh meshOf(std::span<const Side> sides, const std::vector<WallTriangle>& triangles,
               const std::vector<Vec3>& positions) {
    // vertices are numbered along the lattice, so a piece's own lie in a short range of them
    uint32_t lowest = kInvalidIndex, highest = 0;
    for (const Side& side : sides) {
        for (const uint32_t v : triangles[side.triangle].corners) {
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
    }
    if (sides.empty()) return {};
    std::vector<VertexIndex> own(highest - lowest + 1, kNone<VertexIndex>);
    TriMesh mesh;
    mesh.triangles.reserve(sides.size());
    mesh.inside.reserve(sides.size());
    for (const Side& side : sides) {
        const WallTriangle& triangle = triangles[side.triangle];
        Triangle corners;
        for (size_t c = 0; c < 3; ++c) {
            const uint32_t v = triangle.corners[side.turned ? 2 - c : c];
            VertexIndex& index = own[v - lowest];
            if (index == kNone<VertexIndex>) index = mesh.positions.push_back(positions[v]);
            corners[c] = index;
        }
        mesh.triangles.push_back(corners);
        mesh.inside.push_back(triangle.behind != kOutside && triangle.before != kOutside ? 1 : 0);
    }
    return mesh;
}

/// Flags the components whose surface holds much less than their lattice points' cells, or less than nothing.
std::vector<bool> crumpled(const std::vector<WallTriangle>& triangles, const std::vector<Vec3>& positions,
                           const LatticeComponents& parts) {
    constexpr double kLeastShare = 0.05;
    std::vector<double> volumes(parts.components.size(), 0.0);  // lattice units
    for (const WallTriangle& triangle : triangles) {
        const auto& [a, b, c] = triangle.corners;
        const double sixth = positions[a].dot(positions[b].cross(positions[c])) / 6;
        if (triangle.behind != kOutside) volumes[triangle.behind] += sixth;
        if (triangle.before != kOutside) volumes[triangle.before] -= sixth;
    }
    std::vector<bool> bad(volumes.size());
    for (size_t i = 0; i < bad.size(); ++i) {
        bad[i] = volumes[i] < kLeastShare * static_cast<double>(parts.components[i].cells);
    }
    return bad;
}

LatticeComponents partsOf(const LabelledRegions& regions, size_t fewestCells) {
    LatticeComponents parts = labelledComponents(*regions.solid, regions.labels, LatticeBorder::Outside);
    if (fewestCells > 1) parts = withoutSmallComponents(parts, regions.solid->frame(), fewestCells);
    return parts;
}

}  // namespace

std::vector<LabelledPiece> labelledSurface(const LabelledRegions& regions, const LabelledOptions& options) {
    check(regions, options);
    const GridFrame& frame = regions.solid->frame();

    // which lattice points belong together: each such part becomes a piece
    const LatticeComponents parts = partsOf(regions, options.fewestCells);

    // one set of vertices and polygons for all
    const detail::WallField field(regions, parts);
    const detail::LabelCells cells(parts, frame, field);
    const detail::WallPlacer placer(regions, field, options);
    detail::WallVertices vertices = detail::placeVertices(cells, placer);
    const std::vector<detail::WallPolygon> polygons = detail::findPolygons(cells, placer);
    detail::smoothLoose(vertices, polygons, cells, placer, options.smoothingRounds);
    std::vector<WallTriangle> triangles = detail::triangulate(polygons, vertices);

    // parts of a few lattice points, whose walls were drawn to creases beyond them, step back
    if (const auto bad = crumpled(triangles, vertices.positions, parts);
        std::find(bad.begin(), bad.end(), true) != bad.end()) {
        detail::retreat(vertices, cells, placer, bad);
        vertices.positions.resize(cells.vertexCount());
        vertices.onCrease.resize(cells.vertexCount());
        triangles = detail::triangulate(polygons, vertices);
    }

    // dealt out: a wall goes to both its pieces
    for (Vec3& p : vertices.positions) p = frame.origin + frame.cellSize * p;
    const SidesByPart sorted = sortByPart(triangles, parts.components.size());
    std::vector<uint32_t> order(parts.components.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return parts.components[a].label < parts.components[b].label; });
    std::vector<LabelledPiece> pieces(order.size());
    parallelFor(order.size(), 1, [&](const BlockRange& block) {
        const uint32_t part = order[block.begin];
        const size_t begin = sorted.start[part], count = sorted.start[part + 1] - begin;
        pieces[block.begin] = {parts.components[part].label,
                               meshOf(std::span(sorted.sides).subspan(begin, count), triangles, vertices.positions)};
    });
    return pieces;
}

}  // namespace sunder
