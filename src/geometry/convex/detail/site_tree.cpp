#include "geometry/convex/detail/site_tree.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace sunder::detail {

namespace {

constexpr uint32_t kLeafSize = 6;

constexpr auto kFarther = [](const auto& a, const auto& b) { return a.squaredDistance > b.squaredDistance; };

double squaredDistance(const Box3& a, const Box3& b) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double gap = std::max({a.min[axis] - b.max[axis], b.min[axis] - a.max[axis], 0.0});
        sum += gap * gap;
    }
    return sum;
}

}  // namespace

SiteTree::SiteTree(std::span<const Vec3> points) : old_(points.size()), leaf_(points.size()) {
    std::iota(old_.begin(), old_.end(), 0u);
    nodes_.reserve(points.size());
    if (!points.empty()) build(points, 0, static_cast<uint32_t>(points.size()));
    points_.reserve(points.size());
    for (const uint32_t old : old_) points_.push_back(points[old]);
}

uint32_t SiteTree::build(std::span<const Vec3> points, uint32_t first, uint32_t count) {
    ASSERT(count > 0 && first + count <= old_.size());
    const auto self = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({{}, first, count, 0});
    const auto begin = old_.begin() + first;
    Box3 box;
    std::for_each(begin, begin + count, [&](uint32_t p) { box.add(points[p]); });
    nodes_[self].box = box;
    if (count <= kLeafSize) {
        std::sort(begin, begin + count);
        std::fill_n(leaf_.begin() + first, count, self);
        return self;
    }

    // split across the longest side, with the same count in both; equal places by number
    int axis = 0;
    box.size().maxCoeff(&axis);
    const uint32_t half = count / 2;
    std::nth_element(begin, begin + half, begin + count, [&](uint32_t a, uint32_t b) {
        const double pa = points[a][axis], pb = points[b][axis];
        return pa < pb || (pa == pb && a < b);
    });
    build(points, first, half);
    const uint32_t right = build(points, first + half, count - half);
    nodes_[self].right = right;
    return self;
}

void SiteWalk::start(uint32_t point) {
    from_ = tree_.points_[point];
    nextLeaf_ = 0;
    if (tree_.leaf_[point] == startLeaf_) return;
    startLeaf_ = tree_.leaf_[point];
    heap_.clear();
    leaves_.clear();
    push(0);
}

void SiteWalk::push(uint32_t node) {
    heap_.push_back({squaredDistance(tree_.nodes_[node].box, tree_.nodes_[startLeaf_].box), node});
    std::push_heap(heap_.begin(), heap_.end(), kFarther);
}

bool SiteWalk::findLeaf(double squaredLimit) {
    while (!heap_.empty() && heap_.front().squaredDistance <= squaredLimit) {
        const Entry nearest = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), kFarther);
        heap_.pop_back();
        const uint32_t right = tree_.nodes_[nearest.node].right;
        if (right == 0) {
            leaves_.push_back(nearest);
            return true;
        }
        push(nearest.node + 1);
        push(right);
    }
    return false;
}

void SiteWalk::collect(const SiteTree::Node& leaf, double squaredLimit) {
    group_.clear();
    // insertion sort: a leaf holds a handful
    for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
        const Candidate candidate{(tree_.points_[i] - from_).squaredNorm(), i};
        if (candidate.squaredDistance > squaredLimit) continue;
        size_t place = group_.size();
        group_.push_back(candidate);
        for (; place > 0 && group_[place - 1].squaredDistance > candidate.squaredDistance; --place) {
            group_[place] = group_[place - 1];
        }
        group_[place] = candidate;
    }
}

std::span<const SiteWalk::Candidate> SiteWalk::next(double squaredLimit) {
    for (;;) {
        if (nextLeaf_ == leaves_.size() && !findLeaf(squaredLimit)) return {};
        const Entry& leaf = leaves_[nextLeaf_];
        if (leaf.squaredDistance > squaredLimit) return {};
        ++nextLeaf_;
        collect(tree_.nodes_[leaf.node], squaredLimit);
        if (!group_.empty()) return group_;
    }
}

}  // namespace sunder::detail
