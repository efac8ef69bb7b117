#include "math/sparse/validate.h"

#include <algorithm>

#include <fmt/format.h>

namespace sunder {

namespace {

constexpr double kAsymmetry = 1e-9;  // of the diagonal: sums on either side of it are rounded apart

bool areTransposes(const Mat3& a, const Mat3& b, double size) {
    return !((a - b.transpose()).norm() > kAsymmetry * size);
}

}  // namespace

std::string problemWith(const BlockMatrix& matrix) {
    // the lists of neighbours
    const NodeGraph& graph = matrix.graph;
    const size_t size = matrix.size();
    if (graph.size() != size) return fmt::format("{} rows of neighbours for {} nodes", graph.size(), size);
    if (size > 0 && (graph.first[0] != 0 || graph.first[size] != graph.neighbours.size()))
        return fmt::format("rows of neighbours from {} to {} of {}", graph.first[0], graph.first[size],
                           graph.neighbours.size());
    if (matrix.others.size() != graph.neighbours.size())
        return fmt::format("{} blocks for {} neighbours", matrix.others.size(), graph.neighbours.size());
    for (size_t n = 0; n < size; ++n) {
        if (graph.first[n] > graph.first[n + 1]) return fmt::format("node {} has less than no neighbours", n);
    }
    for (size_t n = 0; n < size; ++n) {
        for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) {
            const uint32_t other = graph.neighbours[i];
            if (other >= size || other == n) return fmt::format("node {} is next to node {}", n, other);
            if (i > graph.first[n] && graph.neighbours[i - 1] >= other)
                return fmt::format("the neighbours of node {} do not ascend", n);
        }
    }

    // both triangles
    for (size_t n = 0; n < size; ++n) {
        const double own = matrix.diagonal[n].norm();
        if (!areTransposes(matrix.diagonal[n], matrix.diagonal[n], own))
            return fmt::format("block {} is not symmetric", n);
        for (size_t i = graph.first[n]; i < graph.first[n + 1]; ++i) {
            const uint32_t other = graph.neighbours[i];
            const auto theirs = graph.of(other);
            const auto back = std::lower_bound(theirs.begin(), theirs.end(), static_cast<uint32_t>(n));
            if (back == theirs.end() || *back != n) return fmt::format("node {} does not know node {}", other, n);
            const size_t j = graph.first[other] + static_cast<size_t>(back - theirs.begin());
            if (!areTransposes(matrix.others[i], matrix.others[j], own + matrix.diagonal[other].norm()))
                return fmt::format("blocks ({}, {}) and back are not transposes", n, other);
        }
    }
    return {};
}

}  // namespace sunder
