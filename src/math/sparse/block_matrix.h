#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sunder {

/// Who is next to whom, in both directions, ascending, nobody next to itself. CSR.
struct NodeGraph {
    std::vector<uint32_t> first;       // node n is next to neighbours[first[n] .. first[n + 1])
    std::vector<uint32_t> neighbours;  // ascending for each node

    size_t size() const { return first.empty() ? 0 : first.size() - 1; }  // how many nodes
    /// Neighbours of a node, ascending. Valid as long as the graph is not changed.
    std::span<const uint32_t> of(size_t node) const {
        return std::span(neighbours).subspan(first[node], first[node + 1] - first[node]);
    }
};

/// A symmetric matrix of 3x3 blocks, one row of blocks per node: what elasticity gives. Both triangles are stored.
struct BlockMatrix {
    NodeGraph graph;             // which blocks off the diagonal there are
    std::vector<Mat3> diagonal;  // by node
    std::vector<Mat3> others;    // beside graph.neighbours: block (n, neighbours[i])

    size_t size() const { return diagonal.size(); }  // rows of blocks, one for each node
    /// result = this * x
    void times(std::span<const Vec3> x, std::span<Vec3> result) const;
};

/// Inverses of the diagonal blocks; the unit matrix for those that have none.
std::vector<Mat3> inverseDiagonal(const BlockMatrix& matrix);

}  // namespace sunder
