#include "dynamics/detail/shapes/surface_particles.h"

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
/// A direction of contact may lie this far outside the cone of the faces around a point: 50 degrees.
constexpr double kOutsideCosine = 0.643, kOutsideSine = 0.766;
constexpr size_t kLanes = 8;

/// Area vectors are not normalised until here; triangles without area have no direction.
Vec3 unitNormal(const TriMesh& mesh, TriangleIndex t) {
    const Vec3 area = mesh.areaVector(t);
    const double length = area.norm();
    return length > 0 ? Vec3(area / length) : Vec3(Vec3::Zero());
}

struct Peak {
    SurfaceParticle particle;
    double slope = 0;  // the least at which the surface falls off, sine
};

/// The mean direction counts every face around the vertex once, however many triangles it has.
SurfaceParticle particleAt(const TriMesh& mesh, VertexIndex v, std::span<const TriangleIndex> fan) {
    std::vector<Vec3> faces;
    Vec3 sum = Vec3::Zero();
    for (const TriangleIndex t : fan) {
        const Vec3 normal = unitNormal(mesh, t);
        const bool known = normal.isZero() || std::any_of(faces.begin(), faces.end(), [&](const Vec3& other) {
                               return normal.dot(other) > kSameFace;
                           });
        if (known) continue;
        faces.push_back(normal);
        sum += normal;
    }
    SurfaceParticle particle;
    particle.point = mesh.positions[v];
    const double length = sum.norm();
    if (length > 1e-6) particle.normal = sum / length;
    for (const Vec3& face : faces) particle.cone = std::min(particle.cone, face.dot(particle.normal));
    return particle;
}

/// Corners from which the surface falls off on all sides, steepest first, ties by vertex.
std::vector<Peak> peaksOf(const TriMesh& mesh, const MeshTopology& topology) {
    std::vector<Peak> peaks;
    for (const VertexIndex v : indexRange<VertexIndex>(mesh.vertexCount())) {
        const auto fan = topology.triangles(v);
        if (fan.empty()) continue;
        const SurfaceParticle particle = particleAt(mesh, v, fan);
        double slope = 1;
        for (const TriangleIndex t : fan) {
            for (const VertexIndex other : mesh.triangles[t]) {
                const Vec3 along = mesh.positions[other] - particle.point;
                const double length = along.norm();
                if (length > 0) slope = std::min(slope, -particle.normal.dot(along) / length);
            }
        }
        if (slope > kPeakSlope) peaks.push_back({particle, slope});
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.slope > b.slope; });
    return peaks;
}

struct SharpEdge {
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  // unit, mean of its two faces
    double cone = 1;             // cosine between it and either
};

/// Edges at which the surface folds sharply away, in edge order.
std::vector<SharpEdge> sharpEdges(const TriMesh& mesh, const MeshTopology& topology) {
    std::vector<SharpEdge> sharp;
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        const auto sides = topology.sides(e);
        if (sides.size() != 2) continue;
        const Vec3 first = unitNormal(mesh, sides[0].triangle), second = unitNormal(mesh, sides[1].triangle);
        if (first.isZero() || second.isZero() || first.dot(second) > kSharpFold) continue;
        const auto [a, b] = topology.vertices(e);
        const Triangle& other = mesh.triangles[sides[1].triangle];
        const Vec3& apex = mesh.positions[other[(sides[1].corner + 2u) % 3]];
        if (first.dot(apex - mesh.positions[a]) >= 0) continue;  // folds inward
        const Vec3 mean = (first + second).normalized();
        sharp.push_back({mesh.positions[a], mesh.positions[b], mean, mean.dot(first)});
    }
    return sharp;
}

/// Takes points that keep a distance from those already taken.
class Spread {
public:
    std::vector<SurfaceParticle> points;
    void offer(const SurfaceParticle& p, double spacing) {
        for (const SurfaceParticle& q : points) {
            if ((p.point - q.point).squaredNorm() < spacing * spacing) return;
        }
        points.push_back(p);
    }
};

double lengthOf(const std::vector<SharpEdge>& edges) {
    double length = 0;
    for (const SharpEdge& e : edges) length += (e.to - e.from).norm();
    return length;
}

void addEdgePoints(const std::vector<SharpEdge>& edges, double spacing, size_t limit, Spread& spread) {
    for (const SharpEdge& e : edges) {
        // evenly inside; ends only belong to corners
        const int pieces = std::max(2, static_cast<int>(std::lround((e.to - e.from).norm() / spacing)));
        for (int i = 1; i < pieces && spread.points.size() < limit; ++i)
            spread.offer({e.from + (e.to - e.from) * (static_cast<double>(i) / pieces), e.normal, e.cone},
                         0.7 * spacing);
    }
}

/// Unit vectors through a lattice of points on a cube, about 9 degrees apart.
std::vector<Vec3> directionsAllAround() {
    constexpr int kRows = 10;  // of each face
    const auto coordinate = [](int i) { return (2.0 * i + 1) / kRows - 1; };
    std::vector<Vec3> directions;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            for (int i = 0; i < kRows * kRows; ++i) {
                Vec3 d;
                d[axis] = side;
                d[(axis + 1) % 3] = coordinate(i / kRows);
                d[(axis + 2) % 3] = coordinate(i % kRows);
                directions.push_back(d.normalized());
            }
        }
    }
    return directions;
}

