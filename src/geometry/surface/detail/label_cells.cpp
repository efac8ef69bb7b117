#include "geometry/surface/detail/label_cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "base/assert.h"
#include "base/error.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"

namespace sunder::detail {

namespace {

constexpr size_t kRowsPerBlock = 32;
constexpr uint8_t kLowerFaces = 0b010101;

/// Corners that have the label of corner c, a bit each.
unsigned cornersLike(const CellLabels& parts, size_t c) {
    unsigned corners = 0;
    for (unsigned i = 0; i < 8; ++i) corners |= (parts[i] == parts[c] ? 1U : 0U) << i;
    return corners;
}

/// Neighbours of each corner along edges of the cell and diagonals of its faces, a bit each.
using Adjacency = std::array<uint8_t, 8>;

Adjacency adjacencyOf(const Diagonals& diagonals) {
    Adjacency next{};
    const auto join = [&](unsigned a, unsigned b) {
        next[a] = static_cast<uint8_t>(next[a] | 1U << b);
        next[b] = static_cast<uint8_t>(next[b] | 1U << a);
    };
    for (unsigned c = 0; c < 8; ++c) {
        for (unsigned axis = 1; axis < 8; axis *= 2) join(c, c ^ axis);
    }
    for (int face = 0; face < 6; ++face) join(diagonals.ends(face).from, diagonals.ends(face).to);
    return next;
}

bool hangTogether(unsigned corners, const Adjacency& next) {
    unsigned reached = corners & (~corners + 1), before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned c = 0; c < 8; ++c) {
            if ((before >> c & 1U) != 0) reached |= next[c] & corners;
        }
    }
    return reached == corners;
}

/// On a sphere, a set and the rest of it are separated by one loop exactly if both hang together.
bool everyRegionHasOneLoop(const CellLabels& parts, const Diagonals& diagonals) {
    const Adjacency next = adjacencyOf(diagonals);
    unsigned seen = 0;
    for (size_t c = 0; c < 8; ++c) {
        if ((seen >> c & 1U) != 0) continue;
        const unsigned corners = cornersLike(parts, c);
        if (!hangTogether(corners, next) || !hangTogether(~corners & 0xffU, next)) return false;
        seen |= corners;
    }
    return true;
}

/// A function of the face alone, so that both its cells agree.
bool joinsMain(const Int3& cell, const CellLabels& parts, int face, const WallField& field) {
    const FaceCorners c = cornersOfFace(face);
    const std::array<uint8_t, 4> corners{c.low, c.u, c.v, c.high};
    const uint32_t middle = field.partAmid(cell, parts, corners);
    return parts[c.low] == parts[c.high] ? middle == parts[c.low] : middle != parts[c.u];
}

uint16_t tetsThatDiffer(const CellLabels& parts, const Diagonals& diagonals) {
    unsigned tets = 0;
    for (int tet = 0; tet < kTetCount; ++tet) {
        for (const uint8_t c : diagonals.triangle(tet / 2, tet % 2)) {
            if (parts[c] != parts[kCentre]) tets |= 1U << tet;
        }
    }
    return static_cast<uint16_t>(tets);
}

LabelCell makeCell(const Int3& at, CellLabels& parts, const WallField& field) {
    LabelCell cell;
    cell.x = at[0];
    cell.diagonals.main = 0b111111;
    for (int face = 0; face < 6; ++face) {
        if (!isAmbiguous(parts, face)) continue;
        cell.ambiguous = static_cast<uint8_t>(cell.ambiguous | 1U << face);
        if (!joinsMain(at, parts, face, field)) {
            cell.diagonals.main = static_cast<uint8_t>(cell.diagonals.main & ~(1U << face));
        }
    }
    if (everyRegionHasOneLoop(parts, cell.diagonals)) return cell;
    constexpr std::array<uint8_t, 8> kAll{0, 1, 2, 3, 4, 5, 6, 7};
    cell.centre = parts[kCentre] = field.partAmid(at, parts, kAll);
    cell.tets = tetsThatDiffer(parts, cell.diagonals);
    return cell;
}

}  // namespace

