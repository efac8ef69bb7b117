#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/vec.h"

namespace sunder::detail {

// One cell of a lattice whose corners have labels. Corner c is at (c & 1, c >> 1 & 1, c >> 2). Edge e runs along axis
// e / 4; face f is across axis f / 2, at its lower or upper end.

struct LatticeEdge {
    int low = 0, high = 0;  // corners
};
LatticeEdge latticeEdge(int edge);

/// Corners counter-clockwise seen from outside the cell, and the edge from each to the next.
struct LatticeFace {
    std::array<int, 4> corners{};
    std::array<int, 4> edges{};
};
const LatticeFace& latticeFace(int face);

using CornerLabels = std::array<uint32_t, 8>;

/// A node of the walls on the surface of a cell: where labels change along an edge, or where three and more regions
/// meet on a face.
struct SurfaceNode {
    enum class Kind : uint8_t { OnEdge, OnFace } kind = Kind::OnEdge;
    uint8_t index = 0;  // edge or face
    friend bool operator==(SurfaceNode, SurfaceNode) = default;
};

/// Where a wall meets a face of the cell. Of a line between two edges the lower label is on the left.
struct WallLine {
    SurfaceNode from, to;
    uint32_t left = 0, right = 0;  // labels, seen from outside the cell
    uint8_t face = 0;
};

/// Which corners are joined on a face with one label at two opposite corners and another at the other two.
enum class JoinedCorners : uint8_t { First, Second };  // corners 0 and 2, or 1 and 3, of latticeFace

/// The walls' lines on all faces. Around a face the labels change 0, 2, 3 or 4 times. Twice: a line. Three times, or
/// four with four labels: lines from a node on the face. Else two lines, each around one corner: a label that two
/// opposite corners have is joined between them; if both pairs have one, joined(face) decides.
template <class Joined>
std::vector<WallLine> linesOnFaces(const CornerLabels& labels, const Joined& joined);

/// Lines that close without a node on a face.
using WallLoop = std::vector<WallLine>;
/// Empty when some line ends in a node on a face.
std::vector<WallLoop> loopsOf(const std::vector<WallLine>& lines);

template <class Joined>
std::vector<WallLine> linesOnFaces(const CornerLabels& labels, const Joined& joined) {
    std::vector<WallLine> lines;
    for (uint8_t f = 0; f < 6; ++f) {
        const LatticeFace& face = latticeFace(f);
        const auto label = [&](size_t k) { return labels[static_cast<size_t>(face.corners[k % 4])]; };
        const auto node = [&](size_t k) {
            return SurfaceNode{SurfaceNode::Kind::OnEdge, static_cast<uint8_t>(face.edges[k % 4])};
        };
        // around the face, edges whose ends differ are crossed by a wall
        std::array<size_t, 4> changes{};
        size_t count = 0;
        for (size_t k = 0; k < 4; ++k) {
            if (label(k) != label(k + 1)) changes[count++] = k;
        }
        // the way into the face from edge k has corner k on its left; the lower label on the left makes loops go one
        // way
        const auto join = [&](size_t from, size_t to) {
            if (label(from) > label(from + 1)) std::swap(from, to);
            lines.push_back({node(from), node(to), label(from), label(from + 1), f});
        };
        // two regions are parted by one line or, across corners, by two; three and four meet in the middle of the face
        const bool first = label(0) == label(2), second = label(1) == label(3);
        if (count == 2) {
            join(changes[0], changes[1]);
        } else if (count == 4 && (first || second)) {
            const bool joinFirst = first && (!second || joined(f) == JoinedCorners::First);
            join(joinFirst ? 0 : 1, joinFirst ? 1 : 2);
            join(joinFirst ? 2 : 3, joinFirst ? 3 : 0);
        } else if (count > 2) {
            const SurfaceNode middle{SurfaceNode::Kind::OnFace, f};
            for (size_t i = 0; i < count; ++i) {
                lines.push_back({node(changes[i]), middle, label(changes[i]), label(changes[i] + 1), f});
            }
        }
    }
    return lines;
}

}  // namespace sunder::detail
