#pragma once

#include <vector>

#include "geometry/cut/detail/flat_triangles.h"
#include "geometry/cut/detail/outlines.h"

namespace sunder::detail {

/// A triangle of a piece: a part of one of the solid's, or of a wall.
struct PieceFace {
    FlatTriangle nodes{};
    uint32_t owner = 0;  // triangle or wall
    enum class Kind : uint8_t { Surface, Wall, WallTurned } kind = Kind::Surface;
};

/// Faces of all cells, cell by cell: first those of the surface, in order of triangle, then walls.
struct PieceFaces {
    std::vector<PieceFace> faces;
    std::vector<uint32_t> firstOfCell;

    std::span<const PieceFace> of(uint32_t cell) const {
        return std::span(faces).subspan(firstOfCell[cell], firstOfCell[cell + 1] - firstOfCell[cell]);
    }
};

struct CutSurface {
    const TriMesh& solid;
    const WallComplex& walls;
    const EdgePieces& pieces;
    const std::vector<Vec3>& positions;
    const Outlines& inTriangles;
    const Outlines& inWalls;
    const std::vector<uint8_t>& triangleIsCut;
    const std::vector<Node>& fused;  // or empty
};

/// Cuts all outlines into triangles; each part of a wall once, for both its sides.
PieceFaces facesOfCells(const CutSurface& cut, size_t cellCount);

}  // namespace sunder::detail
