#include "geometry/tree/bvh.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

namespace {

constexpr int kBins = 16;
constexpr int kMedianDepth = 60;           // below this only halving splits: 60 + 32 levels hold any 2^32 items
constexpr size_t kOneAxisItems = 1 << 13;  // larger nodes are split along their longest side, without trying the others
constexpr size_t kParallelItems = 1 << 12;  // smaller subtrees are built by one thread

struct Item {
    Box3 box;
    uint32_t index;
    double centre(int axis) const { return box.min[axis] + box.max[axis]; }  // twice it; only compared
};

/// Top-down build with the binned surface area heuristic [wald2007]. A node split after its first m of all the items
/// puts its children into slots 2m - 1 and 2m: no two nodes split at the same place, so threads never meet and the
/// layout depends on the boxes alone.
class Builder {
public:
    Builder(std::span<const Box3> boxes, BvhSplit split) : split_(split) {
        items_.reserve(boxes.size());
        for (uint32_t i = 0; i < boxes.size(); ++i) items_.push_back({boxes[i], i});
        slots_.resize(2 * boxes.size());
        build(0, 0, boxes.size(), 0);
    }

    /// The nodes in depth-first order, parents before children.
    std::vector<Bvh::Node> takeNodes() const {
        std::vector<Bvh::Node> nodes;
        nodes.reserve(slots_.size());
        nodes.push_back(slots_[0]);
        std::vector<uint32_t> open{0};  // copied, children not yet
        while (!open.empty()) {
            const uint32_t parent = open.back();
            open.pop_back();
            if (nodes[parent].isLeaf()) continue;
            const uint32_t from = nodes[parent].first, to = static_cast<uint32_t>(nodes.size());
            nodes[parent].first = to;
            nodes.push_back(slots_[from]);
            nodes.push_back(slots_[from + 1]);
            open.push_back(to + 1);
            open.push_back(to);
        }
        return nodes;
    }
    std::span<const Item> items() const { return items_; }

private:
    void build(size_t slot, size_t begin, size_t end, int depth) {
        ASSERT(begin < end && end <= items_.size());
        Bvh::Node& node = slots_[slot];
        Box3 centres;
        for (size_t i = begin; i < end; ++i) {
            node.box.add(items_[i].box);
            centres.add(Vec3(items_[i].box.min + items_[i].box.max));
        }
        if (end - begin <= Bvh::kMaxLeafItems) {
            node.first = static_cast<uint32_t>(begin);
            node.count = static_cast<uint32_t>(end - begin);
            return;
        }

        // deep down, where areas no longer part anything, halves bound the depth
        const bool byArea = split_ == BvhSplit::SurfaceArea && depth < kMedianDepth;
        size_t middle = byArea ? splitBySurfaceArea(begin, end, centres) : begin;
        if (middle == begin || middle == end) middle = splitInHalf(begin, end, centres);
        // children have their slots before they are built: branches can be built side by side
        node.first = static_cast<uint32_t>(2 * middle - 1);
        const auto left = [&] { build(2 * middle - 1, begin, middle, depth + 1); };
        const auto right = [&] { build(2 * middle, middle, end, depth + 1); };
        if (end - begin >= kParallelItems) {
            parallelInvoke(left, right);
        } else {
            left();
            right();
        }
    }

    /// Where along the axis an item falls. NaN centres go to the first bin.
    static int binOf(double centre, double low, double scale) {
        const double bin = (centre - low) * scale;
        return bin >= 0 ? static_cast<int>(std::min(bin, kBins - 1.0)) : 0;
    }

    /// Partitions at the cheapest of the bin borders; returns `begin` when there is none.
    size_t splitBySurfaceArea(size_t begin, size_t end, const Box3& centres) {
        // items by bins along each axis; many items only along the longest
        struct Bin {
            Box3 box;
            size_t count = 0;
        };
        std::array<std::array<Bin, kBins>, 3> bins;
        const Vec3 extent = centres.size();
        int firstAxis = 0, lastAxis = 2;
        if (end - begin >= kOneAxisItems) {
            extent.maxCoeff(&firstAxis);
            lastAxis = firstAxis;
        }
        Vec3 scale;
        for (int axis = 0; axis < 3; ++axis) scale[axis] = extent[axis] > 0 ? kBins / extent[axis] : 0;
        for (size_t i = begin; i < end; ++i) {
            for (int axis = firstAxis; axis <= lastAxis; ++axis) {
                Bin& bin = bins[axis][binOf(items_[i].centre(axis), centres.min[axis], scale[axis])];
                bin.box.add(items_[i].box);
                ++bin.count;
            }
        }

        // the cost of each border: what lies below it, swept upwards, and what lies above, swept downwards
        double bestCost = std::numeric_limits<double>::infinity();
        int bestAxis = -1, bestBorder = 0;
        for (int axis = firstAxis; axis <= lastAxis; ++axis) {
            std::array<double, kBins> costBelow{};
            Box3 box;
            size_t count = 0;
            for (int b = 0; b + 1 < kBins; ++b) {
                box.add(bins[axis][b].box);
                count += bins[axis][b].count;
                costBelow[b] = count > 0 ? box.surfaceArea() * static_cast<double>(count) : -1;
            }
            // an empty side parts nothing
            box = {};
            count = 0;
            for (int b = kBins - 1; b > 0; --b) {
                box.add(bins[axis][b].box);
                count += bins[axis][b].count;
                if (count == 0 || costBelow[b - 1] < 0) continue;
                const double cost = costBelow[b - 1] + box.surfaceArea() * static_cast<double>(count);
                if (cost < bestCost) {
                    bestCost = cost;
                    bestAxis = axis;
                    bestBorder = b;
                }
            }
        }
        // all centres in one place: no border
        if (bestAxis < 0) return begin;
        // items change places within their range only
        const auto middle = std::partition(items_.begin() + begin, items_.begin() + end, [&](const Item& item) {
            return binOf(item.centre(bestAxis), centres.min[bestAxis], scale[bestAxis]) < bestBorder;
        });
        return static_cast<size_t>(middle - items_.begin());
    }

