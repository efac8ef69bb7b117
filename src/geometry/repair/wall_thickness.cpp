#include "geometry/repair/wall_thickness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

constexpr double kFacingCosine = 0.85;  // opposite sides of a wall differ from antiparallel by about 30 degrees

struct SurfaceSample {
    TriangleIndex triangle;
    Vec3 point;
};

/// One sample per equal share of the area; where inside its share is drawn at random.
std::vector<SurfaceSample> stratifiedSamples(const TriMesh& mesh, int count) {
    std::vector<double> areaUpTo(mesh.triangleCount());
    double sum = 0;
    for (const TriangleIndex t : mesh.triangles.indices()) areaUpTo[raw(t)] = sum += mesh.areaVector(t).norm();
    if (!(sum > 0)) return {};
    std::vector<SurfaceSample> samples(static_cast<size_t>(count));
    for (size_t i = 0; i < samples.size(); ++i) {
        Random random(0x5a4d, i);
        const double at = sum * (static_cast<double>(i) + random.uniform()) / static_cast<double>(samples.size());
        const auto found = std::upper_bound(areaUpTo.begin(), areaUpTo.end(), at);
        const size_t index = std::min(static_cast<size_t>(found - areaUpTo.begin()), areaUpTo.size() - 1);
        const auto t = static_cast<TriangleIndex>(static_cast<uint32_t>(index));
        const auto [a, b, c] = mesh.corners(t);
        const double s = std::sqrt(random.uniform()), r = random.uniform();
        samples[i] = {t, Vec3((1 - s) * a + s * (1 - r) * b + s * r * c)};
    }
    return samples;
}

}  // namespace

WallThickness wallThickness(const TriMesh& mesh, const WallThicknessOptions& options) {
    if (mesh.empty()) return {};
    return wallThickness(TriangleTree(mesh), options);
}

WallThickness wallThickness(const TriangleTree& tree, const WallThicknessOptions& options) {
    const TriMesh& mesh = tree.mesh();
    const std::vector<SurfaceSample> samples = stratifiedSamples(mesh, options.samples);
    const Box3 bounds = boundsOf(mesh);
    // Far enough off the surface for the ray not to meet the triangle it starts from.
    const double magnitude =
        bounds.empty() ? 0 : std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff());
    const double start = std::max(1e-9 * bounds.diagonal(), 8 * std::numeric_limits<double>::epsilon() * magnitude);

    constexpr double kNothing = std::numeric_limits<double>::infinity();
    std::vector<double> thickness(samples.size(), kNothing);
    parallelFor(samples.size(), 64, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const Vec3 inward = -mesh.areaVector(samples[i].triangle).normalized();
            const auto hit = tree.raycast(samples[i].point + start * inward, inward);
            if (!hit || hit->triangle == samples[i].triangle) continue;
            if (mesh.areaVector(hit->triangle).normalized().dot(inward) < kFacingCosine) continue;
            thickness[i] = hit->distance + start;
        }
    });

    std::vector<size_t> order(samples.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::erase_if(order, [&](size_t i) { return thickness[i] == kNothing; });
    if (order.empty()) return {};
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::pair(thickness[a], a) < std::pair(thickness[b], b); });

    const double rank = std::clamp(options.percentile / 100, 0.0, 1.0) * static_cast<double>(samples.size());
    const size_t thinnest = order[std::min(static_cast<size_t>(rank), order.size() - 1)];
    WallThickness result;
    result.thinnest = thickness[thinnest];
    result.median = thickness[order[order.size() / 2]];
    result.place = samples[thinnest].point;
    result.inward = -mesh.areaVector(samples[thinnest].triangle).normalized();
    result.measuredFraction = static_cast<double>(order.size()) / static_cast<double>(samples.size());
    return result;
}

}  // namespace sunder
