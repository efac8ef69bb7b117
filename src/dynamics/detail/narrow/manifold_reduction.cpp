#include "dynamics/detail/narrow/manifold_reduction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "base/assert.h"

namespace sunder::dynamics::detail {

namespace {

constexpr float kSameDirection = 0.906f;  // cosine of 25 degrees
/// Points this part of the contact's width above the deepest count as equally deep, so that round-off at rest does not
/// decide which points are kept.
constexpr float kEquallyDeep = 1e-3f;
/// Points this part of the width above the deepest count half.
constexpr float kDepthScale = 0.02f;
constexpr float kHoldWeight = 1.5f;  // points kept the last time count that much more

/// Order of floats as an unsigned number.
uint32_t ascending(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// What the choice goes by, m.
float rankOf(const Candidate& c) { return c.separation - c.hold; }

bool deeperFirst(const Candidate& a, const Candidate& b) {
    const uint64_t keyA = (uint64_t{ascending(rankOf(a))} << 32) | a.key;
    const uint64_t keyB = (uint64_t{ascending(rankOf(b))} << 32) | b.key;
    if (keyA != keyB) return keyA < keyB;
    for (int axis = 0; axis < 3; ++axis) {
        if (a.fromA[axis] != b.fromA[axis]) return a.fromA[axis] < b.fromA[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (a.normal[axis] != b.normal[axis]) return a.normal[axis] < b.normal[axis];
    }
    return false;
}

/// How much a point counts that is this much farther apart than the deepest, m, in a contact of this width.
float weightOf(float above, float width) {
    const float scale = kDepthScale * width;
    return scale > 0 ? 1 / (1 + above * above / (scale * scale)) : 1.0f;
}

/// Mean direction in which deeper points count more: those about to leave say little about how the bodies touch.
Vec3f meanNormal(std::span<const Candidate> cluster) {
    float width = 0;
    for (const Candidate& c : cluster) width = std::max(width, (c.fromA - cluster.front().fromA).norm());
    Vec3f sum = Vec3f::Zero();
    for (const Candidate& c : cluster) sum += weightOf(rankOf(c) - rankOf(cluster.front()), width) * c.normal;
    return sum.normalized();  // all lie within 25 degrees of the first, so the sum is no zero
}

/// A candidate seen along the normal: where it is in the plane across it, and how much it counts.
struct Flat {
    float u, v;
    float weight;  // 1 for the deepest
};

float area(const Flat& a, const Flat& b, const Flat& c) {
    return 0.5f * ((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u));
}

template <class Score>
size_t bestOf(size_t count, Score&& score) {
    size_t best = 0;
    float bestScore = -std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < count; ++i) {
        const float s = score(i);
        if (s > bestScore) {
            bestScore = s;
            best = i;
        }
    }
    return best;
}

/// Seen along the normal. Returns the width of the contact, m.
float flatten(std::span<const Candidate> cluster, const Vec3f& normal, std::vector<Flat>& flat) {
    const Vec3f u = normal.unitOrthogonal(), v = normal.cross(u);
    flat.clear();
    float minU = std::numeric_limits<float>::infinity(), maxU = -minU, minV = minU, maxV = -minU;
    for (const Candidate& c : cluster) {
        const Flat& f = flat.emplace_back(Flat{u.dot(c.fromA), v.dot(c.fromA), 1});
        minU = std::min(minU, f.u), maxU = std::max(maxU, f.u);
        minV = std::min(minV, f.v), maxV = std::max(maxV, f.v);
    }
    const float width = std::max(maxU - minU, maxV - minV);
    for (size_t i = 0; i < flat.size(); ++i) {
        flat[i].weight = weightOf(rankOf(cluster[i]) - rankOf(cluster.front()), width);
        if (cluster[i].hold > 0) flat[i].weight *= kHoldWeight;
    }
    return width;
}

/// The deepest (of several equally deep ones the outermost), the farthest from it, then those that add most area.
int chooseFour(std::span<const Candidate> cluster, const Vec3f& normal, std::vector<Flat>& flat,
               std::array<size_t, Manifold::kMaxPoints>& chosen) {
    const size_t count = cluster.size();
    if (count <= Manifold::kMaxPoints) {
        for (size_t i = 0; i < count; ++i) chosen[i] = i;
        return static_cast<int>(count);
    }
    const float width = flatten(cluster, normal, flat);
    const auto squaredDistance = [&](const Flat& a, const Flat& b) {
        return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
    };
    Flat middle{0, 0, 0};
    for (const Flat& f : flat) middle.u += f.u, middle.v += f.v;
    middle.u /= static_cast<float>(count), middle.v /= static_cast<float>(count);

    // the two that are farthest apart, from one that is about as deep as any; then the widest triangle with them
    const float nearlyDeepest = rankOf(cluster.front()) + kEquallyDeep * width;
    const size_t a = bestOf(count, [&](size_t i) {
        return rankOf(cluster[i]) <= nearlyDeepest ? squaredDistance(flat[i], middle) : -1.0f;
    });
    const size_t b = bestOf(count, [&](size_t i) { return flat[i].weight * squaredDistance(flat[a], flat[i]); });
    const size_t c =
        bestOf(count, [&](size_t i) { return flat[i].weight * std::abs(area(flat[a], flat[b], flat[i])); });
    chosen = {a, b, c, 0};
    if (a == b || c == a || c == b) {  // all on a line or on one point
        chosen = {a, b, 0, 0};
        return a == b ? 1 : 2;
    }
    // the triangle counter-clockwise; the fourth adds what lies beyond one of its sides
    const bool turned = area(flat[a], flat[b], flat[c]) < 0;
    const Flat &p = flat[a], &q = turned ? flat[c] : flat[b], &r = turned ? flat[b] : flat[c];
    const auto added = [&](size_t i) {
        return -flat[i].weight * std::min({area(p, q, flat[i]), area(q, r, flat[i]), area(r, p, flat[i])});
    };
    const size_t d = bestOf(count, added);
    chosen[3] = d;
    return added(d) > 1e-3f * std::abs(area(p, q, r)) ? 4 : 3;
}

void appendManifold(std::span<const Candidate> cluster, std::vector<Flat>& flat, std::vector<Manifold>& manifolds) {
    Manifold& manifold = manifolds.emplace_back();
    manifold.normal = meanNormal(cluster);
    std::array<size_t, Manifold::kMaxPoints> chosen{};
    ASSERT(!cluster.empty());
    manifold.count = chooseFour(cluster, manifold.normal, flat, chosen);
    for (int i = 0; i < manifold.count; ++i) {
        const Candidate& c = cluster[chosen[static_cast<size_t>(i)]];
        manifold.points[static_cast<size_t>(i)] = {c.fromA, c.separation * c.normal.dot(manifold.normal), c.key};
    }
}

}  // namespace

void reduceToManifolds(std::vector<Candidate>& candidates, std::vector<Manifold>& manifolds) {
    thread_local std::vector<Flat> flat;
    thread_local std::vector<Candidate> cluster;
    std::sort(candidates.begin(), candidates.end(), deeperFirst);
    while (!candidates.empty()) {
        // all that look the way of the deepest that is left; both they and the others keep their order
        cluster.clear();
        const Vec3f seed = candidates.front().normal;
        size_t left = 0;
        for (size_t i = 0; i < candidates.size(); ++i) {
            if (i == 0 || candidates[i].normal.dot(seed) > kSameDirection) {
                cluster.push_back(candidates[i]);
            } else {
                candidates[left++] = candidates[i];
            }
        }
        candidates.resize(left);
        appendManifold(cluster, flat, manifolds);
    }
}

void swapBodies(std::vector<Manifold>& manifolds, size_t first, const Vec3& offset) {
    const Vec3f shift = offset.cast<float>();
    for (size_t i = first; i < manifolds.size(); ++i) {
        Manifold& manifold = manifolds[i];
        manifold.normal = -manifold.normal;
        for (int p = 0; p < manifold.count; ++p) manifold.points[static_cast<size_t>(p)].fromA -= shift;
    }
}

}  // namespace sunder::dynamics::detail
