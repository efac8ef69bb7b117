#include "geometry/surface/detail/kuhn_lattice.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "geometry/surface/detail/sheet_table.h"

namespace sunder::detail {

namespace {

Int3 cornerOffset(int corner) { return {corner & 1, corner >> 1 & 1, corner >> 2}; }

Vec3 asVector(const Int3& p) { return {double(p[0]), double(p[1]), double(p[2])}; }

/// A tet around an edge, with its two corners that are not on the edge, seen from the edge's lower end.
struct AroundEdge {
    RingTet tet;
    std::array<Int3, 2> others;
};

std::vector<AroundEdge> tetsAt(int direction) {
    std::vector<AroundEdge> found;
    for (int low = 0; low < 8; ++low) {  // which corner of the cell the edge starts at
        if ((low & direction) != 0) continue;
        for (size_t t = 0; t < kKuhnTets.size(); ++t) {
            const auto& tet = kKuhnTets[t];
            const auto has = [&](int corner) { return std::find(tet.begin(), tet.end(), corner) != tet.end(); };
            if (!has(low) || !has(low | direction)) continue;
            AroundEdge around{{cornerOffset(low), static_cast<uint8_t>(t)}, {}};
            size_t next = 0;
            for (const uint8_t corner : tet) {
                if (corner == low || corner == (low | direction)) continue;
                const Int3 c = cornerOffset(corner), origin = cornerOffset(low);
                around.others[next++] = {c[0] - origin[0], c[1] - origin[1], c[2] - origin[2]};
            }
            found.push_back(around);
        }
    }
    return found;
}

/// Walks from tet to tet over the faces at the edge.
std::vector<RingTet> ringAround(int direction) {
    std::vector<AroundEdge> open = tetsAt(direction);
    // in the direction in which the first tet's corners turn counter-clockwise about the edge
    AroundEdge current = open.front();
    const Vec3 axis = asVector(cornerOffset(direction));
    if (axis.dot(asVector(current.others[0]).cross(asVector(current.others[1]))) < 0) {
        std::swap(current.others[0], current.others[1]);
    }
    open.erase(open.begin());
    std::vector<RingTet> ring{current.tet};
    while (!open.empty()) {
        const Int3 shared = current.others[1];
        const auto next = std::find_if(open.begin(), open.end(), [&](const AroundEdge& tet) {
            return tet.others[0] == shared || tet.others[1] == shared;
        });
        ASSERT(next != open.end());
        current = *next;
        if (current.others[0] != shared) std::swap(current.others[0], current.others[1]);
        open.erase(next);
        ring.push_back(current.tet);
    }
    // start where a cell starts, so that each cell's tets follow each other
    for (size_t turns = 0; turns < ring.size() && ring.front().back == ring.back().back; ++turns) {
        std::rotate(ring.begin(), ring.begin() + 1, ring.end());
    }
    return ring;
}

bool hangTogether(unsigned corners) {
    if (corners == 0) return true;
    unsigned reached = corners & (~corners + 1);
    for (int round = 0; round < 8; ++round) {
        for (int e = 0; e < 12; ++e) {
            const CellEdge edge = cellEdge(e);
            const unsigned ends = 1U << edge.low | 1U << edge.high;
            if ((reached & ends) != 0 && (corners & ends) == ends) reached |= ends;
        }
    }
    return reached == corners;
}

bool hasDiagonalOnly(unsigned corners, int face) {
    const std::array<int, 4> c = faceCorners(face);
    const auto in = [&](size_t i) { return (corners >> c[i] & 1U) != 0; };
    return in(0) == in(2) && in(1) == in(3) && in(0) != in(1);
}

}  // namespace

const KuhnLattice& KuhnLattice::instance() {
    static const KuhnLattice lattice;
    return lattice;
}

KuhnLattice::KuhnLattice() {
    for (int direction = 1; direction < 8; ++direction) rings_[static_cast<size_t>(direction)] = ringAround(direction);
    for (unsigned corners = 0; corners < 256; ++corners) {
        bool simple = hangTogether(corners) && hangTogether(~corners & 0xffU);
        for (int face = 0; face < 6; ++face) simple = simple && !hasDiagonalOnly(corners, face);
        simple_[corners] = simple;
    }
}

}  // namespace sunder::detail
