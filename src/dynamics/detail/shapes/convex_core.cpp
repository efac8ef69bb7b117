#include "dynamics/detail/shapes/convex_core.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "geometry/convex/convex_hull.h"

namespace sunder::dynamics::detail {

namespace {

using Side = std::pair<uint32_t, uint32_t>;  // from corner to corner, counter-clockwise around its face

/// The polygon's normal times twice its area.
Vec3 areaVector(const ConvexPolytope& solid, std::span<const uint32_t> loop) {
    Vec3 sum = Vec3::Zero();
    const Vec3& origin = solid.vertices[loop[0]];
    for (size_t i = 1; i + 1 < loop.size(); ++i)
        sum += (solid.vertices[loop[i]] - origin).cross(solid.vertices[loop[i + 1]] - origin);
    return sum;
}

/// Where corners are nearer than `tolerance` the first stays.
std::vector<Vec3> withoutTwins(const std::vector<Vec3>& points, double tolerance) {
    std::vector<uint32_t> byX(points.size());
    for (uint32_t i = 0; i < byX.size(); ++i) byX[i] = i;
    std::sort(byX.begin(), byX.end(),
              [&](uint32_t a, uint32_t b) { return std::pair(points[a].x(), a) < std::pair(points[b].x(), b); });
    std::vector<Vec3> kept;
    for (const uint32_t i : byX) {
        bool isTwin = false;
        for (size_t k = kept.size(); k-- > 0 && points[i].x() - kept[k].x() <= tolerance && !isTwin;)
            isTwin = (points[i] - kept[k]).squaredNorm() <= tolerance * tolerance;
        if (!isTwin) kept.push_back(points[i]);
    }
    return kept;
}

/// Joins faces into flat regions, largest first: a neighbour belongs when all its corners lie in the first one's plane
/// and it looks the same way.
std::vector<uint32_t> flatRegions(const ConvexPolytope& solid, double tolerance) {
    // what is beside each side, and the faces by size
    const size_t faceCount = solid.faces.size();
    std::vector<Vec3> area(faceCount);
    std::map<Side, uint32_t> faceOfSide;
    for (uint32_t f = 0; f < faceCount; ++f) {
        const auto loop = solid.loop(solid.faces[f]);
        area[f] = areaVector(solid, loop);
        for (size_t i = 0; i < loop.size(); ++i) faceOfSide[{loop[i], loop[(i + 1) % loop.size()]}] = f;
    }
    std::vector<uint32_t> order(faceCount);
    for (uint32_t f = 0; f < faceCount; ++f) order[f] = f;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return area[a].squaredNorm() > area[b].squaredNorm(); });

    // each region grows from the largest face that is left
    std::vector<uint32_t> region(faceCount, kInvalidIndex);
    for (const uint32_t seed : order) {
        if (region[seed] != kInvalidIndex) continue;
        region[seed] = seed;
        if (area[seed].squaredNorm() == 0) continue;
        const Plane plane = Plane::through(solid.vertices[solid.loop(solid.faces[seed])[0]], area[seed].normalized());
        const auto belongs = [&](uint32_t f) {
            if (area[f].dot(plane.normal) < 0.5 * area[f].norm()) return false;
            for (const uint32_t v : solid.loop(solid.faces[f]))
                if (std::abs(plane.height(solid.vertices[v])) > tolerance) return false;
            return true;
        };
        std::vector<uint32_t> toVisit{seed};
        while (!toVisit.empty()) {
            const auto loop = solid.loop(solid.faces[toVisit.back()]);
            toVisit.pop_back();
            for (size_t i = 0; i < loop.size(); ++i) {
                const uint32_t other = faceOfSide.at({loop[(i + 1) % loop.size()], loop[i]});
                if (region[other] != kInvalidIndex || !belongs(other)) continue;
                region[other] = seed;
                toVisit.push_back(other);
            }
        }
    }
    return region;
}

/// Sides of faces that lie between two regions, and the region on their left.
std::map<Side, uint32_t> bordersOf(const ConvexPolytope& solid, const std::vector<uint32_t>& region) {
    std::map<Side, uint32_t> sides, borders;
    for (uint32_t f = 0; f < solid.faces.size(); ++f) {
        const auto loop = solid.loop(solid.faces[f]);
        for (size_t i = 0; i < loop.size(); ++i) sides[{loop[i], loop[(i + 1) % loop.size()]}] = region[f];
    }
    for (const auto& [side, here] : sides)
        if (sides.at({side.second, side.first}) != here) borders.emplace(side, here);
    return borders;
}

