#include "geometry/cut/detail/piece_faces.h"

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder::detail {

namespace {

struct CellFace {
    uint32_t cell = 0;
    PieceFace face;
};
using CellFaces = std::vector<CellFace>;

CellFaces joined(const std::vector<CellFaces>& parts) {
    size_t count = 0;
    for (const CellFaces& part : parts) count += part.size();
    CellFaces all;
    all.reserve(count);
    for (const CellFaces& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Where each run of outlines of one triangle (and cell) or wall begins, and where the last ends.
std::vector<uint32_t> runsOf(const std::vector<Outline>& lines) {
    std::vector<uint32_t> first;
    for (uint32_t i = 0; i < lines.size(); ++i) {
        if (i == 0 || lines[i].owner != lines[i - 1].owner || lines[i].cell != lines[i - 1].cell) first.push_back(i);
    }
    first.push_back(static_cast<uint32_t>(lines.size()));
    return first;
}

/// Cuts each run into triangles: use(part of the result, first line of the run, triangles).
template <class Normal, class Use>
CellFaces triangulateRuns(const Outlines& outlines, const std::vector<Vec3>& positions, const Normal& normal,
                          const Use& use) {
    constexpr size_t kRuns = 64;
    // a run: outlines of one triangle or wall in one cell, triangulated together since some may be holes in others
    const std::vector<uint32_t> first = runsOf(outlines.lines);
    const size_t count = first.size() - 1;
    std::vector<CellFaces> parts((count + kRuns - 1) / kRuns);
    parallelFor(count, kRuns, [&](const BlockRange& range) {
        std::vector<FlatTriangle> triangles;
        std::vector<std::span<const Node>> run;
        for (size_t r = range.begin; r < range.end; ++r) {
            triangles.clear();
            run.clear();
            for (uint32_t i = first[r]; i < first[r + 1]; ++i) run.push_back(outlines.of(outlines.lines[i]));
            const Outline& line = outlines.lines[first[r]];
            triangulateOutlines(run, positions, normal(line.owner), triangles);
            for (const FlatTriangle& t : triangles) use(parts[range.index], line, t);
        }
    });
    return joined(parts);
}

CellFaces surfaceFaces(const CutSurface& cut) {
    return triangulateRuns(
        cut.inTriangles, cut.positions, [&](uint32_t t) { return cut.solid.areaVector(TriangleIndex{t}).normalized(); },
        [&](CellFaces& faces, const Outline& line, const FlatTriangle& t) {
            faces.push_back({line.cell, {t, line.owner, PieceFace::Kind::Surface}});
        });
}

/// Triangles that no wall crosses, as they are.
CellFaces wholeFaces(const CutSurface& cut) {
    CellFaces result;
    for (const TriangleIndex t : cut.solid.triangles.indices()) {
        if (cut.triangleIsCut[raw(t)]) continue;
        const Triangle& corners = cut.solid.triangles[t];
        FlatTriangle nodes{raw(corners[0]), raw(corners[1]), raw(corners[2])};
        const uint32_t cell = cut.pieces.cellOfVertex[nodes[0]];
        if (!cut.fused.empty()) {
            for (Node& n : nodes) n = cut.fused[n];
            if (nodes[0] == nodes[1] || nodes[1] == nodes[2] || nodes[2] == nodes[0]) continue;
        }
        result.push_back({cell, {nodes, raw(t), PieceFace::Kind::Surface}});
    }
    return result;
}

CellFaces wallFaces(const CutSurface& cut) {
    return triangulateRuns(
        cut.inWalls, cut.positions, [&](uint32_t w) { return cut.walls.normal(cut.walls.walls[w]); },
        [&](CellFaces& faces, const Outline& line, const FlatTriangle& t) {
            const WallComplex::Wall& wall = cut.walls.walls[line.owner];
            faces.push_back({wall.cell, {t, line.owner, PieceFace::Kind::Wall}});
            faces.push_back({wall.neighbour, {{t[0], t[2], t[1]}, line.owner, PieceFace::Kind::WallTurned}});
        });
}

}  // namespace

PieceFaces facesOfCells(const CutSurface& cut, size_t cellCount) {
    ASSERT(cut.triangleIsCut.size() == cut.solid.triangleCount());
    const std::array<CellFaces, 3> sets{wholeFaces(cut), surfaceFaces(cut), wallFaces(cut)};
    PieceFaces result;
    result.firstOfCell.assign(cellCount + 1, 0);
    for (const CellFaces& set : sets) {
        for (const CellFace& f : set) ++result.firstOfCell[f.cell + 1];
    }
    for (size_t c = 0; c < cellCount; ++c) result.firstOfCell[c + 1] += result.firstOfCell[c];
    result.faces.resize(result.firstOfCell.back());
    std::vector<uint32_t> fill(result.firstOfCell.begin(), result.firstOfCell.end() - 1);
    for (const CellFaces& set : sets) {
        for (const CellFace& f : set) result.faces[fill[f.cell]++] = f.face;
    }
    return result;
}

}  // namespace sunder::detail
