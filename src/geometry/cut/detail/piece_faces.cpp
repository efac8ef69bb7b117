#include "geometry/cut/detail/piece_faces.h"

#include "base/parallel.h"

namespace sunder::detail {

namespace {

struct CellFace {
    uint32_t cell = 0;
    PieceFace face;
};
using CellFaces = std::vector<CellFace>;

CellFaces joined(std::vector<CellFaces> parts) {
    size_t count = 0;
    for (const CellFaces& part : parts) count += part.size();
    CellFaces all;
    all.reserve(count);
    for (const CellFaces& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

CellFaces surfaceFaces(const CutSurface& cut) {
    constexpr size_t kLines = 256;
    const auto& lines = cut.inTriangles.lines;
    std::vector<CellFaces> parts((lines.size() + kLines - 1) / kLines);
    parallelFor(lines.size(), kLines, [&](const BlockRange& range) {
        std::vector<FlatTriangle> triangles;
        for (size_t i = range.begin; i < range.end; ++i) {
            triangles.clear();
            triangulateOutline(cut.inTriangles.of(lines[i]), cut.positions,
                               cut.solid.areaVector(TriangleIndex{lines[i].owner}).normalized(), triangles);
            for (const FlatTriangle& t : triangles) {
                parts[range.index].push_back({lines[i].cell, {t, lines[i].owner, PieceFace::Kind::Surface}});
            }
        }
    });
    return joined(std::move(parts));
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
    // outlines of one wall stand together
    const auto& lines = cut.inWalls.lines;
    std::vector<uint32_t> firstOfWall;
    for (uint32_t i = 0; i < lines.size(); ++i) {
        if (i == 0 || lines[i].owner != lines[i - 1].owner) firstOfWall.push_back(i);
    }
    const size_t wallCount = firstOfWall.size();
    firstOfWall.push_back(static_cast<uint32_t>(lines.size()));

    constexpr size_t kWalls = 32;
    std::vector<CellFaces> parts((wallCount + kWalls - 1) / kWalls);
    parallelFor(wallCount, kWalls, [&](const BlockRange& range) {
        std::vector<FlatTriangle> triangles;
        std::vector<std::span<const Node>> outlines;
        for (size_t w = range.begin; w < range.end; ++w) {
            triangles.clear();
            outlines.clear();
            for (uint32_t i = firstOfWall[w]; i < firstOfWall[w + 1]; ++i) outlines.push_back(cut.inWalls.of(lines[i]));
            const uint32_t number = lines[firstOfWall[w]].owner;
            const WallComplex::Wall& wall = cut.walls.walls[number];
            triangulateOutlines(outlines, cut.positions, cut.walls.normal(wall), triangles);
            for (const FlatTriangle& t : triangles) {
                parts[range.index].push_back({wall.cell, {t, number, PieceFace::Kind::Wall}});
                parts[range.index].push_back(
                    {wall.neighbour, {{t[0], t[2], t[1]}, number, PieceFace::Kind::WallTurned}});
            }
        }
    });
    return joined(std::move(parts));
}

}  // namespace

PieceFaces facesOfCells(const CutSurface& cut, size_t cellCount) {
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