/// What becomes of the solid when each region is one face.
struct Outlines {
    ConvexPolytope solid;               // corners that only two regions share are gone
    uint32_t sliver = kInvalidIndex;    // a region left with fewer than three corners
    uint32_t unsimple = kInvalidIndex;  // a region whose outline is not one polygon
    bool sound() const { return sliver == kInvalidIndex && unsimple == kInvalidIndex; }
};
Outlines outlines(const ConvexPolytope& solid, const std::map<Side, uint32_t>& borders) {
    // from corner to corner around each region, and how many regions meet at a corner
    Outlines result;
    std::map<uint32_t, std::map<uint32_t, uint32_t>> nextCorner;  // of each region
    std::vector<int> meeting(solid.vertices.size(), 0);
    for (const auto& [side, region] : borders) {
        if (!nextCorner[region].emplace(side.first, side.second).second) result.unsimple = region;
        ++meeting[side.first];
    }
    // corners that only two regions share are no corners any more
    std::vector<uint32_t> newNumber(solid.vertices.size(), kInvalidIndex);
    for (uint32_t v = 0; v < meeting.size(); ++v) {
        if (meeting[v] < 3) continue;
        newNumber[v] = static_cast<uint32_t>(result.solid.vertices.size());
        result.solid.vertices.push_back(solid.vertices[v]);
    }
    // one polygon for each region
    std::map<Side, uint32_t> taken;
    for (const auto& [region, next] : nextCorner) {
        std::vector<uint32_t> loop;
        uint32_t v = next.begin()->first;
        size_t steps = 0;
        do {
            if (newNumber[v] != kInvalidIndex) loop.push_back(newNumber[v]);
            v = next.at(v);
        } while (v != next.begin()->first && ++steps < next.size());
        if (steps + 1 != next.size()) result.unsimple = region;
        if (loop.size() < 3) result.sliver = region;
        for (size_t i = 0; i < loop.size(); ++i)
            if (!taken.emplace(Side{loop[i], loop[(i + 1) % loop.size()]}, region).second) result.unsimple = region;
        result.solid.faces.push_back(
            {region, static_cast<uint32_t>(result.solid.corners.size()), static_cast<uint32_t>(loop.size()), {}});
        result.solid.corners.insert(result.solid.corners.end(), loop.begin(), loop.end());
    }
    return result;
}

/// Which two regions to make one so that a bad outline goes away: a sliver and the neighbour it has most border with,
/// or a region that is no polygon and the neighbour that has least border in all. Lowest number first among equals.
std::pair<uint32_t, uint32_t> regionsToJoin(const ConvexPolytope& solid, const std::map<Side, uint32_t>& borders,
                                            const Outlines& bad) {
    std::map<uint32_t, double> shared, total;
    const uint32_t region = bad.sliver != kInvalidIndex ? bad.sliver : bad.unsimple;
    for (const auto& [side, here] : borders) {
        const double length = (solid.vertices[side.first] - solid.vertices[side.second]).norm();
        total[here] += length;
        if (here == region) shared[borders.at({side.second, side.first})] += length;
    }
    uint32_t best = kInvalidIndex;
    double bestScore = -std::numeric_limits<double>::infinity();
    for (const auto& [neighbour, length] : shared) {
        const double score = bad.sliver != kInvalidIndex ? length : -total.at(neighbour);
        if (score > bestScore) bestScore = score, best = neighbour;
    }
    return {region, best};
}

/// Unit normals; every corner on or below the plane.
void fitPlanes(ConvexPolytope& solid) {
    for (ConvexPolytope::Face& face : solid.faces) {
        const auto loop = solid.loop(face);
        face.surface.normal = areaVector(solid, loop).normalized();
        face.surface.offset = -std::numeric_limits<double>::infinity();
        for (const uint32_t v : loop)
            face.surface.offset = std::max(face.surface.offset, face.surface.normal.dot(solid.vertices[v]));
    }
}

/// The solid with flat neighbours joined.
ConvexPolytope flattened(ConvexPolytope solid, double tolerance) {
    std::vector<uint32_t> region = flatRegions(solid, tolerance);
    std::map<Side, uint32_t> borders = bordersOf(solid, region);
    Outlines joined = outlines(solid, borders);
    while (!joined.sound() && joined.solid.faces.size() > 4) {
        const auto [from, into] = regionsToJoin(solid, borders, joined);
        std::replace(region.begin(), region.end(), from, into);
        borders = bordersOf(solid, region);
        joined = outlines(solid, borders);
    }
    if (joined.sound() && joined.solid.faces.size() >= 4) solid = std::move(joined.solid);
    fitPlanes(solid);
    if (!(smallestWidth(solid) > tolerance))
        throw std::invalid_argument("hull: must be thicker than a millionth of its longest extent");
    return solid;
}

void padToLanes(std::vector<float>& values) {
    while (values.size() % ConvexCore::kLanes != 0) values.push_back(values.front());
}

