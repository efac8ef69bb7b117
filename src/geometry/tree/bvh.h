#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "math/box.h"

namespace sunder {

/// How a node is divided.
enum class BvhSplit {
    SurfaceArea,  // where walks through the tree are shortest
    Halves,       // into two of equal number: built several times faster, and as good for points
};

/// How many pairs may be found, counted by all threads together.
class PairBudget {
public:
    explicit PairBudget(size_t most) : most_(most) {}  // pairs
    /// False: that was more than there was.
    bool spend(size_t pairs) { return spent_.fetch_add(pairs, std::memory_order_relaxed) + pairs <= most_; }
    /// More pairs were found than allowed: whether that is so depends on the pairs alone.
    bool isSpent() const { return spent_.load(std::memory_order_relaxed) > most_; }

private:
    size_t most_;
    std::atomic<size_t> spent_ = 0;
};

/// A bounding volume hierarchy over boxes. Leaves hold runs of `order()`; items keep the caller's numbering. The tree
/// depends on the boxes alone, not on the number of threads that build it.
class Bvh {
public:
    /// A box and what is in it: two smaller boxes, or, in a leaf, a few items.
    struct Node {
        Box3 box;            // around all items below
        uint32_t first = 0;  // leaf: first entry of order(); inner: index of the left child, right is first + 1
        uint32_t count = 0;  // leaf: number of items; inner: 0
        bool isLeaf() const { return count > 0; }  // holds items; others have two children
    };

    static constexpr uint32_t kMaxLeafItems = 4;  // no leaf has more
    /// No path from the root is longer, so a traversal that keeps one pending child per level fits this many entries.
    static constexpr int kMaxDepth = 96;

    Bvh() = default;
    explicit Bvh(std::span<const Box3> boxes, BvhSplit split = BvhSplit::SurfaceArea);

    /// New boxes for the same items, same tree shape: one pass from the leaves up.
    void refit(std::span<const Box3> boxes);

    bool empty() const { return nodes_.empty(); }               // there are no items
    std::span<const Node> nodes() const { return nodes_; }      // root first; children after their parent
    std::span<const uint32_t> order() const { return order_; }  // items by leaf, as Node::first counts

    /// Items whose box overlaps, ascending.
    std::vector<uint32_t> overlapping(const Box3& box) const;
    /// All pairs (a, b) of items of this and the other tree whose boxes overlap, ascending. With itself: each
    /// pair both ways, and each item with itself.
    std::vector<std::pair<uint32_t, uint32_t>> overlappingPairs(const Bvh& other) const;
    /// Pairs of this tree's own items, a < b, ascending.
    std::vector<std::pair<uint32_t, uint32_t>> overlappingPairsWithin() const;
    /// The same; empty when there are more than `budget`.
    std::vector<std::pair<uint32_t, uint32_t>> overlappingPairsWithin(PairBudget& budget) const;

private:
    template <class Keep>
    std::vector<std::pair<uint32_t, uint32_t>> pairsWith(const Bvh& other, PairBudget& budget, Keep&& keep) const;

    std::vector<Node> nodes_;
    std::vector<uint32_t> order_;
    std::vector<Box3> itemBoxes_;  // in the order of order()
};

}  // namespace sunder