    /// Equal halves along the longest axis, ties by index.
    size_t splitInHalf(size_t begin, size_t end, const Box3& centres) {
        int axis = 0;
        centres.size().maxCoeff(&axis);
        const size_t middle = begin + (end - begin) / 2;
        const auto before = [axis](const Item& a, const Item& b) {
            const double x = a.centre(axis), y = b.centre(axis);
            return x < y || (!(y < x) && a.index < b.index);
        };
        if (extentIsFinite(centres, axis)) {
            std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end, before);
        }
        return middle;
    }
    static bool extentIsFinite(const Box3& centres, int axis) {
        return centres.max[axis] - centres.min[axis] <= std::numeric_limits<double>::max();
    }

    BvhSplit split_;
    std::vector<Item> items_;
    std::vector<Bvh::Node> slots_;
};

/// Calls visit(node) for every leaf whose box overlaps.
template <class Visit>
void forOverlappingLeaves(std::span<const Bvh::Node> nodes, const Box3& box, Visit&& visit) {
    if (nodes.empty()) return;
    std::array<uint32_t, Bvh::kMaxDepth + 1> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const Bvh::Node& node = nodes[stack[--depth]];
        if (!node.box.overlaps(box)) continue;
        if (node.isLeaf()) {
            visit(node);
        } else {
            stack[depth++] = node.first + 1;
            stack[depth++] = node.first;
        }
    }
}

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

Pairs joined(Pairs a, const Pairs& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

Bvh::Bvh(std::span<const Box3> boxes, BvhSplit split) {
    if (boxes.empty()) return;
    ASSERT(boxes.size() < (uint32_t{1} << 31));
    const Builder builder(boxes, split);
    nodes_ = builder.takeNodes();
    order_.reserve(boxes.size());
    itemBoxes_.reserve(boxes.size());
    for (const Item& item : builder.items()) {
        order_.push_back(item.index);
        itemBoxes_.push_back(item.box);
    }
}

void Bvh::refit(std::span<const Box3> boxes) {
    ASSERT(boxes.size() == order_.size());
    for (size_t i = 0; i < order_.size(); ++i) itemBoxes_[i] = boxes[order_[i]];
    for (size_t n = nodes_.size(); n-- > 0;) {
        Node& node = nodes_[n];
        node.box = {};
        if (node.isLeaf()) {
            for (uint32_t i = 0; i < node.count; ++i) node.box.add(itemBoxes_[node.first + i]);
        } else {
            node.box.add(nodes_[node.first].box);
            node.box.add(nodes_[node.first + 1].box);
        }
    }
}

std::vector<uint32_t> Bvh::overlapping(const Box3& box) const {
    std::vector<uint32_t> items;
    forOverlappingLeaves(nodes_, box, [&](const Node& leaf) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            if (itemBoxes_[i].overlaps(box)) items.push_back(order_[i]);
        }
    });
    std::sort(items.begin(), items.end());
    return items;
}

template <class Keep>
std::vector<std::pair<uint32_t, uint32_t>> Bvh::pairsWith(const Bvh& other, PairBudget& budget, Keep&& keep) const {
    // leaf by leaf of this tree, down the other; blocks in order
    Pairs pairs = parallelReduce(
        nodes_.size(), 256, Pairs(),
        [&](const BlockRange& block) {
            Pairs found;
            for (size_t n = block.begin; n < block.end; ++n) {
                const Node& mine = nodes_[n];
                if (!mine.isLeaf()) continue;
                if (budget.isSpent()) break;
                const size_t before = found.size();
                forOverlappingLeaves(other.nodes_, mine.box, [&](const Node& theirs) {
                    for (uint32_t a = mine.first; a < mine.first + mine.count; ++a) {
                        for (uint32_t b = theirs.first; b < theirs.first + theirs.count; ++b) {
                            if (keep(order_[a], other.order_[b]) && itemBoxes_[a].overlaps(other.itemBoxes_[b]))
                                found.emplace_back(order_[a], other.order_[b]);
                        }
                    }
                });
                budget.spend(found.size() - before);
            }
            return found;
        },
        joined);
    // which pairs came before the end of the budget depends on the threads
    if (budget.isSpent()) pairs.clear();
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

Pairs Bvh::overlappingPairs(const Bvh& other) const {
    PairBudget unlimited(std::numeric_limits<size_t>::max());
    return pairsWith(other, unlimited, [](uint32_t, uint32_t) { return true; });
}

Pairs Bvh::overlappingPairsWithin() const {
    PairBudget unlimited(std::numeric_limits<size_t>::max());
    return overlappingPairsWithin(unlimited);
}

Pairs Bvh::overlappingPairsWithin(PairBudget& budget) const {
    return pairsWith(*this, budget, [](uint32_t a, uint32_t b) { return a < b; });
}

}  // namespace sunder
