#include "geometry/convex/fragment_generator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "geometry/convex/half_space_intersection.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/triangulate.h"

namespace sunder {

namespace {

constexpr double kLeastExtent = 0.106, kLargestExtent = 0.300;  // m
constexpr double kLeastDepth = 0.02;                            // m, centre of mass to nearest face
// Tuned so that the means of many pieces are those stated in the header.
constexpr double kNearestPlane = 0.53;  // of the farthest
constexpr double kLargerShare = 0.6;
constexpr uint64_t kConvexPart = 1, kConcavePart = 2;

Vec3 randomDirection(Random& random) {
    for (;;) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const Vec3 v(x, y, z);
        if (v.squaredNorm() <= 1 && v.squaredNorm() > 0.01) return v.normalized();
    }
}

/// Uniform over all rotations: a random point of the 4-ball, normalised.
Quat randomRotation(Random& random) {
    for (;;) {
        const double w = random.uniform(-1, 1), x = random.uniform(-1, 1);
        const double y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const Quat q(w, x, y, z);
        if (q.squaredNorm() <= 1 && q.squaredNorm() > 0.01) return q.normalized();
    }
}

/// Leans to the large side; together with the rejection of thin pieces the mean comes to 0.227 m.
double randomExtent(Random& random) {
    const double u = random.uniform(), v = random.uniform();
    const double x = random.uniform() < kLargerShare ? std::max(u, v) : u;
    return kLeastExtent + (kLargestExtent - kLeastExtent) * x;
}

double depthOf(const ConvexPolytope& polytope) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& face : polytope.faces) least = std::min(least, -face.surface.height(Vec3::Zero()));
    return least;
}

/// Moves the centre of mass to the origin and scales to a given largest extent.
void place(ConvexPolytope& polytope, double extent) {
    const Vec3 centre = centreOf(polytope);
    const double factor = extent / boundsOf(polytope).size().maxCoeff();
    for (Vec3& p : polytope.vertices) p = factor * (p - centre);
    for (auto& face : polytope.faces)
        face.surface.offset = factor * (face.surface.offset - face.surface.normal.dot(centre));
}

// Concave pieces: a flat outline, given thickness between two slanted planes.

using Outline = std::vector<Vec2>;  // counter-clockwise

Outline cornerOutline(Random& random) {
    const double armX = random.uniform(0.7, 1.0), armY = random.uniform(0.7, 1.0);
    const double thickX = random.uniform(0.25, 0.45), thickY = random.uniform(0.25, 0.45);
    const double slantX = random.uniform(-0.1, 0.1), slantY = random.uniform(-0.1, 0.1);
    return {{0, 0}, {armX, slantX}, {armX, thickX + slantX}, {thickY, thickX}, {thickY + slantY, armY}, {slantY, armY}};
}

/// Points of a circle by rational parameters: no trigonometry.
Vec2 onCircle(double t) { return Vec2(1 - t * t, 2 * t) / (1 + t * t); }

Outline crescentOutline(Random& random) {
    const double reach = random.uniform(0.8, 1.6);  // tan of a quarter of the arc
    const double width = random.uniform(0.2, 0.45);
    const int steps = 5 + static_cast<int>(random.below(5));
    Outline outline;
    for (int i = 0; i <= steps; ++i) {
        const double t = reach * (2.0 * i / steps - 1);
        outline.push_back(random.uniform(0.95, 1.05) * onCircle(t));
    }
    for (int i = steps; i >= 0; --i) {
        const double t = reach * (2.0 * i / steps - 1);
        const double middle = 1 - std::abs(2.0 * i / steps - 1);  // thickest in the middle
        outline.push_back((0.9 - width * (0.3 + 0.7 * middle)) * onCircle(t));
    }
    return outline;
}