/// What a floor would touch first, however the solid lies on it, must not be far from a point.
void addOutermost(const TriMesh& mesh, const MeshTopology& topology, double allowed, Spread& spread) {
    for (const Vec3& direction : directionsAllAround()) {
        VertexIndex outermost{0};
        double reach = direction.dot(mesh.positions[outermost]);
        for (const VertexIndex v : indexRange<VertexIndex>(mesh.vertexCount())) {
            const double along = direction.dot(mesh.positions[v]);
            if (along > reach) outermost = v, reach = along;
        }
        const bool reached = std::ranges::any_of(
            spread.points, [&](const SurfaceParticle& p) { return direction.dot(p.point) >= reach - allowed; });
        if (!reached) spread.points.push_back(particleAt(mesh, outermost, topology.triangles(outermost)));
    }
}

void addFacePoints(const TriMesh& mesh, size_t count, uint64_t seed, Spread& spread) {
    if (count == 0) return;
    SamplingOptions sampling;
    sampling.count = count;
    sampling.seed = seed;
    sampling.spread = SampleSpread::BlueNoise;
    for (const SurfaceSample& sample : sampleSurface(mesh, sampling))
        spread.points.push_back({sample.point, sample.normal, 1});
}

struct Ball {
    Vec3 centre = Vec3::Zero();
    double radius = 0;
};

Ball ballAround(std::span<const SurfaceParticle> particles) {
    Box3 box;
    Vec3 mean = Vec3::Zero();
    for (const SurfaceParticle& p : particles) {
        box.add(p.point);
        mean += p.point / static_cast<double>(particles.size());
    }
    Ball best;
    for (const Vec3& centre : {box.centre(), mean}) {
        double radius = 0;
        for (const SurfaceParticle& p : particles) radius = std::max(radius, (p.point - centre).norm());
        if (best.radius == 0 || radius < best.radius) best = {centre, radius};
    }
    return best;
}

/// Splits until eight or fewer are left; every run but the last is full.
void sortIntoEights(std::span<SurfaceParticle> points) {
    if (points.size() <= kLanes) return;
    Box3 box;
    for (const SurfaceParticle& p : points) box.add(p.point);
    Eigen::Index axis = 0;
    box.size().maxCoeff(&axis);
    const size_t eights = (points.size() + kLanes - 1) / kLanes;
    const size_t half = (eights / 2) * kLanes;
    std::sort(points.begin(), points.end(), [axis](const SurfaceParticle& p, const SurfaceParticle& q) {
        const Vec3 &a = p.point, &b = q.point;
        if (a[axis] != b[axis]) return a[axis] < b[axis];
        return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    sortIntoEights(points.first(half));
    sortIntoEights(points.subspan(half));
}

}  // namespace

std::vector<SurfaceParticle> surfaceParticles(const TriMesh& mesh, const ParticleOptions& options) {
    ASSERT(options.spacing > 0 && options.fewest <= options.most);
    const MeshTopology topology(mesh);
    Spread spread;
    for (const Peak& peak : peaksOf(mesh, topology)) spread.offer(peak.particle, 0.5 * options.spacing);

    // how many there would be at that spacing, along edges and, half as dense each way, on faces
    const std::vector<SharpEdge> edges = sharpEdges(mesh, topology);
    const double edgePoints = lengthOf(edges) / options.spacing;
    const double facePoints = surfaceArea(mesh) / (4 * options.spacing * options.spacing);
    const double wanted = static_cast<double>(spread.points.size()) + edgePoints + facePoints;
    const size_t count =
        static_cast<size_t>(std::clamp(wanted, static_cast<double>(options.fewest), static_cast<double>(options.most)));
    if (edgePoints > 0 && count > spread.points.size()) {
        const double room = 5.0 / 6 * static_cast<double>(count - spread.points.size());
        addEdgePoints(edges, options.spacing * std::max(1.0, edgePoints / room),
                      spread.points.size() + static_cast<size_t>(room), spread);
    }

    if (count > spread.points.size()) addFacePoints(mesh, count - spread.points.size(), options.seed, spread);
    addOutermost(mesh, topology, options.bulge, spread);
    // whole eights: the last cluster is filled with points rather than with copies
    addFacePoints(mesh, (kLanes - spread.points.size() % kLanes) % kLanes, options.seed + 1, spread);
    return std::move(spread.points);
}

void fillClusters(std::vector<SurfaceParticle> particles, FieldSolid& solid) {
    // which way the surface looks at each particle
    ASSERT(!particles.empty());
    sortIntoEights(particles);
    solid.particleCount = static_cast<uint32_t>(particles.size());
    solid.facings.reserve(particles.size());
    for (const SurfaceParticle& p : particles) {
        const auto in127ths = [](double x) { return static_cast<int8_t>(std::lround(127 * std::clamp(x, -1.0, 1.0))); };
        const double sine = std::sqrt(std::max(0.0, 1 - p.cone * p.cone));
        const double least = p.cone * kOutsideCosine - sine * kOutsideSine;
        solid.facings.push_back(
            {in127ths(p.normal.x()), in127ths(p.normal.y()), in127ths(p.normal.z()), in127ths(least)});
    }

    // clusters of eight neighbours
    const size_t clusters = (particles.size() + kLanes - 1) / kLanes;
    std::vector<Ball> balls;
    solid.clusters.reserve(clusters);
    for (size_t c = 0; c < clusters; ++c) {
        const std::span<const SurfaceParticle> own = std::span<const SurfaceParticle>(particles).subspan(
            kLanes * c, std::min(kLanes, particles.size() - kLanes * c));
        FieldSolid::Cluster& cluster = solid.clusters.emplace_back();
        for (size_t lane = 0; lane < kLanes; ++lane) {
            const Vec3f p = own[std::min(lane, own.size() - 1)].point.cast<float>();
            cluster.x[lane] = p.x(), cluster.y[lane] = p.y(), cluster.z[lane] = p.z();
        }
        balls.push_back(ballAround(own));
    }
    ASSERT(balls.size() == clusters && solid.facings.size() == solid.particleCount);

    // the balls around them, by eights as well
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
