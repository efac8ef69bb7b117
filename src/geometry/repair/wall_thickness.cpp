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

/// A ray past a vertex with thousands of triangles around it looks at thousands: fewer rays will do.
int affordableSamples(const TriMesh& mesh, int samples) {
    constexpr double kCheapFan = 4000;  // triangles
    std::vector<uint32_t> valence(mesh.vertexCount(), 0);
    uint32_t most = 1;
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) most = std::max(most, ++valence[raw(v)]);
    }
    return most <= kCheapFan ? samples : std::max(64, static_cast<int>(samples * kCheapFan / most));
}

constexpr double kNothing = std::numeric_limits<double>::infinity();

/// Whether two sides that lean towards each other, met at `depth` below `point`, go on until they meet in a sharp edge:
/// from half way between them, the surface is about as far as the edge of the wedge. A wall that tapers off to a blunt
/// end is shorter than that.
bool isWedge(const TriangleTree& tree, const Vec3& point, const Vec3& inward, const Vec3& farNormal, double depth) {
    constexpr double kLeastConvergence = 0.03;  // slope of one side against the other
    constexpr double kShortest = 0.7;           // of the way to the edge
    const double cosine = farNormal.dot(inward);
    const Vec3 lean = farNormal - cosine * inward;  // along the near side, to where they come together
    const double slope = lean.norm() / cosine;
    if (slope < kLeastConvergence) return false;
    // the near side is level along `lean`, so the edge lies in it
    const Vec3 middle = point + 0.5 * depth * inward, edge = point + depth / slope * lean.normalized();
    return !tree.raycast(middle, edge - middle, kShortest);
}

/// Depth of the solid below one point of its surface; infinite where there is no opposite wall.
///
/// Follows the ray to its end and counts: a surface that is left takes one off the winding number, one that is entered
/// adds one. A surface that lies inside the solid already (parts of the model overlap there) bounds no wall, neither
/// where the ray starts nor on its way; the wall ends where the number falls to zero.
double depthBelow(const TriangleTree& tree, const SurfaceSample& sample, double start) {
    constexpr int kMostCrossings = 256;
    const TriMesh& mesh = tree.mesh();
    const Vec3 inward = -mesh.areaVector(sample.triangle).normalized();
    struct Crossing {
        TriangleIndex triangle;
        double distance;
        int leaving;  // +1, or -1 when entering
    };
    // all surfaces along the ray, to its end
    std::vector<Crossing> crossings;
    double travelled = start;
    int windingAtStart = 0;
    while (const auto hit = tree.raycast(sample.point + travelled * inward, inward)) {
        if (crossings.size() == kMostCrossings) break;
        const int leaving = mesh.areaVector(hit->triangle).dot(inward) > 0 ? 1 : -1;
        crossings.push_back({hit->triangle, travelled + hit->distance, leaving});
        windingAtStart += leaving;
        travelled += hit->distance + start;
    }
    if (crossings.empty() || windingAtStart > 1) return kNothing;

    // an open or turned surface has no such number: there the first surface met counts
    const Crossing* end = &crossings.front();
    if (windingAtStart == 1) {
        int winding = 1;
        for (const Crossing& crossing : crossings) {
            winding -= crossing.leaving;
            end = &crossing;
            if (winding == 0) break;
        }
    }
    // the wall must be opposite, and must not be the two sides of an edge
    if (end->triangle == sample.triangle) return kNothing;
    const Vec3 farNormal = mesh.areaVector(end->triangle).normalized();
    if (farNormal.dot(inward) < kFacingCosine) return kNothing;
    return isWedge(tree, sample.point, inward, farNormal, end->distance) ? kNothing : end->distance;
}

}  // namespace

WallThickness wallThickness(const TriMesh& mesh, const WallThicknessOptions& options) {
    if (mesh.empty()) return {};
    return wallThickness(TriangleTree(mesh), options);
}

WallThickness wallThickness(const TriangleTree& tree, const WallThicknessOptions& options) {
    const TriMesh& mesh = tree.mesh();
    const std::vector<SurfaceSample> samples = stratifiedSamples(mesh, affordableSamples(mesh, options.samples));
    const Box3 bounds = boundsOf(mesh);
    // Far enough off the surface for the ray not to meet the triangle it starts from.
    const double magnitude =
        bounds.empty() ? 0 : std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff());
    const double start = std::max(1e-9 * bounds.diagonal(), 8 * std::numeric_limits<double>::epsilon() * magnitude);

    std::vector<double> thickness(samples.size(), kNothing);
    parallelFor(samples.size(), 64, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) thickness[i] = depthBelow(tree, samples[i], start);
    });

    // points that have a wall, the thinnest first
    std::vector<size_t> order(samples.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::erase_if(order, [&](size_t i) { return thickness[i] == kNothing; });
    if (order.empty()) return {};
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::pair(thickness[a], a) < std::pair(thickness[b], b); });

    // the thinnest but for a few per cent, among them outliers
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
