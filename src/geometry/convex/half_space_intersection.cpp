#include "geometry/convex/half_space_intersection.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/convex/detail/exact_cell.h"

namespace sunder {

namespace {

constexpr double kReach = 0x1p40;       // of the box to start from, in units of the farthest plane
constexpr double kMergeAcross = 1e-12;  // of the solid's size

using detail::ExactCell;
using detail::Generator;
using detail::PlaneSystem;

/// -x, +x, -y, +y, -z, +z.
void addBox(std::vector<Plane>& planes, double reach) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const double sign : {-1.0, 1.0}) planes.push_back({sign * Vec3::Unit(axis), reach});
    }
}

double reachOf(std::span<const Plane> planes) {
    double farthest = 0;
    for (const Plane& plane : planes) {
        const double length = plane.normal.norm();
        if (length > 0) farthest = std::max(farthest, std::abs(plane.offset) / length);
    }
    return farthest > 0 ? kReach * farthest : 1;
}

/// One number per vertex; vertices joined by very short edges share the lowest.
std::vector<uint32_t> mergeShortEdges(const std::vector<Vec3>& points, const ExactCell::Faces& faces) {
    std::vector<uint32_t> same(points.size());
    for (size_t i = 0; i < same.size(); ++i) same[i] = static_cast<uint32_t>(i);
    const auto root = [&](uint32_t i) {
        while (same[i] != i) i = same[i] = same[same[i]];
        return i;
    };
    // short against what the cell measures
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    const double shortest = kMergeAcross * box.diagonal();
    for (const ExactCell::Face& face : faces.faces) {
        for (uint32_t i = 0; i < face.cornerCount; ++i) {
            const uint32_t a = root(faces.corners[face.firstCorner + i]);
            const uint32_t b = root(faces.corners[face.firstCorner + (i + 1) % face.cornerCount]);
            if (a != b && (points[a] - points[b]).squaredNorm() <= shortest * shortest) {
                same[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    for (uint32_t i = 0; i < same.size(); ++i) same[i] = root(i);
    return same;
}

/// The cell as points and polygons, without what merging has flattened.
ConvexPolytope polytopeOf(ExactCell& cell, const PlaneSystem& system) {
    std::vector<Vec3> points(cell.vertexCount());
    for (size_t v = 0; v < points.size(); ++v) points[v] = system.position(detail::kNoSite, cell.planesOf(v));
    ExactCell::Faces faces;
    cell.collectFaces(faces);
    const std::vector<uint32_t> same = mergeShortEdges(points, faces);

    // faces keep what is left of their loops; two corners are no face
    ConvexPolytope result;
    std::map<uint32_t, uint32_t> numbers;
    for (const ExactCell::Face& face : faces.faces) {
        std::vector<uint32_t> loop;
        for (uint32_t i = 0; i < face.cornerCount; ++i) {
            const uint32_t v = same[faces.corners[face.firstCorner + i]];
            if (loop.empty() || loop.back() != v) loop.push_back(v);
        }
        while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
        if (loop.size() < 3) continue;
        result.faces.push_back({face.plane, static_cast<uint32_t>(result.corners.size()),
                                static_cast<uint32_t>(loop.size()), system.wall(face.plane)});
        // vertices are numbered as faces meet them
        for (const uint32_t v : loop) {
            const auto [entry, isNew] = numbers.try_emplace(v, static_cast<uint32_t>(result.vertices.size()));
            if (isNew) result.vertices.push_back(points[v]);
            result.corners.push_back(entry->second);
        }
    }
    return result;
}

}  // namespace

HalfSpaceIntersection intersectHalfSpaces(std::span<const Plane> planes) {
    // a box beyond everything makes any set of half-spaces a bounded cell
    HalfSpaceIntersection result;
    std::vector<Plane> walls(planes.begin(), planes.end());
    addBox(walls, reachOf(planes));
    const PlaneSystem system({}, walls);
    ExactCell cell(system);
    const auto count = static_cast<Generator>(planes.size());
    cell.reset(detail::kNoSite, {count, count + 1, count + 2, count + 3, count + 4, count + 5});
    for (Generator g = 0; g < count && !cell.empty(); ++g) {
        if (planes[g].normal.isZero(0)) {
            if (planes[g].offset < 0) return result;  // 0 <= negative: nothing satisfies it
            continue;
        }
        cell.cut(g);
    }
    if (cell.empty()) return result;

    // a corner that still lies on that box: the planes alone do not close
    for (size_t v = 0; v < cell.vertexCount(); ++v) {
        for (const Generator g : cell.planesOf(v)) {
            if (g >= count) {
                result.status = IntersectionStatus::Unbounded;
                return result;
            }
        }
    }
    // what merging leaves may be flat
    ConvexPolytope polytope = polytopeOf(cell, system);
    if (polytope.vertices.size() < 4 || polytope.faces.size() < 4) return result;
    result.status = IntersectionStatus::Bounded;
    result.polytope = std::move(polytope);
    return result;
}

}  // namespace sunder
