#include "geometry/surface/detail/label_cells.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/assert.h"
#include "base/error.h"
#include "base/indexed_vector.h"
#include "base/parallel.h"
#include "geometry/surface/detail/kuhn_lattice.h"

namespace sunder::detail {

namespace {

constexpr size_t kRowsPerBlock = 32;

/// Corners that have the label of corner c, a bit each.
unsigned cornersLike(const CellLabels& labels, size_t c) {
    unsigned corners = 0;
    for (unsigned i = 0; i < 8; ++i) corners |= (labels[i] == labels[c] ? 1U : 0U) << i;
    return corners;
}

uint8_t ownTets(const CellLabels& labels) {
    unsigned seen = 0;
    bool simple = true;
    for (size_t c = 0; c < 8 && simple; ++c) {
        if ((seen >> c & 1U) != 0) continue;
        const unsigned corners = cornersLike(labels, c);
        simple = KuhnLattice::instance().isSimple(corners);
        seen |= corners;
    }
    if (simple) return 0;
    unsigned tets = 0;
    for (size_t t = 0; t < kKuhnTets.size(); ++t) {
        const auto& tet = kKuhnTets[t];
        const uint32_t first = labels[tet[0]];
        const bool differs = labels[tet[1]] != first || labels[tet[2]] != first || labels[tet[3]] != first;
        tets |= (differs ? 1U : 0U) << t;
    }
    return static_cast<uint8_t>(tets);
}

}  // namespace

size_t LabelCell::vertexCount() const { return isWhole() ? 1 : static_cast<size_t>(std::popcount(tets)); }

uint32_t LabelCell::vertex(int tet) const {
    if (isWhole()) return firstVertex;
    ASSERT((tets >> tet & 1U) != 0);
    const unsigned before = tets & ((1U << tet) - 1);
    return firstVertex + static_cast<uint32_t>(std::popcount(before));
}

LabelCells::LabelCells(const LatticeComponents& parts, const GridFrame& frame) : parts_(&parts), frame_(frame) {
    const Int3 points = frame.points;
    if (points[0] < 3 || points[1] < 3 || points[2] < 3) return;  // nothing but border
    cellsPerAxis_ = {points[0] - 1, points[1] - 1, points[2] - 1};
    const size_t rows = static_cast<size_t>(cellsPerAxis_[1]) * static_cast<size_t>(cellsPerAxis_[2]);
    std::vector<std::vector<LabelCell>> found(rows);
    parallelFor(rows, kRowsPerBlock, [&](const BlockRange& block) {
        for (size_t r = block.begin; r < block.end; ++r) {
            const auto perLayer = static_cast<size_t>(cellsPerAxis_[1]);
            findInRow(static_cast<int>(r % perLayer), static_cast<int>(r / perLayer), found[r]);
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

void LabelCells::findInRow(int y, int z, std::vector<LabelCell>& found) const {
    std::array<const uint32_t*, 4> points{};
    for (int b = 0; b < 4; ++b) points[b] = parts_->ofPoint.data() + frame_.index(0, y + b % 2, z + b / 2);
    for (int x = 0; x < cellsPerAxis_[0]; ++x) {
        const uint32_t first = points[0][x];
        bool same = true;
        for (const uint32_t* p : points) same = same && p[x] == first && p[x + 1] == first;
        if (same) continue;
        CellLabels labels{};
        for (size_t c = 0; c < 8; ++c) labels[c] = points[c / 2][static_cast<size_t>(x) + c % 2];
        found.push_back({x, ownTets(labels), 0});
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

CellLabels LabelCells::labels(const Int3& cell) const {
    CellLabels labels{};
    for (int c = 0; c < 8; ++c) {
        labels[static_cast<size_t>(c)] =
            parts_->ofPoint[frame_.index(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2))];
    }
    return labels;
}

}  // namespace sunder::detail
