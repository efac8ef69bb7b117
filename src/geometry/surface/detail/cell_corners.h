#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/surface/detail/sheet_table.h"
#include "math/vec.h"

// A cell as a ball of tetrahedra around its centre. Corners are numbered by bits (x = 1, y = 2, z = 4), 8 is the
// centre. Each face is split along one of its diagonals, the same as seen from both sides, and each of its two
// triangles makes a tet with the centre. All cells of a lattice together are then a proper tetrahedral mesh, whatever
// the diagonals are.
namespace sunder::detail {

inline constexpr int kCentre = 8;
inline constexpr int kTetCount = 12;

/// The component (LatticeComponents::kOutside where there is none) at each corner, and at the centre if it has one.
using CellLabels = std::array<uint32_t, 9>;

/// Two of these points, joined by an edge.
struct CornerPair {
    uint8_t from = 0, to = 0;
};

inline Vec3 cornerPoint(int corner) {
    if (corner == kCentre) return Vec3::Constant(0.5);
    return {double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)};
}

/// The corners of a face: the lowest, its neighbours along the next two axes, and the highest.
struct FaceCorners {
    uint8_t low = 0, u = 0, v = 0, high = 0;
};
constexpr FaceCorners cornersOfFace(int face) {
    const int axis = face / 2, low = (face % 2) << axis, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    return {static_cast<uint8_t>(low), static_cast<uint8_t>(low | u), static_cast<uint8_t>(low | v),
            static_cast<uint8_t>(low | u | v)};
}

/// Is some region found at two opposite corners of the face and at none between?
inline bool isAmbiguous(const CellLabels& parts, int face) {
    const FaceCorners c = cornersOfFace(face);
    const auto onlyAcross = [&](int a, int b, int between, int other) {
        return parts[a] == parts[b] && parts[between] != parts[a] && parts[other] != parts[a];
    };
    return onlyAcross(c.low, c.high, c.u, c.v) || onlyAcross(c.u, c.v, c.low, c.high);
}

/// Which diagonals the faces of a cell are split along: a bit per face, set when it joins the lowest and highest
/// corner.
struct Diagonals {
    uint8_t main = 0;
    bool isMain(int face) const { return (main >> face & 1) != 0; }
    CornerPair ends(int face) const {
        const FaceCorners c = cornersOfFace(face);
        return isMain(face) ? CornerPair{c.low, c.high} : CornerPair{c.u, c.v};
    }
    /// Triangle 0 or 1 of a face, named alike from both sides: the one that has u, or else the lowest corner.
    std::array<uint8_t, 3> triangle(int face, int which) const {
        const FaceCorners c = cornersOfFace(face);
        if (isMain(face)) return {c.low, which == 0 ? c.u : c.v, c.high};
        return {c.u, which == 0 ? c.low : c.high, c.v};
    }
    /// The triangle that has an edge of the cell.
    int triangleAt(int face, int cornerA, int cornerB) const {
        const FaceCorners c = cornersOfFace(face);
        const int sign = isMain(face) ? c.u : c.low;
        return cornerA == sign || cornerB == sign ? 0 : 1;
    }
};

}  // namespace sunder::detail
