#include "geometry/convex/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh/topology.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {

namespace {

constexpr size_t kCandidatesPerSample = 4;

double sumOf(const IndexedVector<TriangleIndex, double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Fold times length of each triangle's edges, m. The fold is the chord between the unit normals, 2 sin(angle / 2): as
/// good as the angle here, and free of trigonometry. Open and non-manifold edges do not bend.
IndexedVector<TriangleIndex, double> bendingOf(const TriMesh& mesh) {
    const MeshTopology topology(mesh);
    IndexedVector<TriangleIndex, double> bending(mesh.triangleCount(), 0.0);
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() != 2) continue;
        const auto [a, b] = topology.vertices(e);
        const Vec3 first = mesh.areaVector(sides[0].triangle).stableNormalized();
        const Vec3 second = mesh.areaVector(sides[1].triangle).stableNormalized();
        const double fold = (first - second).norm() * (mesh.positions[a] - mesh.positions[b]).norm();
        bending[sides[0].triangle] += fold;
        bending[sides[1].triangle] += fold;
    }
    return bending;
}

/// Uniform on a triangle [osada2002, section 3.1].
SurfaceSample sampleTriangle(const TriMesh& mesh, TriangleIndex t, Random& random) {
    const double root = std::sqrt(random.uniform()), along = random.uniform();
    SurfaceSample sample;
    sample.triangle = t;
    sample.barycentric = Vec3(1 - root, root * (1 - along), root * along);
    const auto [a, b, c] = mesh.corners(t);
    sample.point = sample.barycentric.x() * a + sample.barycentric.y() * b + sample.barycentric.z() * c;
    sample.normal = mesh.areaVector(t).stableNormalized();
    return sample;
}

std::vector<SurfaceSample> drawRandom(const TriMesh& mesh, const IndexedVector<TriangleIndex, double>& density,
                                      size_t count, uint64_t seed) {
    ASSERT(density.size() == mesh.triangleCount());
    // triangles by their share of the whole, samples by their own random numbers: the same for any number of threads
    std::vector<double> upTo(density.size());
    std::partial_sum(density.begin(), density.end(), upTo.begin());
    std::vector<SurfaceSample> samples(count);
    parallelFor(count, 1024, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            Random random(seed, i);
            const double place = random.uniform() * upTo.back();
            auto found = std::upper_bound(upTo.begin(), upTo.end(), place) - upTo.begin();
            // rounding at the very end must not pick a triangle of no weight
            while (found > 0 &&
                   (static_cast<size_t>(found) == upTo.size() || density.items()[static_cast<size_t>(found)] == 0)) {
                --found;
            }
            samples[i] = sampleTriangle(mesh, static_cast<TriangleIndex>(static_cast<uint32_t>(found)), random);
        }
    });
    return samples;
}

/// The radius each sample would have if `count` of them filled the surface like close-packed discs, at the local
/// density.
std::vector<double> idealRadii(const TriMesh& mesh, const IndexedVector<TriangleIndex, double>& density,
                               const std::vector<SurfaceSample>& samples, size_t count) {
    std::vector<double> radii;
    for (const SurfaceSample& sample : samples) {
        const double area = 0.5 * mesh.areaVector(sample.triangle).norm();
        const double areaPerSample = area / (static_cast<double>(count) * density[sample.triangle]);
        radii.push_back(std::sqrt(areaPerSample / (2 * std::sqrt(3.0))));
    }
    return radii;
}

/// [yuksel2015] algorithm 1: removes the sample with the largest sum of (1 - d / 2r)^8 over its neighbours, again and
/// again.
std::vector<SurfaceSample> thinOut(const std::vector<SurfaceSample>& samples, const std::vector<double>& radii,
                                   size_t count) {
    ASSERT(radii.size() == samples.size() && count <= samples.size());
    std::vector<Vec3> points;
    points.reserve(samples.size());
    for (const SurfaceSample& sample : samples) points.push_back(sample.point);
    const PointTree tree(points);

    // who crowds whom, and how much
    struct Neighbour {
        uint32_t index;
        double weight;
    };
    std::vector<std::vector<Neighbour>> neighbours(samples.size());
    std::vector<double> crowding(samples.size(), 0.0);
    parallelFor(samples.size(), 256, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            // within a fold the radius jumps; each sees as far as its own, and pairs use the smaller
            for (const uint32_t j : tree.within(points[i], 2 * radii[i])) {
                if (j == i) continue;
                const double reach = 2 * std::min(radii[i], radii[j]);
                const double closeness = 1 - (points[i] - points[j]).norm() / reach;
                if (closeness <= 0) continue;
                const double squared = closeness * closeness, fourth = squared * squared;
                neighbours[i].push_back({j, fourth * fourth});
                crowding[i] += fourth * fourth;
            }
        }
    });

    // the most crowded first; entries that are out of date are skipped
    using Entry = std::pair<double, uint32_t>;
    std::priority_queue<Entry> queue;
    for (uint32_t i = 0; i < samples.size(); ++i) queue.push({crowding[i], i});
    std::vector<uint8_t> kept(samples.size(), 1);
    for (size_t left = samples.size(); left > count;) {
        const auto [value, i] = queue.top();
        queue.pop();
        if (!kept[i] || value != crowding[i]) continue;
        kept[i] = 0;
        --left;
        for (const Neighbour& n : neighbours[i]) {
            if (!kept[n.index]) continue;
            crowding[n.index] -= n.weight;
            queue.push({crowding[n.index], n.index});
        }
    }
    // those that are left, in the order they were drawn in
    std::vector<SurfaceSample> result;
    for (size_t i = 0; i < samples.size(); ++i) {
        if (kept[i]) result.push_back(samples[i]);
    }
    return result;
}

}  // namespace

IndexedVector<TriangleIndex, double> sampleDensity(const TriMesh& mesh, double curvatureShare) {
    ASSERT(curvatureShare >= 0 && curvatureShare <= 1);
    IndexedVector<TriangleIndex, double> density(mesh.triangleCount(), 0.0);
    for (const TriangleIndex t : mesh.triangles.indices()) density[t] = 0.5 * mesh.areaVector(t).norm();
    const double area = sumOf(density);
    if (!(area > 0)) return density;

    IndexedVector<TriangleIndex, double> bending(mesh.triangleCount(), 0.0);
    if (curvatureShare > 0) bending = bendingOf(mesh);
    for (const TriangleIndex t : mesh.triangles.indices()) {
        if (density[t] == 0) bending[t] = 0;  // a triangle without area has no normal either
    }
    const double bent = sumOf(bending);
    const double byCurvature = bent > 0 ? curvatureShare : 0;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        density[t] = (1 - byCurvature) * density[t] / area + (bent > 0 ? byCurvature * bending[t] / bent : 0);
    }
    return density;
}

std::vector<SurfaceSample> sampleSurface(const TriMesh& mesh, const SamplingOptions& options) {
    const IndexedVector<TriangleIndex, double> density = sampleDensity(mesh, options.curvatureShare);
    if (options.count == 0 || !(sumOf(density) > 0)) return {};
    if (options.spread == SampleSpread::Random) return drawRandom(mesh, density, options.count, options.seed);
    const auto candidates = drawRandom(mesh, density, kCandidatesPerSample * options.count, options.seed);
    return thinOut(candidates, idealRadii(mesh, density, candidates, options.count), options.count);
}

}  // namespace sunder
