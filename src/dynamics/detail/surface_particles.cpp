#include "dynamics/detail/surface_particles.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "geometry/convex/sampling.h"
#include "geometry/mesh/topology.h"

namespace sunder::dynamics::detail {

namespace {

constexpr double kSharpFold = 0.87;  // cosine between the normals of two faces, 30 degrees
constexpr double kPeakSlope = 0.1;   // the surface falls off at a peak by at least this, 6 degrees
constexpr double kSameFace = 0.99;   // cosine between normals that count as one
constexpr size_t kLanes = 8;

/// Area vectors are not normalised until here; triangles without area have no direction.
Vec3 unitNormal(const TriMesh& mesh, TriangleIndex t) {
    const Vec3 area = mesh.areaVector(t);
    const double length = area.norm();
    return length > 0 ? Vec3(area / length) : Vec3(Vec3::Zero());
}

struct Peak {
    Vec3 point = Vec3::Zero();
    double slope = 0;  // the least at which the surface falls off, sine
};

/// Mean of the directions of the faces around a vertex, however many triangles each of them has; zero without one.
Vec3 normalAt(const TriMesh& mesh, std::span<const TriangleIndex> fan) {
    std::vector<Vec3> faces;
    Vec3 sum = Vec3::Zero();
    for (const TriangleIndex t : fan) {
        const Vec3 normal = unitNormal(mesh, t);
        const bool known =
            std::any_of(faces.begin(), faces.end(), [&](const Vec3& other) { return normal.dot(other) > kSameFace; });
        if (known) continue;
        faces.push_back(normal);
        sum += normal;
    }
    const double length = sum.norm();
    return length > 1e-6 ? Vec3(sum / length) : Vec3(Vec3::Zero());
}

/// Corners from which the surface falls off on all sides, steepest first, ties by vertex.
std::vector<Peak> peaksOf(const TriMesh& mesh, const MeshTopology& topology) {
    std::vector<Peak> peaks;
    for (const VertexIndex v : indexRange<VertexIndex>(mesh.vertexCount())) {
        const auto fan = topology.triangles(v);
        if (fan.empty()) continue;
        const Vec3& at = mesh.positions[v];
        const Vec3 normal = normalAt(mesh, fan);
        double slope = 1;
        for (const TriangleIndex t : fan) {
            for (const VertexIndex other : mesh.triangles[t]) {
                const Vec3 along = mesh.positions[other] - at;
                const double length = along.norm();
                if (length > 0) slope = std::min(slope, -normal.dot(along) / length);
            }
        }
        if (slope > kPeakSlope) peaks.push_back({at, slope});
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.slope > b.slope; });
    return peaks;
}

struct Segment {
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
};

/// Edges at which the surface folds sharply away, in edge order.
std::vector<Segment> sharpEdges(const TriMesh& mesh, const MeshTopology& topology) {
    std::vector<Segment> sharp;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() != 2) continue;
        const Vec3 first = unitNormal(mesh, sides[0].triangle), second = unitNormal(mesh, sides[1].triangle);
        if (first.isZero() || second.isZero() || first.dot(second) > kSharpFold) continue;
        const auto [a, b] = topology.vertices(e);
        const Triangle& other = mesh.triangles[sides[1].triangle];
        const Vec3& apex = mesh.positions[other[(sides[1].corner + 2u) % 3]];
        if (first.dot(apex - mesh.positions[a]) >= 0) continue;  // folds inward
        sharp.push_back({mesh.positions[a], mesh.positions[b]});
    }
    return sharp;
}

/// Takes points that keep a distance from those already taken.
class Spread {
public:
    std::vector<Vec3> points;
    void offer(const Vec3& p, double spacing) {
        for (const Vec3& q : points) {
            if ((p - q).squaredNorm() < spacing * spacing) return;
        }
        points.push_back(p);
    }
};

void addEdgePoints(const std::vector<Segment>& edges, size_t count, double minSpacing, Spread& spread) {
    double length = 0;
    for (const Segment& e : edges) length += (e.to - e.from).norm();
    if (count == 0 || !(length > 0)) return;
    const double spacing = std::max(minSpacing, length / static_cast<double>(count));
    const size_t limit = spread.points.size() + count;
    for (const Segment& e : edges) {
        // evenly inside, ends left out unless the edge is a short piece of a long crease
        const double own = (e.to - e.from).norm();
        const int pieces = std::max(2, static_cast<int>(std::lround(own / spacing)));
        for (int i = 1; i < pieces && spread.points.size() < limit; ++i)
            spread.offer(e.from + (e.to - e.from) * (static_cast<double>(i) / pieces), 0.7 * spacing);
    }
}

