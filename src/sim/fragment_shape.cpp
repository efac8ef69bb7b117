#include "sim/fragment_shape.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace sunder::sim {

namespace {

constexpr double kFlat = 1e-6;          // of the size: edges bent inwards by less count as flat
constexpr double kSliver = 1e-4;        // height by length
constexpr double kSameVolume = 1e-6;    // relative: the hull is the mesh
constexpr size_t kMaxHullCorners = 96;  // beyond, the pairs of edges of two hulls cost more than a field's particles

std::span<const Vec3> pointsOf(const TriMesh& mesh) { return {mesh.positions.begin(), mesh.positions.end()}; }

}  // namespace

bool isConvex(const TriMesh& mesh, const MeshTopology& topology) {
    const double allowed = kFlat * boundsOf(mesh).diagonal();
    IndexedVector<TriangleIndex, Vec3> normals;  // unit; zero for slivers, whose direction is rounding
    normals.reserve(mesh.triangleCount());
    for (uint32_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto [a, b, c] = mesh.corners(TriangleIndex{t});
        const Vec3 area = (b - a).cross(c - a);
        const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        const double size = area.norm();
        normals.push_back(size > kSliver * longest ? Vec3(area / size) : Vec3(Vec3::Zero()));
    }
    for (uint32_t e = 0; e < topology.edgeCount(); ++e) {
        const auto sides = topology.sides(EdgeIndex{e});
        if (sides.size() != 2) return false;
        for (size_t k = 0; k < 2; ++k) {
            const HalfEdge &face = sides[k], &other = sides[1 - k];
            const Triangle& beyond = mesh.triangles[other.triangle];
            const Vec3 tip = mesh.positions[beyond[static_cast<size_t>((other.corner + 2) % 3)]];
            if (normals[face.triangle].dot(tip - mesh.positions[beyond[other.corner]]) > allowed) return false;
        }
    }
    return true;
}

dynamics::ShapePtr convexShape(const BodyGeometry& geometry, const MeshTopology& topology) {
    const TriMesh& mesh = geometry.mesh();
    if (!isConvex(mesh, topology)) return nullptr;
    dynamics::ShapePtr hull = dynamics::makeHull(pointsOf(mesh));
    const bool small = static_cast<size_t>(hull->convex()->vertexCount) <= kMaxHullCorners;
    return small && hull->volume() <= (1 + kSameVolume) * geometry.volume() ? hull : nullptr;
}

dynamics::ShapePtr makeFragmentShape(const BodyGeometry& geometry, const MeshTopology& topology,
                                     const dynamics::BrokenOutOf& whole) {
    if (!(geometry.volume() > 0)) throw std::invalid_argument("a fragment has no volume");
    if (dynamics::ShapePtr hull = convexShape(geometry, topology)) return hull;
    try {
        return dynamics::makeFieldSolid(geometry.mesh(), {.whole = whole, .mass = &geometry.mass()});
    } catch (const std::invalid_argument&) {
        return dynamics::makeHull(pointsOf(geometry.mesh()));  // too thin for a grid
    }
}

}  // namespace sunder::sim