void addVertices(ConvexCore& core, std::span<const Vec3> corners) {
    core.vertexCount = static_cast<int>(corners.size());
    double farthest = 0;
    for (const Vec3& p : corners) {
        core.x.push_back(static_cast<float>(p.x()));
        core.y.push_back(static_cast<float>(p.y()));
        core.z.push_back(static_cast<float>(p.z()));
        farthest = std::max(farthest, p.norm());
    }
    for (std::vector<float>* values : {&core.x, &core.y, &core.z}) padToLanes(*values);
    // rounded up: a ball that holds all must hold all
    core.coreRadius = static_cast<float>((farthest + core.radius) * (1 + 1e-6));
}

void addEdges(ConvexCore& core, const ConvexPolytope& solid) {
    std::map<Side, uint32_t> faceOfSide;
    for (uint32_t f = 0; f < solid.faces.size(); ++f) {
        const auto loop = solid.loop(solid.faces[f]);
        for (size_t i = 0; i < loop.size(); ++i) faceOfSide[{loop[i], loop[(i + 1) % loop.size()]}] = f;
    }
    ConvexCore::Edges& edges = core.edges;
    const auto push = [](const Vec3& v, std::vector<float>& x, std::vector<float>& y, std::vector<float>& z) {
        x.push_back(static_cast<float>(v.x()));
        y.push_back(static_cast<float>(v.y()));
        z.push_back(static_cast<float>(v.z()));
    };
    for (const auto& [side, face] : faceOfSide) {
        const auto [a, b] = side;
        if (a > b) continue;
        ++edges.count;
        push(solid.vertices[a], edges.x, edges.y, edges.z);
        push(solid.vertices[b] - solid.vertices[a], edges.dx, edges.dy, edges.dz);
        push(solid.faces[face].surface.normal, edges.n1x, edges.n1y, edges.n1z);
        push(solid.faces[faceOfSide.at({b, a})].surface.normal, edges.n2x, edges.n2y, edges.n2z);
        edges.first.push_back(a);
        edges.second.push_back(b);
    }
    for (std::vector<float>* values : {&edges.x, &edges.y, &edges.z, &edges.dx, &edges.dy, &edges.dz, &edges.n1x,
                                       &edges.n1y, &edges.n1z, &edges.n2x, &edges.n2y, &edges.n2z})
        padToLanes(*values);
}

}  // namespace

ConvexPolytope flatHull(std::span<const Vec3> points) {
    for (const Vec3& p : points)
        if (!p.allFinite()) throw std::invalid_argument("hull: points must be finite");
    ConvexHull hull = convexHull(points);
    const double tolerance = kFlatness * boundsOf(hull.polytope).size().maxCoeff();
    if (hull.dimension == 3) {
        const std::vector<Vec3> corners = withoutTwins(hull.polytope.vertices, tolerance);
        if (corners.size() < hull.polytope.vertices.size()) hull = convexHull(corners);
    }
    if (hull.dimension < 3) throw std::invalid_argument("hull: points must span a volume; they lie in one plane");

    return flattened(std::move(hull.polytope), tolerance);
}

ConvexPolytope flatHull(const ConvexPolytope& solid) {
    const double tolerance = kFlatness * boundsOf(solid).size().maxCoeff();
    const bool sound = !solid.empty() && withoutTwins(solid.vertices, tolerance).size() == solid.vertices.size();
    return sound ? flattened(solid, tolerance) : flatHull(solid.vertices);
}

ConvexCore coreOf(const ConvexPolytope& solid, const RigidTransform& bodyFromGiven) {
    ConvexPolytope moved = solid;
    for (Vec3& p : moved.vertices) p = bodyFromGiven * p;
    fitPlanes(moved);

    ConvexCore core;
    addVertices(core, moved.vertices);
    core.corners = moved.corners;
    double nearestFace = std::numeric_limits<double>::infinity();
    for (const ConvexPolytope::Face& face : moved.faces) {
        core.faces.push_back({face.surface.normal.cast<float>(), static_cast<float>(face.surface.offset),
                              face.firstCorner, face.cornerCount});
        nearestFace = std::min(nearestFace, face.surface.offset);
    }
    addEdges(core, moved);
    core.innerRadius = static_cast<float>(std::max(0.0, nearestFace) * (1 - 1e-6));
    return core;
}

ConvexCore roundCore(std::span<const Vec3> corners, double radius) {
    ConvexCore core;
    core.radius = static_cast<float>(radius);
    addVertices(core, corners);
    core.innerRadius = static_cast<float>(radius * (1 - 1e-6));
    return core;
}

double smallestWidth(const ConvexPolytope& solid) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const ConvexPolytope::Face& face : solid.faces) {
        double lowest = std::numeric_limits<double>::infinity();
        for (const Vec3& p : solid.vertices) lowest = std::min(lowest, face.surface.normal.dot(p));
        smallest = std::min(smallest, face.surface.offset - lowest);
    }
    return smallest;
}

}  // namespace sunder::dynamics::detail
