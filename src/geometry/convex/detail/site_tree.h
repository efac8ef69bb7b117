#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/box.h"

namespace sunder::detail {

/// A k-d tree over points. Points are numbered anew, such that near ones follow each other and equal ones keep their
/// order; walked outward by SiteWalk.
class SiteTree {
public:
    explicit SiteTree(std::span<const Vec3> points);

    std::span<const Vec3> points() const { return points_; }       // in the new numbering
    std::span<const uint32_t> oldNumbers() const { return old_; }  // of each

private:
    friend class SiteWalk;
    struct Node {
        Box3 box;
        uint32_t first, count;  // points
        uint32_t right;         // 0 for a leaf; the left child follows its parent
    };
    uint32_t build(std::span<const Vec3> points, uint32_t first, uint32_t count);

    std::vector<Vec3> points_;
    std::vector<uint32_t> old_;
    std::vector<uint32_t> leaf_;  // of each point
    std::vector<Node> nodes_;
};

/// Hands out the points around one of them in small groups, about nearest first, for as long as the caller wants. The
/// search from leaf to leaf [hjaltason1999] is shared by walks that start in the same leaf one after the other.
class SiteWalk {
public:
    explicit SiteWalk(const SiteTree& tree) : tree_(tree) {}
    void start(uint32_t point);

    struct Candidate {
        double squaredDistance;
        uint32_t point;
    };
    /// Nearest first within the group, none beyond the limit; empty when all points left are farther. The limit may
    /// only shrink during a walk.
    std::span<const Candidate> next(double squaredLimit);

private:
    struct Entry {
        double squaredDistance;  // from the starting leaf's box
        uint32_t node;
    };
    void push(uint32_t node);
    /// One more leaf of leaves_, if there is one within the limit.
    bool findLeaf(double squaredLimit);
    void collect(const SiteTree::Node& leaf, double squaredLimit);

    const SiteTree& tree_;
    uint32_t startLeaf_ = UINT32_MAX;
    std::vector<Entry> heap_;
    std::vector<Entry> leaves_;  // found so far, nearest first
    Vec3 from_ = Vec3::Zero();
    size_t nextLeaf_ = 0;
    std::vector<Candidate> group_;
};

}  // namespace sunder::detail
