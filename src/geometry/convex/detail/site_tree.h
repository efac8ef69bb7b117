#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/box.h"

namespace sunder::detail {

/// A k-d tree over points that stay alive, to be walked outward by SiteWalk.
class SiteTree {
public:
    explicit SiteTree(std::span<const Vec3> points);

    /// Points near each other follow each other.
    std::span<const uint32_t> order() const { return order_; }

private:
    friend class SiteWalk;
    struct Node {
        Box3 box;
        uint32_t first, count;  // of order_
        uint32_t right;         // 0 for a leaf; the left child follows its parent
    };
    uint32_t build(uint32_t first, uint32_t count);

    std::span<const Vec3> points_;
    std::vector<uint32_t> order_;
    std::vector<Node> nodes_;
};

/// Hands out the points around a place in small groups, nearer groups first [hjaltason1999], for as long as the caller
/// wants.
class SiteWalk {
public:
    explicit SiteWalk(const SiteTree& tree) : tree_(tree) {}
    void start(const Vec3& from);

    struct Candidate {
        double squaredDistance;
        uint32_t point;
    };
    /// Nearest first within the group; empty when all points left are farther than the limit.
    std::span<const Candidate> next(double squaredLimit);

private:
    struct Entry {
        double squaredDistance;
        uint32_t node;
    };
    void push(uint32_t node);

    const SiteTree& tree_;
    Vec3 from_ = Vec3::Zero();
    std::vector<Entry> heap_;
    std::vector<Candidate> group_;
};

}  // namespace sunder::detail