struct Ball {
    Vec3 centre = Vec3::Zero();
    double radius = 0;
};

Ball ballAround(std::span<const Vec3> points) {
    Box3 box;
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : points) {
        box.add(p);
        mean += p / static_cast<double>(points.size());
    }
    Ball best;
    for (const Vec3& centre : {box.centre(), mean}) {
        double radius = 0;
        for (const Vec3& p : points) radius = std::max(radius, (p - centre).norm());
        if (best.radius == 0 || radius < best.radius) best = {centre, radius};
    }
    return best;
}

/// Splits until eight or fewer are left; every run but the last is full.
void sortIntoEights(std::span<Vec3> points) {
    if (points.size() <= kLanes) return;
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    Eigen::Index axis = 0;
    box.size().maxCoeff(&axis);
    const size_t eights = (points.size() + kLanes - 1) / kLanes;
    const size_t half = (eights / 2) * kLanes;
    std::sort(points.begin(), points.end(), [axis](const Vec3& a, const Vec3& b) {
        if (a[axis] != b[axis]) return a[axis] < b[axis];
        return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    sortIntoEights(points.first(half));
    sortIntoEights(points.subspan(half));
}

}  // namespace

std::vector<Vec3> surfaceParticles(const TriMesh& mesh, const ParticleOptions& options) {
    const MeshTopology topology(mesh);
    Spread spread;
    for (const Peak& peak : peaksOf(mesh, topology)) spread.offer(peak.point, 0.5 * options.minSpacing);
    const size_t left = options.count - std::min(options.count, spread.points.size());
    addEdgePoints(sharpEdges(mesh, topology), left / 2, options.minSpacing, spread);

    // whole eights: the last cluster is filled with points rather than with copies
    const size_t whole = (std::max(options.count, spread.points.size()) + kLanes - 1) / kLanes * kLanes;
    if (whole > spread.points.size()) {
        SamplingOptions sampling;
        sampling.count = whole - spread.points.size();
        sampling.seed = options.seed;
        sampling.spread = SampleSpread::BlueNoise;
        for (const SurfaceSample& sample : sampleSurface(mesh, sampling)) spread.points.push_back(sample.point);
    }
    return std::move(spread.points);
}

void fillClusters(std::vector<Vec3> points, FieldSolid& solid) {
    ASSERT(!points.empty());
    sortIntoEights(points);
    solid.particleCount = static_cast<uint32_t>(points.size());
    const size_t clusters = (points.size() + kLanes - 1) / kLanes;
    std::vector<Ball> balls;
    solid.clusters.reserve(clusters);
    for (size_t c = 0; c < clusters; ++c) {
        const std::span<const Vec3> own =
            std::span<const Vec3>(points).subspan(kLanes * c, std::min(kLanes, points.size() - kLanes * c));
        FieldSolid::Cluster& cluster = solid.clusters.emplace_back();
        for (size_t lane = 0; lane < kLanes; ++lane) {
            const Vec3f p = own[std::min(lane, own.size() - 1)].cast<float>();
            cluster.x[lane] = p.x(), cluster.y[lane] = p.y(), cluster.z[lane] = p.z();
        }
        balls.push_back(ballAround(own));
    }
    solid.balls.resize((clusters + kLanes - 1) / kLanes);
    for (size_t i = 0; i < solid.balls.size() * kLanes; ++i) {
        const Ball& ball = balls[std::min(i, clusters - 1)];
        FieldSolid::BallGroup& group = solid.balls[i / kLanes];
        const Vec3f centre = ball.centre.cast<float>();
        group.x[i % kLanes] = centre.x(), group.y[i % kLanes] = centre.y(), group.z[i % kLanes] = centre.z();
        group.radius[i % kLanes] = static_cast<float>(ball.radius * (1 + 1e-5));
    }
}

}  // namespace sunder::dynamics::detail
