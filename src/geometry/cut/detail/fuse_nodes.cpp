#include "geometry/cut/detail/fuse_nodes.h"

#include <algorithm>

#include "base/assert.h"
#include "base/disjoint_sets.h"

namespace sunder::detail {

std::vector<Node> fusedNodes(std::span<const Vec3> positions, std::span<const Outlines> outlines, double shortest) {
    std::vector<std::array<Node, 2>> close;
    for (const Outlines& set : outlines) {
        for (const Outline& line : set.lines) {
            const auto nodes = set.of(line);
            for (size_t i = 0; i < nodes.size(); ++i) {
                const Node a = nodes[i], b = nodes[(i + 1) % nodes.size()];
                if ((positions[a] - positions[b]).squaredNorm() <= shortest * shortest) close.push_back({a, b});
            }
        }
    }
    if (close.empty()) return {};
    DisjointSets sets(positions.size());
    for (const auto& [a, b] : close) sets.join(a, b);
    std::vector<Node> result(positions.size());
    for (Node n = 0; n < result.size(); ++n) result[n] = sets.root(n);
    return result;
}

Outlines withFusedNodes(const Outlines& outlines, std::span<const Node> fused) {
    Outlines result;
    std::vector<Node> stack;
    const auto keep = [&](const Outline& line, auto begin, auto end) {
        if (end - begin < 3) return;
        const auto firstNode = static_cast<uint32_t>(result.nodes.size());
        result.nodes.insert(result.nodes.end(), begin, end);
        result.lines.push_back({line.owner, line.cell, firstNode, static_cast<uint32_t>(end - begin)});
    };
    for (const Outline& line : outlines.lines) {
        stack.clear();
        for (const Node old : outlines.of(line)) {
            ASSERT(old < fused.size());

            // back at a node: what lies between is a line of its own
            const Node node = fused[old];
            const auto before = std::find(stack.begin(), stack.end(), node);
            if (before != stack.end()) {
                keep(line, before, stack.end());
                stack.erase(before, stack.end());
            }
            stack.push_back(node);
        }
        keep(line, stack.begin(), stack.end());
    }
    return result;
}

}  // namespace sunder::detail
