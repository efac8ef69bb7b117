#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/sparse/block_matrix.h"

namespace sunder {

/// An order of elimination that keeps the factor sparse, and the tree it follows: first what lies on one side of a
/// separator, then what lies on the other, then the separator.
struct Dissection {
    /// A separator, or a part so small that it was not split.
    struct Part {
        uint32_t begin = 0, end = 0;     // its own nodes are order[begin .. end)
        std::vector<uint32_t> children;  // parts, all before this one
    };
    std::vector<uint32_t> order;  // node that is eliminated k-th
    std::vector<Part> parts;      // children before parents; the last one is the root
};

/// How far parts are split.
struct DissectionOptions {
    size_t leaf = 40;  // nodes; parts of so many are not split any more
};

/// Nested dissection [george1973] by planes through the nodes' positions: of the three across the axes that halve a
/// part the one with the fewest nodes beside it, and of these the fewest that cover all edges across (Koenig's
/// theorem). Same order for any number of threads.
Dissection dissect(const NodeGraph& graph, std::span<const Vec3> positions, const DissectionOptions& options = {});

}  // namespace sunder
