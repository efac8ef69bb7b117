#include "geometry/surface/isosurface.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/mesh/validate.h"
#include "geometry/surface/detail/active_cells.h"
#include "geometry/surface/detail/cell_vertices.h"
#include "geometry/surface/detail/quad_split.h"

namespace sunder {

namespace {

using detail::ActiveCell;
using detail::ActiveCells;
using detail::SurfaceFeature;

constexpr size_t kRowsPerBlock = 8;

struct Vertices {
    IndexedVector<VertexIndex, Vec3> positions;
    IndexedVector<VertexIndex, SurfaceFeature> features;
};

struct Quad {
    std::array<VertexIndex, 4> corners;  // counter-clockwise seen from outside
    int field = 0;                       // whose surface it lies on
};

Vertices placeVertices(const ActiveCells& cells, const GridFrame& frame, const detail::VertexPlacer& placer) {
    ASSERT(frame.cellSize > 0 || cells.vertexCount() == 0);
    Vertices vertices;
    vertices.positions.resize(cells.vertexCount());
    vertices.features.resize(cells.vertexCount());
    // rows apart from each other: every vertex has its number already
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        std::array<detail::SheetVertex, 4> sheets;  // no cell has more
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const ActiveCell& cell : cells.row(r)) {
                const size_t count = detail::SheetTable::instance().sheets(cell.inside, cell.joined).count;
                const Int3 at{cell.x, cells.rowY(r), cells.rowZ(r)};
                placer.place(at, cell, std::span(sheets).first(count));
                for (size_t s = 0; s < count; ++s) {
                    const auto v = static_cast<VertexIndex>(cell.firstVertex + static_cast<uint32_t>(s));
                    vertices.positions[v] =
                        frame.origin + frame.cellSize * (Vec3(at[0], at[1], at[2]) + sheets[s].position);
                    vertices.features[v] = sheets[s].feature;
                }
            }
        }
    });
    return vertices;
}

/// The sheet vertices of the four cells around the edge that starts at the cell's lowest corner.
Quad quadAround(const ActiveCells& cells, const ActiveCell& cell, const Int3& at, size_t axis) {
    const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    // counter-clockwise seen from the upper end of the edge
    constexpr std::array<std::array<int, 2>, 4> kAround{{{1, 1}, {0, 1}, {0, 0}, {1, 0}}};
    Quad quad;
    for (size_t c = 0; c < 4; ++c) {
        Int3 other = at;
        other[u] -= kAround[c][0];
        other[v] -= kAround[c][1];
        const ActiveCell& owner = cells.at(other[0], other[1], other[2]);
        const size_t edge = 4 * axis + static_cast<size_t>(kAround[c][0] + 2 * kAround[c][1]);
        const uint8_t sheet = detail::SheetTable::instance().sheets(owner.inside, owner.joined).ofEdge[edge];
        ASSERT(sheet != detail::CellSheets::kNotCrossed);
        quad.corners[c] = static_cast<VertexIndex>(owner.firstVertex + sheet);
    }
    const bool outwardIsUp = (cell.inside & 1U) != 0;
    if (!outwardIsUp) std::swap(quad.corners[1], quad.corners[3]);
    return quad;
}

int fieldAt(std::span<const DistanceGrid* const> fields, const Int3& at, size_t axis, bool lowInside) {
    if (fields.size() == 1) return 0;
    Int3 in = at, out = at;
    ++(lowInside ? out : in)[axis];
    std::array<double, detail::VertexPlacer::kMaxFields> insideEnd{}, outsideEnd{};
    for (size_t f = 0; f < fields.size(); ++f) {
        insideEnd[f] = fields[f]->at(in[0], in[1], in[2]);
        outsideEnd[f] = fields[f]->at(out[0], out[1], out[2]);
    }
    return detail::edgeCrossing(std::span(insideEnd).first(fields.size()), std::span(outsideEnd).first(fields.size()))
        .field;
}

std::vector<Quad> connect(const ActiveCells& cells, std::span<const DistanceGrid* const> fields) {
    std::vector<Quad> quads(cells.quadCount());
    parallelFor(cells.rowCount(), kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            for (const ActiveCell& cell : cells.row(r)) {
                const Int3 at{cell.x, cells.rowY(r), cells.rowZ(r)};
                const unsigned low = cell.inside & 1U;
                size_t next = cell.firstQuad;
                for (size_t axis = 0; axis < 3; ++axis) {
                    if ((cell.inside >> (1U << axis) & 1U) == low) continue;
                    quads[next] = quadAround(cells, cell, at, axis);
                    quads[next++].field = fieldAt(fields, at, axis, low != 0);
                }
            }
        }
    });
    return quads;
}

bool splitsAtFirst(const Quad& quad, const Vertices& vertices) {
    std::array<Vec3, 4> corners;
    std::array<bool, 4> onCrease{};
    for (size_t c = 0; c < 4; ++c) {
        corners[c] = vertices.positions[quad.corners[c]];
        onCrease[c] = vertices.features[quad.corners[c]] != SurfaceFeature::Smooth;
    }
    return detail::splitsAtFirst(corners, onCrease);
}

TriMesh triangulate(const std::vector<Quad>& quads, Vertices vertices, bool markFields) {
    TriMesh mesh;
    mesh.triangles.resize(2 * quads.size());
    if (markFields) mesh.inside.resize(2 * quads.size());
    parallelFor(quads.size(), 4096, [&](const BlockRange& block) {
        for (size_t q = block.begin; q < block.end; ++q) {
            const auto& c = quads[q].corners;
            const bool first = splitsAtFirst(quads[q], vertices);
            const auto t = static_cast<TriangleIndex>(static_cast<uint32_t>(2 * q));
            const auto next = static_cast<TriangleIndex>(static_cast<uint32_t>(2 * q + 1));
            mesh.triangles[t] = first ? Triangle{c[0], c[1], c[2]} : Triangle{c[1], c[2], c[3]};
            mesh.triangles[next] = first ? Triangle{c[0], c[2], c[3]} : Triangle{c[1], c[3], c[0]};
            if (markFields) mesh.inside[t] = mesh.inside[next] = static_cast<uint8_t>(quads[q].field);
        }
    });
    mesh.positions = std::move(vertices.positions);
    return mesh;
}

/// `whole` is the largest of the fields at every point.
TriMesh contour(const DistanceGrid& whole, std::span<const DistanceGrid* const> fields,
                const IsosurfaceOptions& options) {
    const ActiveCells cells(whole);
    Vertices vertices = placeVertices(cells, whole.frame(), detail::VertexPlacer(fields, options));
    const std::vector<Quad> quads = connect(cells, fields);
    TriMesh mesh = triangulate(quads, std::move(vertices), fields.size() > 1);
    ASSERT(problemWith(mesh).empty());
    return mesh;
}

}  // namespace

TriMesh isosurface(const DistanceGrid& grid, const IsosurfaceOptions& options) {
    const std::array<const DistanceGrid*, 1> fields{&grid};
    return contour(grid, fields, options);
}

TriMesh isosurfaceOfIntersection(const DistanceGrid& a, const DistanceGrid& b, const IsosurfaceOptions& options) {
    ASSERT(a.frame() == b.frame());
    DistanceGrid whole(a.frame());
    parallelFor(whole.values().size(), 1 << 16, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const float valueA = a.values()[i], valueB = b.values()[i];
            whole.values()[i] = valueA < valueB || std::isnan(valueB) ? valueB : valueA;  // outside where either is
        }
    });
    const std::array<const DistanceGrid*, 2> fields{&a, &b};
    return contour(whole, fields, options);
}

}  // namespace sunder