Outline notchedOutline(Random& random) {
    const double depth = random.uniform(0.5, 0.8), half = random.uniform(0.15, 0.3), at = random.uniform(-0.15, 0.15);
    const auto jitter = [&] { return random.uniform(-0.12, 0.12); };
    Outline outline;
    for (const Vec2& corner : {Vec2(-0.6, -0.5), Vec2(0.0, -0.65), Vec2(0.6, -0.5), Vec2(0.7, 0.0), Vec2(0.6, 0.5)}) {
        const double dx = jitter();
        outline.push_back(corner + Vec2(dx, jitter()));
    }
    outline.emplace_back(at + half, 0.52);
    outline.emplace_back(at, 0.5 - depth);
    outline.emplace_back(at - half, 0.52);
    for (const Vec2& corner : {Vec2(-0.6, 0.5), Vec2(-0.7, 0.0)}) {
        const double dx = jitter();
        outline.push_back(corner + Vec2(dx, jitter()));
    }
    return outline;
}

TriMesh extruded(const Outline& outline, Random& random) {
    // bottom and top: the outline in two planes that slant against each other
    const double thickness = random.uniform(0.35, 0.6);
    const double slantX = random.uniform(-0.15, 0.15), slantY = random.uniform(-0.15, 0.15);
    TriMesh mesh;
    for (const Vec2& p : outline) mesh.positions.push_back(Vec3(p.x(), p.y(), -slantX * p.x() + slantY * p.y()));
    for (const Vec2& p : outline) {
        mesh.positions.push_back(Vec3(p.x(), p.y(), thickness + slantX * p.x() - slantY * p.y()));
    }
    const auto n = static_cast<uint32_t>(outline.size());
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
        mesh.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
    };
    // the bottom looks down
    for (const auto& [a, b, c] : triangulatePolygon(std::span(mesh.positions.items()).first(outline.size()))) {
        add(a, c, b);
        add(n + a, n + b, n + c);
    }
    // two triangles between each side of the outline below and above
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t j = (i + 1) % n;
        add(i, j, n + j);
        add(i, n + j, n + i);
    }
    return mesh;
}

Outline outlineOf(ConcaveKind kind, Random& random) {
    switch (kind) {
        case ConcaveKind::Corner:
            return cornerOutline(random);
        case ConcaveKind::Crescent:
            return crescentOutline(random);
        case ConcaveKind::Notched:
            break;
    }
    return notchedOutline(random);
}

}  // namespace

ConvexPolytope convexFragment(uint64_t seed, uint64_t index) {
    Random random(mixSeed(seed, kConvexPart), index);
    for (;;) {
        const uint64_t planeCount = 9 + random.below(4);
        std::vector<Plane> planes;
        for (uint64_t i = 0; i < planeCount; ++i) {
            const Vec3 normal = randomDirection(random);
            planes.push_back({normal, random.uniform(kNearestPlane, 1)});
        }
        HalfSpaceIntersection solid = intersectHalfSpaces(planes);
        if (solid.status != IntersectionStatus::Bounded) continue;
        ConvexPolytope& piece = solid.polytope;
        const size_t corners = piece.vertices.size();
        if (corners < 12 || corners > 20 || corners != 2 * (piece.faces.size() - 2)) continue;
        place(piece, randomExtent(random));
        if (depthOf(piece) >= kLeastDepth) return piece;
    }
}

std::vector<ConvexPolytope> convexFragments(uint64_t seed, size_t count) {
    std::vector<ConvexPolytope> pieces;
    for (size_t i = 0; i < count; ++i) pieces.push_back(convexFragment(seed, i));
    return pieces;
}

TriMesh concaveFragment(ConcaveKind kind, uint64_t seed, uint64_t index) {
    Random random(mixSeed(seed, kConcavePart + static_cast<uint64_t>(kind)), index);
    const Outline outline = outlineOf(kind, random);
    TriMesh mesh = extruded(outline, random);
    mesh = transformed(mesh, {randomRotation(random), Vec3::Zero()});
    const Vec3 centre = massProperties(mesh).centre;
    const double factor = randomExtent(random) / boundsOf(mesh).size().maxCoeff();
    for (Vec3& p : mesh.positions) p = factor * (p - centre);
    return mesh;
}

}  // namespace sunder
