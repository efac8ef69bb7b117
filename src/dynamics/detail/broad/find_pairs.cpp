#include "dynamics/detail/broad/find_pairs.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "base/parallel.h"
#include "dynamics/detail/state/motion_bounds.h"
#include "geometry/tree/bvh.h"

namespace sunder::dynamics::detail {

namespace {

constexpr double kBoxMargin = 0.05;  // of the radius

Box3 sweptBox(const Body& body, double dt, const Vec3& gravity) {
    Box3 box = body.shape->bounds(body.pose());
    if (!body.moves()) return box;
    Box3 later = box;
    const Vec3 step = dt * body.velocity + (body.mobile() ? Vec3(dt * dt * gravity) : Vec3(Vec3::Zero()));
    later.min += step;
    later.max += step;
    const double radius = sizeOf(body), turn = body.angularVelocity.norm() * dt;
    box.add(later);
    return box.expanded(std::min(turn, 2.0) * radius + kContactMargin * radius);
}

bool mayTouch(const Body& a, const Body& b) {
    const bool dynamic = a.kind == BodyKind::Dynamic || b.kind == BodyKind::Dynamic;
    return dynamic && (a.group & b.collidesWith) != 0 && (b.group & a.collidesWith) != 0;
}

bool boundless(const Body& body) { return body.shape->kind() == ShapeKind::HalfSpace; }

/// Heaps have ten pairs per body, a body in splinters a hundred; memory for this many there is.
size_t mostPairs(size_t bodies) { return (size_t{1} << 20) + 64 * bodies; }

/// Blames the first of the bodies with whose neighbours there are too many pairs: the same one for any number of
/// threads. `neighbours(i)`: how many bodies are near body i.
template <class Neighbours>
[[noreturn]] void throwCrowded(const Bodies& bodies, const std::vector<uint32_t>& all, size_t most,
                               const Neighbours& neighbours) {
    size_t pairs = 0, here = 0;
    uint32_t blamed = all.front();
    for (const uint32_t i : all) {
        here = neighbours(i);
        pairs += here;
        blamed = i;
        if (pairs > 2 * most) break;  // each is counted from both sides
    }
    throw StepError({blamed, bodies[blamed].generation},
                    fmt::format("is near {} others, and the scene has more than {} such pairs; spread out bodies that "
                                "were put into one place",
                                here, most));
}

}  // namespace

void findPairs(Bodies& bodies, double dt, const Vec3& gravity, PairTable& table) {
    // boxes: keep the fat one as long as it holds the body
    std::vector<uint8_t> left(bodies.size(), 0);
    parallelFor(bodies.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            Body& body = bodies[i];
            if (!body.alive) continue;
            if (!body.moves() && !body.fatBox.empty()) continue;
            // what hardly moves need not be measured
            body.boxSpare -= body.lastMotion;
            const double fall = fallBound(body, dt, gravity);
            const double need = motionOf(body, dt) + fall - std::min(fall, body.boxFall);
            if (!body.fatBox.empty() && need <= body.boxSpare) continue;
            const Box3 box = sweptBox(body, dt, gravity);
            const double margin = boundless(body) ? 0 : kBoxMargin * sizeOf(body);
            // leave a box that is outgrown, or has become much too wide
            const bool inside = !body.fatBox.empty() && (body.fatBox.min.array() <= box.min.array()).all() &&
                                (body.fatBox.max.array() >= box.max.array()).all() &&
                                (body.fatBox.size().array() <= box.size().array() + 5 * margin).all();
            if (inside) continue;
            body.fatBox = box.expanded(margin);
            body.boxSpare = margin - dt * body.velocity.norm();
            body.boxFall = fall;
            left[i] = 1;
        }
    });
    std::vector<uint32_t> leavers;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        if (left[i]) leavers.push_back(i);
    }
    if (leavers.empty()) return;

    // new neighbours of those that left their box
    std::vector<uint32_t> items;
    std::vector<Box3> boxes;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].alive || boundless(bodies[i])) continue;
        items.push_back(i);
        boxes.push_back(bodies[i].fatBox);
    }
    // a tree costs about as much as looking at everything for a hundredth of the bodies
    const bool few = leavers.size() < items.size() / 100;
    const Bvh tree(few ? std::vector<Box3>() : boxes);
    std::vector<uint32_t> unbounded;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].alive && boundless(bodies[i])) unbounded.push_back(i);
    }
    constexpr size_t kGrain = 16;
    std::vector<std::vector<uint64_t>> found((leavers.size() + kGrain - 1) / kGrain);
    const size_t most = mostPairs(items.size());
    std::atomic<size_t> finds = 0;  // of most pairs from both sides
    parallelFor(leavers.size(), kGrain, [&](const BlockRange& block) {
        std::vector<uint64_t>& out = found[block.index];
        const auto add = [&](uint32_t i, uint32_t j) {
            if (i != j && mayTouch(bodies[i], bodies[j]))
                out.push_back(uint64_t{std::min(i, j)} << 32 | std::max(i, j));
        };
        for (size_t n = block.begin; n < block.end; ++n) {
            const uint32_t i = leavers[n];
            const size_t before = out.size();
            if (finds.load(std::memory_order_relaxed) > 2 * most) return;
            if (boundless(bodies[i])) {
                for (const uint32_t j : items) add(i, j);
            } else if (few) {
                for (size_t k = 0; k < items.size(); ++k) {
                    if (boxes[k].overlaps(bodies[i].fatBox)) add(i, items[k]);
                }
            } else {
                for (const uint32_t item : tree.overlapping(bodies[i].fatBox)) add(i, items[item]);
            }
            if (!boundless(bodies[i])) {
                for (const uint32_t j : unbounded) add(i, j);
            }
            finds.fetch_add(out.size() - before, std::memory_order_relaxed);
        }
        std::sort(out.begin(), out.end());
    });
    if (finds > 2 * most) {
        throwCrowded(bodies, leavers, most, [&](uint32_t i) {
            const auto near = [&](uint32_t j) {
                return i != j && (boundless(bodies[i]) || bodies[j].fatBox.overlaps(bodies[i].fatBox)) &&
                       mayTouch(bodies[i], bodies[j]);
            };
            return static_cast<size_t>(std::count_if(items.begin(), items.end(), near));
        });
    }
    std::vector<uint64_t> fresh;
    for (const auto& part : found) fresh.insert(fresh.end(), part.begin(), part.end());
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());

    // merge: old pairs stay while their boxes overlap
    std::vector<Pair> merged;
    merged.reserve(table.pairs.size() + fresh.size() / 4);
    size_t next = 0;
    const auto addFreshBelow = [&](uint64_t key) {
        for (; next < fresh.size() && fresh[next] < key; ++next) {
            Pair pair;
            pair.a = static_cast<uint32_t>(fresh[next] >> 32);
            pair.b = static_cast<uint32_t>(fresh[next]);
            merged.push_back(pair);
        }
    };
    std::vector<uint8_t> gone(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) gone[i] = !bodies[i].alive;
    for (const Pair& pair : table.pairs) {
        if (gone[pair.a] || gone[pair.b]) continue;
        addFreshBelow(pair.key());
        if (next < fresh.size() && fresh[next] == pair.key()) ++next;
        const auto near = [&](const Body& a, const Body& b) {
            return boundless(a) || boundless(b) || a.fatBox.overlaps(b.fatBox);
        };
        const bool stays = !(left[pair.a] || left[pair.b]) || near(bodies[pair.a], bodies[pair.b]);
        if (stays) merged.push_back(pair);
    }
    addFreshBelow(~uint64_t{0});
    table.pairs.swap(merged);
}

}  // namespace sunder::dynamics::detail
