#include "geometry/convex/detail/site_tree.h"

#include <algorithm>
#include <numeric>

namespace sunder::detail {

namespace {

constexpr uint32_t kLeafSize = 6;

constexpr auto kFarther = [](const auto& a, const auto& b) { return a.squaredDistance > b.squaredDistance; };

}  // namespace

SiteTree::SiteTree(std::span<const Vec3> points) : points_(points), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    nodes_.reserve(points.size());
    if (!points.empty()) build(0, static_cast<uint32_t>(points.size()));
}

uint32_t SiteTree::build(uint32_t first, uint32_t count) {
    const auto self = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({{}, first, count, 0});
    Box3 box;
    for (uint32_t i = first; i < first + count; ++i) box.add(points_[order_[i]]);
    nodes_[self].box = box;
    if (count <= kLeafSize) return self;

    int axis = 0;
    box.size().maxCoeff(&axis);
    const uint32_t half = count / 2;
    const auto begin = order_.begin() + first;
    std::nth_element(begin, begin + half, begin + count, [&](uint32_t a, uint32_t b) {
        const double pa = points_[a][axis], pb = points_[b][axis];
        return pa < pb || (pa == pb && a < b);
    });
    build(first, half);
    const uint32_t right = build(first + half, count - half);
    nodes_[self].right = right;
    return self;
}

void SiteWalk::start(const Vec3& from) {
    from_ = from;
    heap_.clear();
    if (!tree_.nodes_.empty()) push(0);
}

void SiteWalk::push(uint32_t node) {
    heap_.push_back({tree_.nodes_[node].box.squaredDistance(from_), node});
    std::push_heap(heap_.begin(), heap_.end(), kFarther);
}

std::span<const SiteWalk::Candidate> SiteWalk::next(double squaredLimit) {
    while (!heap_.empty()) {
        const Entry nearest = heap_.front();
        if (nearest.squaredDistance > squaredLimit) return {};
        std::pop_heap(heap_.begin(), heap_.end(), kFarther);
        heap_.pop_back();
        const SiteTree::Node& node = tree_.nodes_[nearest.node];
        if (node.right != 0) {
            push(nearest.node + 1);
            push(node.right);
            continue;
        }
        group_.clear();
        for (uint32_t i = node.first; i < node.first + node.count; ++i) {
            const uint32_t point = tree_.order_[i];
            group_.push_back({(tree_.points_[point] - from_).squaredNorm(), point});
        }
        std::sort(group_.begin(), group_.end(),
                  [](const Candidate& a, const Candidate& b) { return a.squaredDistance < b.squaredDistance; });
        return group_;
    }
    return {};
}

}  // namespace sunder::detail