size_t LabelCell::vertexCount() const {
    const int own = isWhole() ? 1 : std::popcount(tets);
    return static_cast<size_t>(own + 2 * std::popcount(static_cast<unsigned>(ambiguous & kLowerFaces)));
}

uint32_t LabelCell::vertex(int face, int triangle) const {
    if (isWhole()) return firstVertex;
    const int tet = 2 * face + triangle;
    ASSERT((tets >> tet & 1U) != 0);
    return firstVertex + static_cast<uint32_t>(std::popcount(tets & ((1U << tet) - 1)));
}

uint32_t LabelCell::faceVertex(int face, int triangle) const {
    ASSERT(face % 2 == 0 && isAmbiguous(face));
    const int own = isWhole() ? 1 : std::popcount(tets);
    const int before = std::popcount(ambiguous & kLowerFaces & ((1U << face) - 1));
    return firstVertex + static_cast<uint32_t>(own + 2 * before + triangle);
}

LabelCells::LabelCells(const LatticeComponents& parts, const GridFrame& frame, const WallField& field)
    : parts_(&parts), frame_(frame) {
    const Int3 points = frame.points;
    if (points[0] < 3 || points[1] < 3 || points[2] < 3) return;  // nothing but border
    cellsPerAxis_ = {points[0] - 1, points[1] - 1, points[2] - 1};
    const size_t rows = static_cast<size_t>(cellsPerAxis_[1]) * static_cast<size_t>(cellsPerAxis_[2]);
    std::vector<std::vector<LabelCell>> found(rows);
    parallelFor(rows, kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            const auto perLayer = static_cast<size_t>(cellsPerAxis_[1]);
            findInRow(static_cast<int>(r % perLayer), static_cast<int>(r / perLayer), field, found[r]);
        }
    });
    for (std::vector<LabelCell>& row : found) {
        for (LabelCell& cell : row) {
            cell.firstVertex = static_cast<uint32_t>(vertexCount_);
            vertexCount_ += cell.vertexCount();
        }
        cells_.insert(cells_.end(), row.begin(), row.end());
        rowStart_.push_back(cells_.size());
    }
    // polygons around edges, their middles and triangles stay within 12 times as many
    if (vertexCount_ >= kInvalidIndex / 12) {
        throw InputError("labelled surface", "the walls need " + std::to_string(vertexCount_) +
                                                 " vertices, more than 32-bit indices can name; use a coarser grid");
    }
}

void LabelCells::findInRow(int y, int z, const WallField& field, std::vector<LabelCell>& found) const {
    std::array<const uint32_t*, 4> points{};
    for (int b = 0; b < 4; ++b) points[b] = parts_->ofPoint.data() + frame_.index(0, y + b % 2, z + b / 2);
    for (int x = 0; x < cellsPerAxis_[0]; ++x) {
        const uint32_t first = points[0][x];
        bool same = true;
        for (const uint32_t* p : points) same = same && p[x] == first && p[x + 1] == first;
        if (same) continue;
        CellLabels labels{};
        for (size_t c = 0; c < 8; ++c) labels[c] = points[c / 2][static_cast<size_t>(x) + c % 2];
        found.push_back(makeCell({x, y, z}, labels, field));
    }
}

const LabelCell& LabelCells::at(const Int3& cell) const {
    const size_t r =
        static_cast<size_t>(cell[1]) + static_cast<size_t>(cellsPerAxis_[1]) * static_cast<size_t>(cell[2]);
    const std::span<const LabelCell> cells = row(r);
    const auto found =
        std::lower_bound(cells.begin(), cells.end(), cell[0], [](const LabelCell& c, int x) { return c.x < x; });
    ASSERT(found != cells.end() && found->x == cell[0]);
    return *found;
}

CellLabels LabelCells::labels(const Int3& at, const LabelCell& cell) const {
    CellLabels labels{};
    for (int c = 0; c < 8; ++c) {
        labels[static_cast<size_t>(c)] =
            parts_->ofPoint[frame_.index(at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2))];
    }
    labels[kCentre] = cell.centre;
    return labels;
}

size_t LabelCells::wholeCount() const {
    return static_cast<size_t>(
        std::count_if(cells_.begin(), cells_.end(), [](const LabelCell& cell) { return cell.isWhole(); }));
}

}  // namespace sunder::detail
