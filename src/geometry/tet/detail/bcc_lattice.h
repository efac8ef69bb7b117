#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "math/box.h"
#include "math/vec.h"

namespace sunder::detail {

/// The edges at a point of the body-centred cubic lattice. Six long ones run along the axes to points of the same
/// kind, eight short ones along the cube diagonals to points of the other kind. A direction is a number: 2 * axis +
/// (1 when positive) for long edges, 6 + (bit a set when positive along axis a) for short ones.
inline constexpr int kDirections = 14;
inline constexpr int kFirstShort = 6;

constexpr bool isLong(int direction) { return direction < kFirstShort; }
constexpr int opposite(int direction) {
    return isLong(direction) ? direction ^ 1 : kFirstShort + ((direction - kFirstShort) ^ 7);
}
/// Along how many axes a short edge goes up.
constexpr int risingAxes(int direction) { return std::popcount(static_cast<unsigned>(direction - kFirstShort)); }

/// In half cells.
constexpr Int3 stepOf(int direction) {
    Int3 step{0, 0, 0};
    if (isLong(direction)) {
        step[static_cast<size_t>(direction / 2)] = direction % 2 ? 2 : -2;
    } else {
        for (int axis = 0; axis < 3; ++axis) {
            step[static_cast<size_t>(axis)] = (direction - kFirstShort) >> axis & 1 ? 1 : -1;
        }
    }
    return step;
}

/// The direction of a step in half cells between two ends of an edge.
constexpr int directionOf(const Int3& step) {
    for (int direction = 0; direction < kDirections; ++direction) {
        if (stepOf(direction) == step) return direction;
    }
    return -1;
}

/// One of the twelve tets that a cube owns: those round the long edges from its centre to the next centres along x, y
/// and z. All lattice tets are congruent.
struct TetShape {
    std::array<Int3, 4> corners;                     // half cells from the cube's lowest corner; positive volume
    std::array<std::array<int8_t, 4>, 4> direction;  // of the edge from corner i to corner j
};

constexpr std::array<TetShape, 12> makeTetShapes() {
    std::array<TetShape, 12> shapes{};
    size_t count = 0;
    // between a cube's centre and the next along each axis there are four tets, around the line that joins them
    for (size_t axis = 0; axis < 3; ++axis) {
        const size_t u = (axis + 1) % 3;
        const size_t v = (axis + 2) % 3;
        Int3 nextCentre{1, 1, 1};
        nextCentre[axis] = 3;
        // the square between the two centres, counter-clockwise about the axis
        std::array<Int3, 4> square{};
        for (size_t i = 0; i < 4; ++i) {
            square[i][axis] = 2;
            square[i][u] = i == 1 || i == 2 ? 2 : 0;
            square[i][v] = i >= 2 ? 2 : 0;
        }
        for (size_t i = 0; i < 4; ++i) {
            TetShape& shape = shapes[count++];
            shape.corners = {Int3{1, 1, 1}, nextCentre, square[i], square[(i + 1) % 4]};
            // which of the lattice's edges each of its six is
            for (size_t from = 0; from < 4; ++from) {
                for (size_t to = 0; to < 4; ++to) {
                    Int3 step{};
                    for (size_t a = 0; a < 3; ++a) step[a] = shape.corners[to][a] - shape.corners[from][a];
                    shape.direction[from][to] = static_cast<int8_t>(directionOf(step));
                }
            }
        }
    }
    return shapes;
}
inline constexpr std::array<TetShape, 12> kTetShapes = makeTetShapes();

/// A block of cubes of a body-centred cubic lattice whose corners lie on multiples of the cell size. Point 2 * c is the
/// lowest corner of cube c, point 2 * c + 1 its centre; cubes are numbered with x fastest.
class BccLattice {
public:
    /// Covers the box and has two more layers of cubes all round it. Throws std::length_error when that is more than
    /// 2^31 points.
    BccLattice(const Box3& box, double cellSize);

    double cellSize() const { return cellSize_; }
    const Int3& cubes() const { return cubes_; }
    size_t cubeCount() const { return 2 * layerSize_ == 0 ? 0 : layerSize_ * static_cast<size_t>(cubes_[2]); }
    size_t pointCount() const { return 2 * cubeCount(); }
    size_t cube(int i, int j, int k) const {
        return static_cast<size_t>(i) + static_cast<size_t>(cubes_[0]) * static_cast<size_t>(j) +
               layerSize_ * static_cast<size_t>(k);
    }
    Int3 cubeOf(size_t point) const {
        const size_t c = point / 2;
        const size_t inLayer = c % layerSize_;
        return {static_cast<int>(inLayer % static_cast<size_t>(cubes_[0])),
                static_cast<int>(inLayer / static_cast<size_t>(cubes_[0])), static_cast<int>(c / layerSize_)};
    }
    Vec3 position(int i, int j, int k, bool centre) const {
        const double half = centre ? 0.5 : 0.0;
        return cellSize_ * (base_ + Vec3(i + half, j + half, k + half));
    }
    Vec3 position(size_t point) const {
        const Int3 c = cubeOf(point);
        return position(c[0], c[1], c[2], point % 2 == 1);
    }
    size_t neighbour(size_t point, int direction) const {
        return static_cast<size_t>(static_cast<ptrdiff_t>(point) + offset_[point % 2][static_cast<size_t>(direction)]);
    }
    /// From the number of a cube's lowest corner to that of a corner of one of its tets.
    ptrdiff_t tetOffset(size_t shape, size_t corner) const { return tetOffset_[shape][corner]; }
    /// Cube coordinates (not whole numbers) of a point.
    Vec3 coordinates(const Vec3& point) const { return point / cellSize_ - base_; }

private:
    /// From the lowest corner of a cube to a point so many half cells away.
    ptrdiff_t offsetOf(const Int3& halfCells) const;

    Vec3 base_ = Vec3::Zero();  // whole numbers: position of cube (0, 0, 0) in cells
    double cellSize_ = 1;       // m
    Int3 cubes_{0, 0, 0};
    size_t layerSize_ = 0;
    std::array<std::array<ptrdiff_t, kDirections>, 2> offset_{};
    std::array<std::array<ptrdiff_t, 4>, 12> tetOffset_{};
};

}  // namespace sunder::detail
