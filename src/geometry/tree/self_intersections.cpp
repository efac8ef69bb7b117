#include "geometry/tree/self_intersections.h"

#include <algorithm>

#include "base/parallel.h"
#include "geometry/tree/close_pairs.h"

namespace sunder {

namespace {

bool onSameCorners(const TriangleCorners& a, const TriangleCorners& b) {
    return std::all_of(a.begin(), a.end(), [&](const Vec3& p) { return std::find(b.begin(), b.end(), p) != b.end(); });
}

FoundIntersections meetingPairs(const TriMesh& mesh, size_t maxPairs, PairBudget& budget) {
    constexpr size_t kGrain = 4096;
    FoundIntersections result;
    std::vector<IntersectingPair>& found = result.pairs;
    if (mesh.empty() || maxPairs == 0) return result;

    // candidates: what is close, of triangles that have an area
    std::vector<Box3> boxes(mesh.triangleCount());
    std::vector<uint8_t> degenerate(mesh.triangleCount());
    parallelFor(mesh.triangleCount(), kGrain, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const TriangleCorners corners = mesh.corners(static_cast<TriangleIndex>(static_cast<uint32_t>(i)));
            for (const Vec3& p : corners) boxes[i].add(p);
            degenerate[i] = isDegenerate(corners);
        }
    });
    const std::vector<std::pair<uint32_t, uint32_t>> candidates = closePairs(mesh, boxes, budget);
    if (budget.isSpent()) {
        result.tooNear = true;
        return result;
    }

    // decide, in rounds so that a hopeless mesh stops early
    constexpr size_t kRound = 256 * kGrain;
    for (size_t start = 0; start < candidates.size() && found.size() < maxPairs; start += kRound) {
        const size_t count = std::min(kRound, candidates.size() - start);
        std::vector<std::vector<IntersectingPair>> byBlock((count + kGrain - 1) / kGrain);
        parallelFor(count, kGrain, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const auto [s, t] = candidates[start + i];
                if (degenerate[s] || degenerate[t]) continue;
                const TriangleIndex first{s}, second{t};
                const TriangleCorners a = mesh.corners(first), b = mesh.corners(second);
                const TriangleRelation relation = relateBeyondSharedCorners(a, b);
                if (relation == TriangleRelation::Disjoint) continue;
                if (relation == TriangleRelation::CoplanarOverlap && onSameCorners(a, b)) continue;
                byBlock[block.index].push_back({first, second, relation});
            }
        });
        for (const auto& block : byBlock) found.insert(found.end(), block.begin(), block.end());
    }
    if (found.size() > maxPairs) found.resize(maxPairs);
    return result;
}

}  // namespace

FoundIntersections findSelfIntersections(const TriMesh& mesh, size_t maxPairs) {
    PairBudget budget(std::max(kMaxNearPairs, kMaxNearPairsPerTriangle * mesh.triangleCount()));
    return meetingPairs(mesh, maxPairs, budget);
}

std::vector<IntersectingPair> selfIntersections(const TriMesh& mesh, size_t maxPairs) {
    PairBudget unlimited(std::numeric_limits<size_t>::max());
    return std::move(meetingPairs(mesh, maxPairs, unlimited).pairs);
}

}  // namespace sunder
