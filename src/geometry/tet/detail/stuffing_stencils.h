#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/tet/detail/bcc_lattice.h"

namespace sunder::detail {

/// Where a lattice point lies.
enum class Side : int8_t { Outside = 0, On = 1, Inside = 2 };

/// A cut nearer to an end of its edge than this fraction of it pulls the end onto the surface. Over every stencil and
/// every way its corners may have moved, dihedral angles then stay within 10.5 and 163.8 degrees (the test searches
/// for worse). Differs from [labelle2007], whose 0.24999 and 0.41189 give 9.3 to 161.7 with the diagonals chosen here.
inline constexpr double kAlphaLong = 0.28;
inline constexpr double kAlphaShort = 0.40;
constexpr double alphaOf(int direction) { return isLong(direction) ? kAlphaLong : kAlphaShort; }

/// A corner of a tet to be made: a corner of the lattice tet (from == to), or the point where the surface cuts the edge
/// from an inner corner to an outer one.
struct StencilCorner {
    uint8_t from = 0;
    uint8_t to = 0;
};
using StencilTet = std::array<StencilCorner, 4>;

/// What becomes of a lattice tet: the part of it that is inside, as up to three tets.
struct Stencil {
    std::array<StencilTet, 3> tets{};
    uint8_t count = 0;

    std::span<const StencilTet> list() const { return std::span(tets).first(count); }
};

/// Which of the 81 cases: the corners' sides as digits.
constexpr size_t caseOf(Side a, Side b, Side c, Side d) {
    return static_cast<size_t>(a) + 3 * static_cast<size_t>(b) + 9 * static_cast<size_t>(c) +
           27 * static_cast<size_t>(d);
}

using StencilTable = std::array<std::array<Stencil, 81>, 12>;

/// For each lattice tet shape and case.
const StencilTable& stencilTable();

}  // namespace sunder::detail
