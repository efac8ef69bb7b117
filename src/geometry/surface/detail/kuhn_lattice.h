#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace sunder::detail {

/// Every lattice cell as six tetrahedra around its main diagonal [kuhn1960]: tet t goes from corner 0 to corner 7 along
/// the axes in one of the six orders. Corners are numbered by bits: x = 1, y = 2, z = 4. The tets of all cells fit
/// together face to face, and the edges of tets that start at a lattice point lead to its seven upper neighbours.
inline constexpr std::array<std::array<uint8_t, 4>, 6> kKuhnTets{
    {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

/// A tet near a lattice point p: of the cell whose lowest corner is p - back.
struct RingTet {
    Int3 back{0, 0, 0};
    uint8_t tet = 0;
};

/// Tables about the dual of that lattice: a vertex in each tet, a polygon around each edge, a polyhedron around each
/// point. Four polyhedra meet at a vertex, three at an edge, two at a polygon; therefore any union of polyhedra is
/// bounded by a 2-manifold, whichever they are: lattice points can be labelled at random.
class KuhnLattice {
public:
    static const KuhnLattice& instance();

    /// The tets around the edge from p to p + direction (1 .. 7, by bits), counter-clockwise seen from its upper end.
    /// Those of one cell follow each other.
    const std::vector<RingTet>& ring(int direction) const { return rings_[static_cast<size_t>(direction)]; }

    /// May all vertices of a cell be drawn into one, as far as the region that has these corners (a bit each) is
    /// concerned? It may when its boundary crosses the cell's surface in one loop that meets no face twice: its corners
    /// hang together along cell edges, so do the others, and on no face does it have just two opposite corners. The
    /// boundary within the cell is then the cone over that loop.
    bool isSimple(unsigned corners) const { return simple_[corners]; }

private:
    KuhnLattice();

    std::array<std::vector<RingTet>, 8> rings_;
    std::array<bool, 256> simple_{};
};

}  // namespace sunder::detail
