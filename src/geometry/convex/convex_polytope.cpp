#include "geometry/convex/convex_polytope.h"

#include <algorithm>

#include "geometry/convex/half_space_intersection.h"

namespace sunder {

namespace {

/// Calls act(a, b, c) for every triangle of the faces' fans, each around the loop's lowest vertex.
template <class Act>
void forEachTriangle(const ConvexPolytope& polytope, Act&& act) {
    for (const ConvexPolytope::Face& face : polytope.faces) {
        const auto loop = polytope.loop(face);
        const size_t n = loop.size();
        const size_t start = static_cast<size_t>(std::min_element(loop.begin(), loop.end()) - loop.begin());
        for (size_t i = 1; i + 1 < n; ++i) act(face, loop[start], loop[(start + i) % n], loop[(start + i + 1) % n]);
    }
}

Vec3 meanOf(const std::vector<Vec3>& points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) sum += p;
    return points.empty() ? sum : Vec3(sum / static_cast<double>(points.size()));
}

struct Moments {
    double sixVolume = 0;
    Vec3 first = Vec3::Zero();  // times 24, relative to the reference
};
Moments momentsAbout(const ConvexPolytope& polytope, const Vec3& reference) {
    Moments result;
    forEachTriangle(polytope, [&](const ConvexPolytope::Face&, uint32_t i, uint32_t j, uint32_t k) {
        const Vec3 a = polytope.vertices[i] - reference, b = polytope.vertices[j] - reference;
        const Vec3 c = polytope.vertices[k] - reference;
        const double d = a.dot(b.cross(c));
        result.sixVolume += d;
        result.first += d * (a + b + c);
    });
    return result;
}

}  // namespace

ConvexPolytope polytopeOf(const Box3& box) {
    ConvexPolytope result;
    for (int i = 0; i < 8; ++i) {
        result.vertices.emplace_back(i & 1 ? box.max.x() : box.min.x(), i & 2 ? box.max.y() : box.min.y(),
                                     i & 4 ? box.max.z() : box.min.z());
    }
    constexpr uint32_t loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (uint32_t f = 0; f < 6; ++f) {
        const int axis = static_cast<int>(f / 2);
        const Plane surface = f % 2 ? Plane{Vec3::Unit(axis), box.max[axis]} : Plane{-Vec3::Unit(axis), -box.min[axis]};
        result.faces.push_back({f, 4 * f, 4, surface});
        result.corners.insert(result.corners.end(), loops[f], loops[f] + 4);
    }
    return result;
}

double volume(const ConvexPolytope& polytope) {
    return momentsAbout(polytope, meanOf(polytope.vertices)).sixVolume / 6;
}

Vec3 centreOf(const ConvexPolytope& polytope) {
    const Vec3 reference = meanOf(polytope.vertices);
    const Moments moments = momentsAbout(polytope, reference);
    return moments.sixVolume > 0 ? Vec3(reference + moments.first / (4 * moments.sixVolume)) : reference;
}

Box3 boundsOf(const ConvexPolytope& polytope) {
    Box3 box;
    for (const Vec3& p : polytope.vertices) box.add(p);
    return box;
}

TriMesh toTriMesh(const ConvexPolytope& polytope, PlaneNumbers numbers) {
    TriMesh mesh;
    mesh.positions.items() = polytope.vertices;
    forEachTriangle(polytope, [&](const ConvexPolytope::Face& face, uint32_t a, uint32_t b, uint32_t c) {
        mesh.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
        if (numbers == PlaneNumbers::KeepAsMaterial) mesh.materials.push_back(face.plane);
    });
    return mesh;
}

ConvexPolytope clip(const ConvexPolytope& polytope, const Plane& plane, uint32_t planeNumber) {
    std::vector<Plane> planes;
    std::vector<uint32_t> numbers;
    for (const ConvexPolytope::Face& face : polytope.faces) {
        planes.push_back(face.surface);
        numbers.push_back(face.plane);
    }
    planes.push_back(plane);
    numbers.push_back(planeNumber);
    ConvexPolytope result = intersectHalfSpaces(planes).polytope;
    for (ConvexPolytope::Face& face : result.faces) face.plane = numbers[face.plane];
    return result;
}

}  // namespace sunder
