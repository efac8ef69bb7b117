#include "bench/pile_quality.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "geometry/convex/penetration.h"

namespace sunder::bench {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

struct Solid {
    const ConvexPolytope* polytope;
    RigidTransform pose;
    Box3 bounds;
};

Solid placed(const ConvexPolytope& polytope, const RigidTransform& pose) {
    Solid solid{&polytope, pose, {}};
    for (const Vec3& vertex : polytope.vertices) solid.bounds.add(pose * vertex);
    return solid;
}

using Pair = std::pair<size_t, size_t>;

/// Pairs whose boxes overlap; at least one of a pair is a piece. Sorted along x.
std::vector<Pair> candidatePairs(const std::vector<Solid>& solids, size_t pieceCount) {
    std::vector<size_t> order(solids.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
        const double x = solids[i].bounds.min.x(), y = solids[j].bounds.min.x();
        return x != y ? x < y : i < j;
    });
    std::vector<Pair> pairs;
    for (size_t i = 0; i < order.size(); ++i) {
        const Solid& a = solids[order[i]];
        for (size_t j = i + 1; j < order.size(); ++j) {
            const Solid& b = solids[order[j]];
            if (b.bounds.min.x() > a.bounds.max.x()) break;
            if (order[i] >= pieceCount && order[j] >= pieceCount) continue;
            if (a.bounds.overlaps(b.bounds)) pairs.emplace_back(order[i], order[j]);
        }
    }
    return pairs;
}

std::vector<double> overlaps(const std::vector<Solid>& solids, const std::vector<Pair>& pairs) {
    std::vector<double> depths(pairs.size());
    parallelFor(pairs.size(), 64, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const Solid &a = solids[pairs[i].first], &b = solids[pairs[i].second];
            depths[i] = penetration(*a.polytope, a.pose, *b.polytope, b.pose).depth;
        }
    });
    std::erase_if(depths, [](double depth) { return !(depth > 0); });
    std::sort(depths.begin(), depths.end());
    return depths;
}

}  // namespace

double potentialEnergy(const scenes::ConvexPile& pile, std::span<const RigidTransform> poses) {
    std::vector<double> weights;  // N
    for (const ConvexPolytope& hull : pile.hulls) {
        weights.push_back(kGravity * scenes::kPileDensity * volume(hull));
    }
    double energy = 0;
    for (size_t i = 0; i < poses.size(); ++i) {
        energy += weights[pile.layout.pieces[i].shape] * poses[i].translation.y();
    }
    return energy;
}

PileQuality judge(const scenes::ConvexPile& pile, std::span<const RigidTransform> poses) {
    PileQuality quality;
    std::vector<Solid> solids;
    for (size_t i = 0; i < poses.size(); ++i) {
        if (pile.layout.escaped(poses[i].translation)) {
            ++quality.escaped;
            continue;
        }
        solids.push_back(placed(pile.hulls[pile.layout.pieces[i].shape], poses[i]));
        quality.meanHeight += poses[i].translation.y();
    }
    const size_t pieceCount = solids.size();
    if (pieceCount == 0) return quality;
    quality.meanHeight /= static_cast<double>(pieceCount);

    std::vector<ConvexPolytope> walls;
    for (const scenes::PlacedBox& wall : pile.layout.walls) {
        walls.push_back(polytopeOf(Box3{-0.5 * wall.size, 0.5 * wall.size}));
    }
    for (size_t i = 0; i < walls.size(); ++i) solids.push_back(placed(walls[i], pile.layout.walls[i].pose));

    const std::vector<double> depths = overlaps(solids, candidatePairs(solids, pieceCount));
    quality.pairs = depths.size();
    if (depths.empty()) return quality;
    quality.meanOverlap = std::accumulate(depths.begin(), depths.end(), 0.0) / static_cast<double>(depths.size());
    quality.p99Overlap = depths[static_cast<size_t>(0.99 * static_cast<double>(depths.size() - 1))];
    quality.worstOverlap = depths.back();
    return quality;
}

}  // namespace sunder::bench
