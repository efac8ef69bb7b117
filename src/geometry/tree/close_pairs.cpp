#include "geometry/tree/close_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"
#include "geometry/tree/bvh.h"

namespace sunder {

namespace {

constexpr size_t kHubTriangles = 256;  // around one place: fewer make too few pairs to matter
constexpr size_t kManyNeedles = 2000;  // in a mesh: fewer make too few pairs to matter
constexpr double kNeedle = 60;         // squared longest side over area
constexpr double kRoundingOff = 32 * std::numeric_limits<double>::epsilon();

using IndexPairs = std::vector<std::pair<uint32_t, uint32_t>>;
using IndexPair = IndexPairs::value_type;

/// A box that lies as its contents do.
struct OrientedBox {
    Vec3 centre = Vec3::Zero();
    std::array<Vec3, 3> axes{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};  // unit, at right angles
    Vec3 half = Vec3::Zero();                                               // extents along the axes
    double rounding = 0;                                                    // of its coordinates

    double reachAlong(const Vec3& direction) const {
        return half[0] * std::abs(direction.dot(axes[0])) + half[1] * std::abs(direction.dot(axes[1])) +
               half[2] * std::abs(direction.dot(axes[2]));
    }
};

/// Long side first, then across it, as in [larsson2011]: exact for a flat thing, near enough for others.
OrientedBox orientedBoxOf(std::span<const Vec3> points) {
    ASSERT(!points.empty());
    const auto farthest = [&](auto&& squaredDistance) {
        size_t best = 0;
        double most = -1;
        for (size_t i = 0; i < points.size(); ++i) {
            const double d = squaredDistance(points[i]);
            if (d > most) {
                most = d;
                best = i;
            }
        }
        return points[best];
    };
    const Vec3 from = farthest([&](const Vec3& p) { return (p - points[0]).squaredNorm(); });
    const Vec3 to = farthest([&](const Vec3& p) { return (p - from).squaredNorm(); });
    OrientedBox box;
    Vec3 along = to - from;
    const double length = along.norm();
    if (length > 0) {
        along /= length;
        const auto across = [&](const Vec3& p) { return Vec3((p - from) - along.dot(p - from) * along); };
        Vec3 side = across(farthest([&](const Vec3& p) { return across(p).squaredNorm(); }));
        if (!(side.squaredNorm() > 0)) side = along.unitOrthogonal();
        side = (side - along.dot(side) * along).normalized();
        box.axes = {along, side, along.cross(side)};
    }

    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    double magnitude = 0;
    for (const Vec3& p : points) {
        for (int axis = 0; axis < 3; ++axis) {
            const double at = box.axes[static_cast<size_t>(axis)].dot(p);
            low[axis] = std::min(low[axis], at);
            high[axis] = std::max(high[axis], at);
        }
        magnitude = std::max(magnitude, p.cwiseAbs().maxCoeff());
    }
    const Vec3 middle = 0.5 * (low + high);
    for (size_t axis = 0; axis < 3; ++axis) box.centre += middle[static_cast<int>(axis)] * box.axes[axis];
    box.half = 0.5 * (high - low);
    box.rounding = kRoundingOff * magnitude;
    return box;
}

/// False only when a plane parts them [gottschalk1996].
bool mayOverlap(const OrientedBox& a, const OrientedBox& b) {
    const Vec3 between = b.centre - a.centre;
    const auto parts = [&](const Vec3& axis) {
        return std::abs(between.dot(axis)) > a.reachAlong(axis) + b.reachAlong(axis) + a.rounding + b.rounding;
    };
    for (const Vec3& axis : a.axes) {
        if (parts(axis)) return false;
    }
    for (const Vec3& axis : b.axes) {
        if (parts(axis)) return false;
    }
    for (const Vec3& u : a.axes) {
        for (const Vec3& v : b.axes) {
            const Vec3 axis = u.cross(v);
            // of nearly parallel axes the product is noise, which the axes themselves have answered
            if (axis.squaredNorm() > 1e-12 && parts(axis)) return false;
        }
    }
    return true;
}

/// Some triangles of a mesh in a tree of oriented boxes.
class OrientedTree {
public:
    OrientedTree(const TriMesh& mesh, std::span<const Box3> boxes, std::vector<uint32_t> triangles)
        : triangles_(std::move(triangles)) {
        std::vector<Box3> own;
        own.reserve(triangles_.size());
        for (const uint32_t t : triangles_) own.push_back(boxes[t]);
        bvh_ = Bvh(own);

        // the corners below a node are one run, since its items are
        std::vector<Vec3> corners;
        corners.reserve(3 * triangles_.size());
        for (const uint32_t item : bvh_.order()) {
            for (const Vec3& p : mesh.corners(static_cast<TriangleIndex>(triangles_[item]))) corners.push_back(p);
        }
        oriented_.resize(bvh_.nodes().size());
        parallelFor(oriented_.size(), 512, [&](const BlockRange& block) {
            for (size_t n = block.begin; n < block.end; ++n) {
                const auto [begin, end] = runOf(bvh_.nodes()[n]);
                oriented_[n] = orientedBoxOf(std::span(corners).subspan(3 * begin, 3 * (end - begin)));
            }
        });
    }

