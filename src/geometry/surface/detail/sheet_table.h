#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sunder::detail {

// A cell's corners are numbered by bits: x = 1, y = 2, z = 4. Edge = 4 * axis + (offset along the next axis) +
// 2 * (offset along the one after). Face = 2 * axis + side.

struct CellEdge {
    int axis = 0;
    int low = 0;   // corner at the lower end
    int high = 0;  // corner at the upper end
};
constexpr CellEdge cellEdge(int edge) {
    const int axis = edge / 4, next = (axis + 1) % 3, last = (axis + 2) % 3;
    const int low = (edge % 2) << next | (edge / 2 % 2) << last;
    return {axis, low, low | 1 << axis};
}
constexpr int edgeOf(int axis, int lowCorner) {
    return 4 * axis + (lowCorner >> (axis + 1) % 3 & 1) + 2 * (lowCorner >> (axis + 2) % 3 & 1);
}

/// The four corners of a face, counter-clockwise seen from outside the cell.
constexpr std::array<int, 4> faceCorners(int face) {
    const int axis = face / 2, side = face % 2;
    const int base = side << axis, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    if (side == 1) return {base, base | u, base | u | v, base | v};
    return {base, base | v, base | u | v, base | u};
}

/// How the surface passes through one cell: crossed edges grouped into closed loops. Each loop bounds one sheet.
struct CellSheets {
    static constexpr uint8_t kNotCrossed = 0xff;
    std::array<uint8_t, 12> ofEdge{};
    uint8_t count = 0;
};

/// The sheets of every cell: by which corners are inside (one bit per corner) and, for each ambiguous face (inside
/// corners on one diagonal, outside corners on the other), whether the inside corners are joined across it (one bit
/// per face; bits of other faces do not matter).
class SheetTable {
public:
    static const SheetTable& instance();

    const CellSheets& sheets(unsigned inside, unsigned joined) const { return sheets_[inside * 64 + joined]; }
    /// One bit per ambiguous face.
    unsigned ambiguousFaces(unsigned inside) const { return ambiguous_[inside]; }
    /// Both curves on an ambiguous face belong to one sheet.
    bool isPinched(unsigned inside, unsigned joined, int face) const;

private:
    SheetTable();

    std::vector<CellSheets> sheets_;
    std::array<uint8_t, 256> ambiguous_{};
};

}  // namespace sunder::detail
