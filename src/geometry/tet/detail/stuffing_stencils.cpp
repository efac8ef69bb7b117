#include "geometry/tet/detail/stuffing_stencils.h"

#include <utility>

#include "base/assert.h"

// Isosurface stuffing cuts every lattice tet by the surface [labelle2007, section 3]. The stencils of their figure 3
// are derived here rather than listed. With a, b, c inside, m, n outside and z on the surface, the inner part is
//
//     no outer corner     the whole tet
//     one inner corner    the corner cut off: each outer corner m is replaced by the cut point on (a, m)
//     a b z n             a pyramid over the quad a, b, cut(b, n), cut(a, n) with apex z
//     a b c n             a prism: triangle a, b, c, and opposite to it the three cut points
//     a b m n             a prism: triangle a, cut(a, m), cut(a, n), and opposite to it b and its two cut points
//
// Quads on faces shared with the next tet must be halved the same way from both sides, so the choice depends on the
// face alone; and it decides the angles.

namespace sunder::detail {

namespace {

class StencilMaker {
public:
    StencilMaker(const TetShape& shape, const std::array<Side, 4>& sides) : shape_(shape) {
        for (uint8_t i = 0; i < 4; ++i) {
            auto& list = sides[i] == Side::Inside ? inner_ : sides[i] == Side::Outside ? outer_ : on_;
            list.corner[list.count++] = i;
        }
    }

    Stencil make() {
        if (inner_.count == 0) return {};
        if (outer_.count == 0) {
            add({at(0), at(1), at(2), at(3)});
        } else if (inner_.count == 1) {
            cutOffCorner(inner_.corner[0]);
        } else if (inner_.count == 2 && outer_.count == 1) {
            fillPyramid(inner_.corner[0], inner_.corner[1], on_.corner[0], outer_.corner[0]);
        } else if (inner_.count == 3) {
            fillPrismOverTriangle(inner_.corner[0], inner_.corner[1], inner_.corner[2], outer_.corner[0]);
        } else {
            fillPrismAlongEdge(inner_.corner[0], inner_.corner[1], outer_.corner[0], outer_.corner[1]);
        }
        return stencil_;
    }

private:
    struct CornerList {
        std::array<uint8_t, 4> corner{};
        int count = 0;
    };
    using Columns = std::array<std::pair<StencilCorner, StencilCorner>, 3>;  // edges across a prism

    static StencilCorner at(uint8_t corner) { return {corner, corner}; }
    static StencilCorner cut(uint8_t inner, uint8_t outer) { return {inner, outer}; }

    void add(const StencilTet& tet) { stencil_.tets[stencil_.count++] = tet; }

    /// Whether (a, b, c, d) is an even permutation of the shape's corners, which have positive volume.
    static bool positive(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
        const std::array<uint8_t, 4> p{a, b, c, d};
        bool even = true;
        for (size_t i = 0; i < 4; ++i) {
            for (size_t j = i + 1; j < 4; ++j) even ^= p[i] > p[j];
        }
        return even;
    }

    /// The quad a, b, cut(b, n), cut(a, n) on the lattice face a, b, n: whether its diagonal starts at a (and ends at
    /// cut(b, n)) rather than at b.
    ///
    /// A lattice face has one long and two short edges. When the cut edges differ, the diagonal ends at the cut of the
    /// long one, the farther from ab. When both are short, a and b are mirror images, and parity decides: seen from n,
    /// exactly one of them is up along an even number of axes. Then the two faces at a long inner edge get diagonals
    /// from opposite ends, as those at a short one do.
    bool diagonalStartsAt(uint8_t a, uint8_t b, uint8_t n) const {
        const int toA = shape_.direction[n][a];
        const int toB = shape_.direction[n][b];
        if (isLong(toA)) return false;
        if (isLong(toB)) return true;
        return risingAxes(toA) % 2 == 0;
    }

    void cutOffCorner(uint8_t inner) {
        StencilTet tet{at(0), at(1), at(2), at(3)};
        for (int i = 0; i < outer_.count; ++i) tet[outer_.corner[static_cast<size_t>(i)]].from = inner;
        add(tet);
    }

    void fillPyramid(uint8_t a, uint8_t b, uint8_t z, uint8_t n) {
        if (!diagonalStartsAt(a, b, n)) std::swap(a, b);
        // half of the quad beside the edge ab, half beside the surface; both turn as the face a, b, n does
        StencilTet lower{at(a), at(b), cut(b, n), at(z)};
        StencilTet upper{at(a), cut(b, n), cut(a, n), at(z)};
        if (!positive(a, b, n, z)) {
            std::swap(lower[0], lower[1]);
            std::swap(upper[0], upper[1]);
        }
        add(lower);
        add(upper);
    }

    void fillPrismOverTriangle(uint8_t a, uint8_t b, uint8_t c, uint8_t n) {
        if (!positive(a, b, c, n)) std::swap(a, b);
        std::array<uint8_t, 3> order{a, b, c};
        // sort by "its diagonal starts here"; the rule is never cyclic, as the long edge at n decides two of three
        bool even = true;
        const auto sortPair = [&](size_t i, size_t j) {
            if (diagonalStartsAt(order[i], order[j], n)) return;
            std::swap(order[i], order[j]);
            even = !even;
        };
        sortPair(0, 1);
        sortPair(1, 2);
        sortPair(0, 1);
        const auto column = [&](uint8_t i) { return std::pair(at(i), cut(i, n)); };
        fillPrism({column(order[0]), column(order[1]), column(order[2])}, even);
    }

    void fillPrismAlongEdge(uint8_t a, uint8_t b, uint8_t m, uint8_t n) {
        if (!positive(a, b, m, n)) std::swap(a, b);
        const std::pair edge(at(a), at(b));
        const std::pair overM(cut(a, m), cut(b, m));
        const std::pair overN(cut(a, n), cut(b, n));
        // the rule gives the two faces at the edge ab diagonals from opposite ends
        const bool startsAtA = diagonalStartsAt(a, b, m);
        ASSERT(startsAtA != diagonalStartsAt(a, b, n));
        if (startsAtA) {
            fillPrism({overN, edge, overM}, true);
        } else {
            fillPrism({overM, edge, overN}, false);
        }
    }

    /// Three tets up a staircase: the diagonal between two columns goes from the foot of the earlier one to the head of
    /// the later. `upright`: the feet turn counter-clockwise seen from the heads.
    void fillPrism(const Columns& columns, bool upright) {
        const auto& [first, second, third] = columns;
        std::array<StencilTet, 3> tets{{{first.first, second.first, third.first, third.second},
                                        {first.first, second.first, third.second, second.second},
                                        {first.first, second.second, third.second, first.second}}};
        for (StencilTet& tet : tets) {
            if (!upright) std::swap(tet[0], tet[1]);
            add(tet);
        }
    }

    const TetShape& shape_;
    CornerList inner_, on_, outer_;
    Stencil stencil_;
};

StencilTable makeTable() {
    StencilTable table;
    constexpr std::array<Side, 3> kSides{Side::Outside, Side::On, Side::Inside};
    for (size_t shape = 0; shape < 12; ++shape) {
        for (const Side a : kSides) {
            for (const Side b : kSides) {
                for (const Side c : kSides) {
                    for (const Side d : kSides) {
                        table[shape][caseOf(a, b, c, d)] = StencilMaker(kTetShapes[shape], {a, b, c, d}).make();
                    }
                }
            }
        }
    }
    return table;
}

}  // namespace

const StencilTable& stencilTable() {
    static const StencilTable table = makeTable();
    return table;
}

}  // namespace sunder::detail
