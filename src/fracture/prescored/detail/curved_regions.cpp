#include "fracture/prescored/detail/curved_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "fracture/common/noise.h"

namespace sunder::fracture {

namespace {

constexpr int kMostOctaves = 5;
constexpr size_t kManySites = 48;  // from here on a tree is faster than looking at each

template <class Distance>
uint32_t smallest(size_t count, const Distance& distance) {
    uint32_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (uint32_t r = 0; r < count; ++r) {
        const double d = distance(r, least);
        if (d < least) {
            least = d;
            best = r;
        }
    }
    return best;
}

}  // namespace

void WarpedSites::setSites(std::vector<Vec3> newSites) {
    sites = std::move(newSites);
    tree = sites.size() > kManySites ? std::make_shared<const PointTree>(sites) : nullptr;
}

Vec3 WarpedSites::warped(const Vec3& point) const {
    if (roughness == 0) return point;
    const double local = pieceSize * (1 - concentration + concentration * std::min(1.0, point.norm() / farthest));
    Vec3 moved = point;
    double wave = pieceSize;
    for (int octave = 0; octave < kMostOctaves && wave >= shortestWave; ++octave, wave *= 0.5) {
        // where pieces are smaller than the wave it would move them whole, not shape their walls
        const double share = std::clamp(2 - wave / local, 0.0, 1.0);
        if (share == 0) continue;
        moved += share * roughness * wave * vectorNoise(point / wave, seed + static_cast<uint64_t>(octave));
    }
    return moved;
}

uint32_t WarpedSites::regionAt(const Vec3& point) const {
    const Vec3 p = warped(point);
    if (tree != nullptr) return tree->nearest(p).index;
    return smallest(sites.size(), [&](uint32_t r, double) { return (sites[r] - p).squaredNorm(); });
}

double WarpedSites::difference(uint32_t a, uint32_t b, const Vec3& point) const {
    const Vec3 p = warped(point);
    return (sites[a] - p).norm() - (sites[b] - p).norm();
}

uint32_t MeshRegions::regionAt(const Vec3& point) const {
    const Vec3 p = point / scale + middle;
    return smallest(grids->size(), [&](uint32_t r, double least) {
        const Box3& box = boxes[r];
        if (least > 0 ? box.squaredDistance(p) > least * least : !box.contains(p)) {
            return std::numeric_limits<double>::infinity();
        }
        return (*grids)[r].value(p);
    });
}

double MeshRegions::difference(uint32_t a, uint32_t b, const Vec3& point) const {
    const Vec3 p = point / scale + middle;
    return scale * ((*grids)[a].value(p) - (*grids)[b].value(p));
}

size_t regionCount(const CurvedRegions& regions) {
    return std::visit([](const auto& r) { return r.count(); }, regions);
}

std::vector<uint32_t> regionsAt(const CurvedRegions& regions, std::span<const Vec3> points) {
    std::vector<uint32_t> labels(points.size());
    std::visit(
        [&](const auto& r) {
            parallelFor(points.size(), 256, [&](const BlockRange& block) {
                for (size_t p = block.begin; p < block.end; ++p) labels[p] = r.regionAt(points[p]);
            });
        },
        regions);
    return labels;
}

}  // namespace sunder::fracture
