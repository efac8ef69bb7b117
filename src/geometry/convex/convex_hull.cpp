#include "geometry/convex/convex_hull.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "math/predicates.h"

namespace sunder {

namespace {

using PointIndex = uint32_t;
using FaceIndex = uint32_t;

bool lexicographicallyLess(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

Vec2 project(const Vec3& p, int dropped) { return {p[(dropped + 1) % 3], p[(dropped + 2) % 3]}; }

/// A coordinate to drop such that the three keep an area; none when they are collinear.
std::optional<int> projectionOf(const Vec3& a, const Vec3& b, const Vec3& c) {
    for (int dropped = 0; dropped < 3; ++dropped) {
        if (orient2d(project(a, dropped), project(b, dropped), project(c, dropped)) != 0) return dropped;
    }
    return std::nullopt;
}

/// As many independent points as there are, far apart: two ends, the farthest from their line, the farthest from the
/// plane. Rounded distances only choose; whether a point is off the line or plane is decided exactly.
std::vector<PointIndex> startingSimplex(std::span<const Vec3> points) {
    const auto farthest = [&](auto&& isOff, auto&& distance) {
        PointIndex best = kInvalidIndex;
        double bestDistance = -1;
        for (PointIndex i = 0; i < points.size(); ++i) {
            const double d = distance(points[i]);
            if ((best == kInvalidIndex || d > bestDistance) && isOff(points[i])) {
                best = i;
                bestDistance = d;
            }
        }
        return best;
    };
    // two ends that no rounding can doubt: the first and the last by their coordinates
    const auto byPlace = [&](PointIndex a, PointIndex b) { return lexicographicallyLess(points[a], points[b]); };
    std::vector<PointIndex> all(points.size());
    for (PointIndex i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<PointIndex> simplex{*std::min_element(all.begin(), all.end(), byPlace)};
    const PointIndex last = *std::max_element(all.begin(), all.end(), byPlace);
    if (points[last] == points[simplex[0]]) return simplex;
    simplex.push_back(last);

    // off their line
    const Vec3 &a = points[simplex[0]], &b = points[simplex[1]];
    const PointIndex third = farthest([&](const Vec3& p) { return projectionOf(a, b, p).has_value(); },
                                      [&](const Vec3& p) { return (b - a).cross(p - a).squaredNorm(); });
    if (third == kInvalidIndex) return simplex;
    simplex.push_back(third);

    // off the plane of the three
    const Vec3& c = points[third];
    const Vec3 normal = (b - a).cross(c - a);
    const PointIndex fourth = farthest([&](const Vec3& p) { return orient3d(a, b, c, p) != 0; },
                                       [&](const Vec3& p) { return std::abs(normal.dot(p - a)); });
    if (fourth != kInvalidIndex) simplex.push_back(fourth);
    return simplex;
}

/// Corners of a flat set, counter-clockwise seen along the dropped axis: monotone chain [andrew1979].
std::vector<PointIndex> flatHull(std::span<const Vec3> points, int dropped) {
    // by place, and each place once
    std::vector<PointIndex> order(points.size());
    for (PointIndex i = 0; i < order.size(); ++i) order[i] = i;
    const auto flat = [&](PointIndex i) { return project(points[i], dropped); };
    const auto key = [&](PointIndex i) { return std::tuple(flat(i).x(), flat(i).y(), i); };
    std::sort(order.begin(), order.end(), [&](PointIndex a, PointIndex b) { return key(a) < key(b); });
    order.erase(std::unique(order.begin(), order.end(), [&](PointIndex a, PointIndex b) { return flat(a) == flat(b); }),
                order.end());
    // the lower chain, then the upper: a corner that does not turn left goes
    std::vector<PointIndex> hull;
    const auto addChain = [&](auto begin, auto end) {
        const size_t start = hull.size();
        for (auto p = begin; p != end; ++p) {
            while (hull.size() >= start + 2 &&
                   orient2d(flat(hull[hull.size() - 2]), flat(hull.back()), flat(*p)) <= 0) {
                hull.pop_back();
            }
            hull.push_back(*p);
        }
        hull.pop_back();  // the next chain starts with it
    };
    addChain(order.begin(), order.end());
    addChain(order.rbegin(), order.rend());
    return hull;
}

class Quickhull {
public:
    Quickhull(std::span<const Vec3> points, const std::vector<PointIndex>& simplex) : points_(points) {
        addSimplex(simplex);
        while (!pending_.empty()) {
            const FaceIndex f = pending_.back();
            pending_.pop_back();
            if (faces_[f].alive && !faces_[f].outside.empty()) addPoint(f);
        }
    }

    struct Face {
        std::array<PointIndex, 3> corners;      // counter-clockwise from outside
        std::array<FaceIndex, 3> neighbours{};  // across the edge from corner i to the next
        Vec3 normal = Vec3::Zero();             // rounded; only to find the farthest point
        std::vector<PointIndex> outside;        // points strictly above, each in one face's list
        bool alive = true;
        uint32_t visit = 0;
    };
    const std::vector<Face>& faces() const { return faces_; }

private:
    bool above(const Face& face, PointIndex p) const {
        return orient3d(points_[face.corners[0]], points_[face.corners[1]], points_[face.corners[2]], points_[p]) > 0;
    }

    FaceIndex addFace(PointIndex a, PointIndex b, PointIndex c) {
        Face face;
        face.corners = {a, b, c};
        face.normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
        faces_.push_back(std::move(face));
        return static_cast<FaceIndex>(faces_.size() - 1);
    }

    void addSimplex(std::vector<PointIndex> s) {
        if (orient3d(points_[s[0]], points_[s[1]], points_[s[2]], points_[s[3]]) > 0) std::swap(s[0], s[1]);
        addFace(s[0], s[1], s[2]);
        addFace(s[0], s[3], s[1]);
        addFace(s[1], s[3], s[2]);
        addFace(s[2], s[3], s[0]);
        for (FaceIndex f = 0; f < 4; ++f) {
            for (size_t i = 0; i < 3; ++i) {
                const PointIndex from = faces_[f].corners[i], to = faces_[f].corners[(i + 1) % 3];
                for (FaceIndex g = 0; g < 4; ++g) {
                    if (g != f && edgeOf(g, to, from) < 3) faces_[f].neighbours[i] = g;
                }
            }
        }
        std::vector<PointIndex> all(points_.size());
        for (PointIndex i = 0; i < all.size(); ++i) all[i] = i;
        distribute(all, 0);
    }

    /// Which edge of a face runs from -> to; 3 for none.
    size_t edgeOf(FaceIndex f, PointIndex from, PointIndex to) const {
        for (size_t i = 0; i < 3; ++i) {
            if (faces_[f].corners[i] == from && faces_[f].corners[(i + 1) % 3] == to) return i;
        }
        return 3;
    }

    /// Gives each point to the first of the newest faces that sees it; those inside are done with.
    void distribute(const std::vector<PointIndex>& candidates, FaceIndex firstFace) {
        for (const PointIndex p : candidates) {
            for (FaceIndex f = firstFace; f < faces_.size(); ++f) {
                if (!above(faces_[f], p)) continue;
                faces_[f].outside.push_back(p);
                break;
            }
        }
        for (FaceIndex f = firstFace; f < faces_.size(); ++f) {
            if (!faces_[f].outside.empty()) pending_.push_back(f);
        }
    }

    PointIndex farthestAbove(const Face& face) const {
        const auto height = [&](PointIndex p) { return face.normal.dot(points_[p] - points_[face.corners[0]]); };
        PointIndex best = face.outside.front();
        for (const PointIndex p : face.outside) {
            if (height(p) > height(best)) best = p;
        }
        return best;
    }

    struct HorizonEdge {
        PointIndex from, to;
        FaceIndex beyond;
    };

    /// Faces that see the point, and the edges around them in order.
    void findVisible(FaceIndex start, PointIndex eye, std::vector<FaceIndex>& visible,
                     std::vector<HorizonEdge>& horizon) {
        ++visit_;
        faces_[start].visit = visit_;
        struct Step {
            FaceIndex face;
            size_t firstEdge, done;
        };
        std::vector<Step> stack{{start, 0, 0}};
        visible.push_back(start);
        while (!stack.empty()) {
            // depth first, edges in order: that makes the horizon come out in order too
            Step& step = stack.back();
            const Face& face = faces_[step.face];
            const size_t count = stack.size() == 1 ? 3 : 2;  // the edge it was entered by is done
            if (step.done == count) {
                stack.pop_back();
                continue;
            }
            const size_t edge = (step.firstEdge + step.done++) % 3;
            const FaceIndex other = face.neighbours[edge];
            if (faces_[other].visit == visit_) continue;
            const PointIndex from = face.corners[edge], to = face.corners[(edge + 1) % 3];
            // edges to faces that do not see the point are the horizon
            if (above(faces_[other], eye)) {
                faces_[other].visit = visit_;
                visible.push_back(other);
                stack.push_back({other, (edgeOf(other, to, from) + 1) % 3, 0});
            } else {
                horizon.push_back({from, to, other});
            }
        }
    }

    void addPoint(FaceIndex seenBy) {
        ASSERT(!faces_[seenBy].outside.empty());
        // what it sees is replaced
        const PointIndex eye = farthestAbove(faces_[seenBy]);
        std::vector<FaceIndex> visible;
        std::vector<HorizonEdge> horizon;
        findVisible(seenBy, eye, visible, horizon);

        // a fan from the horizon to the point
        const auto first = static_cast<FaceIndex>(faces_.size());
        const auto count = static_cast<FaceIndex>(horizon.size());
        for (FaceIndex i = 0; i < count; ++i) {
            const HorizonEdge& edge = horizon[i];
            const FaceIndex f = addFace(edge.from, edge.to, eye);
            faces_[f].neighbours = {edge.beyond, first + (i + 1) % count, first + (i + count - 1) % count};
            faces_[edge.beyond].neighbours[edgeOf(edge.beyond, edge.to, edge.from)] = f;
        }
        // points outside the faces that went may be outside the new ones
        std::vector<PointIndex> orphans;
        for (const FaceIndex f : visible) {
            faces_[f].alive = false;
            for (const PointIndex p : faces_[f].outside) {
                if (p != eye) orphans.push_back(p);
            }
            faces_[f].outside = {};
        }
        distribute(orphans, first);
    }

    std::span<const Vec3> points_;
    std::vector<Face> faces_;
    std::vector<FaceIndex> pending_;
    uint32_t visit_ = 0;
};

/// Triangles in exactly one plane become one polygon; corners where only two polygons meet are on an edge and go.
ConvexHull mergeFaces(const std::vector<Quickhull::Face>& triangles, std::span<const Vec3> points) {
    // group coplanar neighbours; the lowest face stands for the group
    DisjointSets groups(triangles.size());
    for (FaceIndex f = 0; f < triangles.size(); ++f) {
        if (!triangles[f].alive) continue;
        const auto& own = triangles[f].corners;
        for (const FaceIndex g : triangles[f].neighbours) {
            const auto& other = triangles[g].corners;
            const bool coplanar = std::all_of(other.begin(), other.end(), [&](PointIndex p) {
                return orient3d(points[own[0]], points[own[1]], points[own[2]], points[p]) == 0;
            });
            if (coplanar) groups.join(f, g);
        }
    }

    // border edges of every group, and how many groups meet at each point
    struct BorderEdge {
        FaceIndex group;
        PointIndex from, to;
    };
    std::vector<BorderEdge> border;
    std::vector<uint32_t> groupsAt(points.size(), 0);
    for (FaceIndex f = 0; f < triangles.size(); ++f) {
        if (!triangles[f].alive) continue;
        for (size_t i = 0; i < 3; ++i) {
            if (groups.root(triangles[f].neighbours[i]) == groups.root(f)) continue;
            border.push_back({groups.root(f), triangles[f].corners[i], triangles[f].corners[(i + 1) % 3]});
            ++groupsAt[triangles[f].corners[i]];
        }
    }
    std::sort(border.begin(), border.end(), [](const BorderEdge& a, const BorderEdge& b) {
        return std::pair(a.group, a.from) < std::pair(b.group, b.from);
    });

    // corners of the hull: where three groups and more meet
    ConvexHull result;
    result.dimension = 3;
    std::vector<uint32_t> number(points.size(), kInvalidIndex);
    for (PointIndex p = 0; p < points.size(); ++p) {
        if (groupsAt[p] < 3) continue;
        number[p] = static_cast<uint32_t>(result.indices.size());
        result.indices.push_back(p);
        result.polytope.vertices.push_back(points[p]);
    }
    // the border of each group is one loop
    std::vector<std::vector<uint32_t>> loops;
    for (auto begin = border.begin(); begin != border.end();) {
        const auto end =
            std::find_if(begin, border.end(), [&](const BorderEdge& e) { return e.group != begin->group; });
        std::vector<uint32_t> loop;
        PointIndex at = begin->from;
        do {
            if (number[at] != kInvalidIndex) loop.push_back(number[at]);
            at = std::lower_bound(begin, end, at, [](const BorderEdge& e, PointIndex p) { return e.from < p; })->to;
        } while (at != begin->from);
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
        loops.push_back(std::move(loop));
        begin = end;
    }
    std::sort(loops.begin(), loops.end());  // the order of insertion must not show
    // the plane of a face by the mean of its triangles, all exactly in one plane
    ConvexPolytope& polytope = result.polytope;
    for (const auto& loop : loops) {
        Vec3 normal = Vec3::Zero();
        const Vec3& origin = polytope.vertices[loop[0]];
        for (size_t i = 1; i + 1 < loop.size(); ++i) {
            normal += (polytope.vertices[loop[i]] - origin).cross(polytope.vertices[loop[i + 1]] - origin);
        }
        polytope.faces.push_back({static_cast<uint32_t>(polytope.faces.size()),
                                  static_cast<uint32_t>(polytope.corners.size()), static_cast<uint32_t>(loop.size()),
                                  Plane::through(origin, normal.stableNormalized())});
        polytope.corners.insert(polytope.corners.end(), loop.begin(), loop.end());
    }
    result.mesh = toTriMesh(polytope);
    return result;
}

/// Each place by its lowest index.
void useFirstOfEqualPoints(std::span<const Vec3> points, std::vector<PointIndex>& corners) {
    std::vector<PointIndex> sorted(corners);
    const auto less = [&](PointIndex a, const Vec3& p) { return lexicographicallyLess(points[a], p); };
    std::sort(sorted.begin(), sorted.end(), [&](PointIndex a, PointIndex b) { return less(a, points[b]); });
    std::vector<PointIndex> lowest(sorted);
    for (PointIndex p = 0; p < points.size(); ++p) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), points[p], less);
        if (place == sorted.end() || points[*place] != points[p]) continue;
        PointIndex& entry = lowest[static_cast<size_t>(place - sorted.begin())];
        entry = std::min(entry, p);
    }
    for (PointIndex& corner : corners) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), points[corner], less);
        corner = lowest[static_cast<size_t>(place - sorted.begin())];
    }
}

}  // namespace

ConvexHull convexHull(std::span<const Vec3> points) {
    ConvexHull result;
    if (points.empty()) return result;
    std::vector<PointIndex> simplex = startingSimplex(points);
    result.dimension = static_cast<int>(simplex.size()) - 1;
    if (result.dimension == 3) return mergeFaces(Quickhull(points, simplex).faces(), points);

    result.indices = std::move(simplex);
    if (result.dimension == 2) {
        const auto& s = result.indices;
        result.indices = flatHull(points, *projectionOf(points[s[0]], points[s[1]], points[s[2]]));
    }
    useFirstOfEqualPoints(points, result.indices);
    return result;
}

}  // namespace sunder
