#include "geometry/surface/detail/sheet_table.h"

namespace sunder::detail {

namespace {

bool isInside(unsigned inside, int corner) { return (inside >> corner & 1U) != 0; }

/// The edge between two corners of a face that are neighbours on it.
int edgeBetween(int cornerA, int cornerB) {
    const int difference = cornerA ^ cornerB;
    return edgeOf(difference == 1 ? 0 : difference == 2 ? 1 : 2, cornerA & cornerB);
}

bool isAmbiguous(unsigned inside, int face) {
    const auto c = faceCorners(face);
    return isInside(inside, c[0]) == isInside(inside, c[2]) && isInside(inside, c[1]) == isInside(inside, c[3]) &&
           isInside(inside, c[0]) != isInside(inside, c[1]);
}

/// Where the curve that enters a face over an edge leaves it. Going round the face counter-clockwise, a curve starts on
/// an edge that leaves the inside and ends on one that comes back. Every crossed edge starts a curve on one of its two
/// faces and ends one on the other, so `next` is a permutation of the crossed edges and its cycles are the loops.
std::array<int, 12> curveEnds(unsigned inside, unsigned joined) {
    std::array<int, 12> next{};
    for (int face = 0; face < 6; ++face) {
        const auto corners = faceCorners(face);
        for (int k = 0; k < 4; ++k) {
            if (!isInside(inside, corners[k]) || isInside(inside, corners[(k + 1) % 4])) continue;
            const int from = edgeBetween(corners[k], corners[(k + 1) % 4]);
            // ahead, the curve goes round the outside corner it has just reached; behind, round the inside corner
            const bool ahead = !isAmbiguous(inside, face) || (joined >> face & 1U) != 0;
            int m = ahead ? k + 1 : k + 3;
            while (isInside(inside, corners[m % 4]) || !isInside(inside, corners[(m + 1) % 4])) ++m;
            next[from] = edgeBetween(corners[m % 4], corners[(m + 1) % 4]);
        }
    }
    return next;
}

CellSheets traceLoops(unsigned inside, unsigned joined) {
    const auto next = curveEnds(inside, joined);
    CellSheets sheets;
    sheets.ofEdge.fill(CellSheets::kNotCrossed);
    for (int start = 0; start < 12; ++start) {
        const CellEdge edge = cellEdge(start);
        if (isInside(inside, edge.low) == isInside(inside, edge.high)) continue;
        if (sheets.ofEdge[start] != CellSheets::kNotCrossed) continue;
        for (int e = start; sheets.ofEdge[e] == CellSheets::kNotCrossed; e = next[e]) sheets.ofEdge[e] = sheets.count;
        ++sheets.count;
    }
    return sheets;
}

}  // namespace

const SheetTable& SheetTable::instance() {
    static const SheetTable table;
    return table;
}

SheetTable::SheetTable() : sheets_(256 * 64) {
    for (unsigned inside = 0; inside < 256; ++inside) {
        for (int face = 0; face < 6; ++face) {
            if (isAmbiguous(inside, face)) ambiguous_[inside] |= static_cast<uint8_t>(1U << face);
        }
        for (unsigned joined = 0; joined < 64; ++joined) {
            sheets_[inside * 64 + joined] = traceLoops(inside, joined);
        }
    }
}

bool SheetTable::isPinched(unsigned inside, unsigned joined, int face) const {
    if ((ambiguous_[inside] >> face & 1U) == 0) return false;
    const CellSheets& cell = sheets(inside, joined);
    const auto c = faceCorners(face);
    // all four edges of the face are crossed; opposite ones always lie on different curves
    return cell.ofEdge[edgeBetween(c[0], c[1])] == cell.ofEdge[edgeBetween(c[2], c[3])];
}

}  // namespace sunder::detail