    const Box3& box() const { return bvh_.nodes()[0].box; }

    /// Pairs with another tree's triangles; with itself, each pair once.
    void addPairsWith(const OrientedTree& other, std::span<const Box3> boxes, PairBudget& budget,
                      IndexPairs& pairs) const {
        const bool within = this == &other;
        std::vector<IndexPair> open{{0, 0}};
        while (!open.empty()) {
            const auto [n, m] = open.back();
            open.pop_back();
            const Bvh::Node &mine = bvh_.nodes()[n], &theirs = other.bvh_.nodes()[m];
            const bool same = within && n == m;
            if (!same && (!mine.box.overlaps(theirs.box) || !mayOverlap(oriented_[n], other.oriented_[m]))) continue;
            if (mine.isLeaf() && theirs.isLeaf()) {
                const size_t before = pairs.size();
                addLeafPairs(mine, other, theirs, same, boxes, pairs);
                if (!budget.spend(pairs.size() - before)) return;
            } else if (same) {
                open.insert(open.end(), {{mine.first, mine.first}, {mine.first, mine.first + 1}});
                open.emplace_back(mine.first + 1, mine.first + 1);
            } else if (theirs.isLeaf() || (!mine.isLeaf() && size(mine) >= size(theirs))) {
                open.insert(open.end(), {{mine.first, m}, {mine.first + 1, m}});
            } else {
                open.insert(open.end(), {{n, theirs.first}, {n, theirs.first + 1}});
            }
        }
    }

private:
    struct Run {
        size_t begin, end;
    };
    Run runOf(const Bvh::Node& node) const {
        const Bvh::Node *left = &node, *right = &node;
        while (!left->isLeaf()) left = &bvh_.nodes()[left->first];
        while (!right->isLeaf()) right = &bvh_.nodes()[right->first + 1];
        return {left->first, right->first + right->count};
    }
    static double size(const Bvh::Node& node) { return node.box.size().squaredNorm(); }

    void addLeafPairs(const Bvh::Node& mine, const OrientedTree& other, const Bvh::Node& theirs, bool same,
                      std::span<const Box3> boxes, IndexPairs& pairs) const {
        for (uint32_t i = mine.first; i < mine.first + mine.count; ++i) {
            for (uint32_t k = same ? i + 1 : theirs.first; k < theirs.first + theirs.count; ++k) {
                const uint32_t a = triangles_[bvh_.order()[i]], b = other.triangles_[other.bvh_.order()[k]];
                if (boxes[a].overlaps(boxes[b])) pairs.push_back(std::minmax(a, b));
            }
        }
    }

    std::vector<uint32_t> triangles_;
    Bvh bvh_;
    std::vector<OrientedBox> oriented_;
};

/// Triangles around one place.
struct Hub {
    Vec3 place;
    std::vector<uint32_t> triangles;  // ascending
};

bool placeLess(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// Where many triangles meet, welded or not. Each triangle goes to one hub: of several, to that of most corners.
std::vector<Hub> hubsOf(const TriMesh& mesh) {
    // corners counted by a hash of their place: what stays below the limit there needs no second look
    const size_t mask = std::bit_ceil(4 * mesh.triangleCount() + 1) - 1;
    std::vector<uint32_t> counts(mask + 1, 0);
    const auto slotOf = [&](const Vec3& p) {
        uint64_t h = 0;
        for (int axis = 0; axis < 3; ++axis) {
            h = (h ^ std::bit_cast<uint64_t>(p[axis] + 0.0)) * 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
            h ^= h >> 29;
        }
        return h & mask;
    };
    size_t most = 0;
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) most = std::max<size_t>(most, ++counts[slotOf(mesh.positions[v])]);
    }
    if (most < kHubTriangles) return {};

