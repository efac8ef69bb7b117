// Contacts of bodies on distance grids: a heap of fragments that all have grids of their own, microseconds per pair
// whose boxes overlap. Ours only: no peer does this on a CPU.
#include <cstdio>

#include "base/random.h"
#include "bench/report.h"
#include "dynamics/detail/narrow/collide.h"
#include "geometry/convex/fragment_generator.h"

namespace sunder {
namespace {

using namespace dynamics;
using namespace dynamics::detail;

constexpr float kReach = 0.005f;  // m

struct Placed {
    ShapePtr shape;
    Mat3 rotation = Mat3::Identity();
    Vec3 centre = Vec3::Zero();
};

struct CandidatePair {
    uint32_t a, b;
};

std::vector<CandidatePair> overlappingPairs(const std::vector<Placed>& bodies) {
    std::vector<Box3> boxes;
    for (const Placed& body : bodies) {
        boxes.push_back(body.shape->bounds({Quat(body.rotation), body.centre}).expanded(0.5 * double{kReach}));
    }
    std::vector<uint32_t> order(bodies.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) { return boxes[i].min.x() < boxes[j].min.x(); });
    std::vector<CandidatePair> pairs;
    for (size_t i = 0; i < order.size(); ++i) {
        for (size_t j = i + 1; j < order.size() && boxes[order[j]].min.x() <= boxes[order[i]].max.x(); ++j) {
            if (boxes[order[i]].overlaps(boxes[order[j]]))
                pairs.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
        }
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const CandidatePair& p, const CandidatePair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    return pairs;
}

/// Deepest overlap and how many manifolds a pair has.
struct Touch {
    float deepest = 1;
    size_t manifolds = 0, points = 0;
};

Touch touch(const Placed& a, const Placed& b, std::vector<Manifold>& scratch) {
    scratch.clear();
    PairMemory memory;
    collide(*a.shape, *b.shape, {a.rotation, b.rotation, b.centre - a.centre}, kReach, memory, scratch);
    Touch result;
    result.manifolds = scratch.size();
    for (const Manifold& m : scratch) {
        result.points += static_cast<size_t>(m.count);
        for (int i = 0; i < m.count; ++i)
            result.deepest = std::min(result.deepest, m.points[static_cast<size_t>(i)].separation);
    }
    return result;
}

/// A heap as dense as a settled one, without a simulation: thrown in at random, then shaken apart by moving every
/// overlapping pair along its deepest normal until overlaps are a few millimetres.
std::vector<Placed> heapOf(const std::vector<ShapePtr>& shapes, double fill) {
    double volume = 0;
    for (const ShapePtr& shape : shapes) volume += shape->volume();
    const double side = std::cbrt(volume / fill);
    std::vector<Placed> bodies;
    Random random(5);
    for (const ShapePtr& shape : shapes) {
        const Quat turn = Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
        bodies.push_back(
            {shape, turn.toRotationMatrix(), side * Vec3(random.uniform(), random.uniform(), random.uniform())});
    }
    std::vector<Manifold> scratch;
    for (int round = 0; round < 60; ++round) {
        std::vector<Vec3> move(bodies.size(), Vec3::Zero());
        for (const CandidatePair& pair : overlappingPairs(bodies)) {
            scratch.clear();
            PairMemory memory;
            const Placed &a = bodies[pair.a], &b = bodies[pair.b];
            collide(*a.shape, *b.shape, {a.rotation, b.rotation, b.centre - a.centre}, kReach, memory, scratch);
            for (const Manifold& m : scratch) {
                float deepest = 0;
                for (int i = 0; i < m.count; ++i)
                    deepest = std::min(deepest, m.points[static_cast<size_t>(i)].separation + 0.001f);
                move[pair.a] += 0.3 * double{deepest} * m.normal.cast<double>();
                move[pair.b] -= 0.3 * double{deepest} * m.normal.cast<double>();
            }
        }
        for (size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].centre += move[i];
            for (int axis = 0; axis < 3; ++axis) bodies[i].centre[axis] = std::clamp(bodies[i].centre[axis], 0.0, side);
        }
    }
    // neighbours in memory are neighbours in space, as in the world
    std::sort(bodies.begin(), bodies.end(), [](const Placed& a, const Placed& b) {
        const auto cell = [](const Vec3& p) {
            uint64_t code = 0;
            for (int bit = 9; bit >= 0; --bit) {
                for (int axis = 0; axis < 3; ++axis)
                    code = code << 1 | (static_cast<uint64_t>(p[axis] / 0.1) >> bit & 1);
            }
            return code;
        };
        return cell(a.centre) < cell(b.centre);
    });
    return bodies;
}

void run(bench::Report& report, size_t count, size_t unique) {
    std::vector<ShapePtr> shapes;
    const Stopwatch watch;
    for (size_t i = 0; i < unique; ++i)
        shapes.push_back(makeFieldSolid(concaveFragment(static_cast<ConcaveKind>(i % 3), 1, i), {.particles = 128}));
    const double making = watch.wallSeconds();
    size_t bytes = 0;
    for (const ShapePtr& shape : shapes)
        bytes += shape->field()->field.memoryBytes() + shape->field()->clusters.size() * sizeof(FieldSolid::Cluster);
    while (shapes.size() < count) shapes.push_back(shapes[shapes.size() - unique]);

    const std::vector<Placed> bodies = heapOf(shapes, 0.35);
    const std::vector<CandidatePair> pairs = overlappingPairs(bodies);
    std::vector<Manifold> scratch;
    size_t touching = 0, manifolds = 0, points = 0;
    double overlap = 0;
    for (const CandidatePair& pair : pairs) {
        const Touch t = touch(bodies[pair.a], bodies[pair.b], scratch);
        touching += t.manifolds > 0 ? 1 : 0;
        manifolds += t.manifolds;
        points += t.points;
        overlap += std::max(0.0f, -t.deepest);
    }
    const bench::Seconds all = bench::measure(5, [&] {
        for (const CandidatePair& pair : pairs) bench::keep(touch(bodies[pair.a], bodies[pair.b], scratch));
    });
    std::vector<CandidatePair> near;
    for (const CandidatePair& pair : pairs) {
        if (touch(bodies[pair.a], bodies[pair.b], scratch).manifolds > 0) near.push_back(pair);
    }
    const bench::Seconds touchingOnly = bench::measure(5, [&] {
        for (const CandidatePair& pair : near) bench::keep(touch(bodies[pair.a], bodies[pair.b], scratch));
    });
    const std::string name = std::to_string(count) + " bodies, " + std::to_string(unique) + " grids: ";
    const double perPair = 1e6 / static_cast<double>(pairs.size());
    report.row(name + "all pairs, per pair", all.cpu * perPair, {}, "", "us");
    report.row(name + "touching, per pair", touchingOnly.cpu * 1e6 / static_cast<double>(near.size()), {}, "", "us");
    report.row(name + "making a solid", 1e3 * making / static_cast<double>(unique), {}, "", "ms");
    if (!report.json()) {
        std::printf(
            "  %zu pairs (%.1f per body), %.0f %% touching, %.2f manifolds and %.1f points each, mean overlap "
            "%.1f mm, %.1f KB per grid\n",
            pairs.size(), static_cast<double>(pairs.size()) / static_cast<double>(count),
            100.0 * static_cast<double>(touching) / static_cast<double>(pairs.size()),
            static_cast<double>(manifolds) / static_cast<double>(touching),
            static_cast<double>(points) / static_cast<double>(touching), 1e3 * overlap / static_cast<double>(touching),
            static_cast<double>(bytes) / static_cast<double>(unique) / 1e3);
    }
}

}  // namespace
}  // namespace sunder

int main(int argc, char** argv) {
    sunder::bench::Report report(argc, argv);
    sunder::run(report, 3000, 256);
    sunder::run(report, 3000, 3000);
}