    struct Corner {
        Vec3 place;
        uint32_t triangle;
    };
    std::vector<Corner> corners;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        for (const Vec3& p : mesh.corners(t)) {
            if (counts[slotOf(p)] >= kHubTriangles) corners.push_back({p, raw(t)});
        }
    }
    std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
        if (a.place != b.place) return placeLess(a.place, b.place);
        return a.triangle < b.triangle;
    });
    // a run of one place is a hub
    std::vector<Hub> hubs;
    for (size_t i = 0; i < corners.size();) {
        size_t end = i;
        while (end < corners.size() && corners[end].place == corners[i].place) ++end;
        if (end - i >= kHubTriangles) {
            Hub& hub = hubs.emplace_back();
            hub.place = corners[i].place;
            for (size_t k = i; k < end; ++k) {
                if (hub.triangles.empty() || hub.triangles.back() != corners[k].triangle)
                    hub.triangles.push_back(corners[k].triangle);
            }
        }
        i = end;
    }
    std::stable_sort(hubs.begin(), hubs.end(),
                     [](const Hub& a, const Hub& b) { return a.triangles.size() > b.triangles.size(); });
    std::vector<uint8_t> taken(mesh.triangleCount(), 0);
    for (Hub& hub : hubs) {
        std::erase_if(hub.triangles, [&](uint32_t t) { return taken[t] != 0; });
        for (const uint32_t t : hub.triangles) taken[t] = 1;
    }
    std::erase_if(hubs, [](const Hub& hub) { return hub.triangles.empty(); });
    return hubs;
}

/// Two triangles with a corner at the hub share more than it only if they leave it in a common direction: pairs whose
/// arcs on a sphere about the hub have boxes that overlap.
void addPairsAround(const TriMesh& mesh, const Hub& hub, PairBudget& budget, IndexPairs& pairs) {
    std::vector<Box3> arcs(hub.triangles.size());
    for (size_t i = 0; i < arcs.size(); ++i) {
        std::array<Vec3, 2> ends{Vec3::Zero(), Vec3::Zero()};
        size_t found = 0;
        for (const Vec3& p : mesh.corners(static_cast<TriangleIndex>(hub.triangles[i]))) {
            if (p != hub.place && found < 2) ends[found++] = (p - hub.place).stableNormalized();
        }
        if (found < 2) ends[1] = ends[0];  // without area: its pairs are not asked for
        // an arc rises over its chord by this much, and no more
        const double rise = std::max(0.0, 1 - 0.5 * (ends[0] + ends[1]).norm());
        for (const Vec3& end : ends) arcs[i].add(end);
        arcs[i] = arcs[i].expanded(rise + kRoundingOff);
    }
    for (const auto& [a, b] : Bvh(arcs).overlappingPairsWithin(budget))
        pairs.push_back(std::minmax(hub.triangles[a], hub.triangles[b]));
}

size_t needleCount(const TriMesh& mesh) {
    size_t count = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const auto [a, b, c] = mesh.corners(t);
        const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        count += longest > kNeedle * 0.5 * (b - a).cross(c - a).norm();
    }
    return count;
}

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> closePairs(const TriMesh& mesh, std::span<const Box3> boxes,
                                                      PairBudget& budget) {
    ASSERT(boxes.size() == mesh.triangleCount());
    if (needleCount(mesh) < kManyNeedles) return Bvh(boxes).overlappingPairsWithin(budget);

    // fans, and one group of all other triangles
    const std::vector<Hub> hubs = hubsOf(mesh);
    std::vector<uint8_t> inFan(mesh.triangleCount(), 0);
    for (const Hub& hub : hubs) {
        for (const uint32_t t : hub.triangles) inFan[t] = 1;
    }
    std::vector<uint32_t> others;
    for (uint32_t t = 0; t < inFan.size(); ++t) {
        if (!inFan[t]) others.push_back(t);
    }
    std::vector<OrientedTree> trees;
    trees.reserve(hubs.size() + 1);
    for (const Hub& hub : hubs) trees.emplace_back(mesh, boxes, hub.triangles);
    if (!others.empty()) trees.emplace_back(mesh, boxes, std::move(others));

    // each fan within itself, then group by group
    std::vector<Box3> extents;
    for (const OrientedTree& tree : trees) extents.push_back(tree.box());
    IndexPairs groups = Bvh(extents).overlappingPairsWithin();
    if (trees.size() > hubs.size()) groups.emplace_back(hubs.size(), hubs.size());
    std::vector<IndexPairs> found(hubs.size() + groups.size());
    parallelFor(found.size(), 1, [&](const BlockRange& block) {
        const size_t i = block.begin;
        if (i < hubs.size()) {
            addPairsAround(mesh, hubs[i], budget, found[i]);
        } else {
            const auto [a, b] = groups[i - hubs.size()];
            trees[a].addPairsWith(trees[b], boxes, budget, found[i]);
        }
    });
    IndexPairs pairs;
    if (budget.isSpent()) return pairs;
    for (const IndexPairs& part : found) pairs.insert(pairs.end(), part.begin(), part.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace sunder
