#include "geometry/cut/detail/flat_triangles.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "geometry/cut/detail/improve_triangles.h"
#include "geometry/mesh/triangulate.h"

namespace sunder::detail {

namespace {

constexpr size_t kMaxSearched = 9;  // corners: n^3 ways are compared

/// Chooses among all ways to cut a polygon of few corners.
class BestCut {
public:
    BestCut(std::span<const Node> outline, std::span<const Vec3> positions, const Vec3& normal) : outline_(outline) {
        const size_t n = outline.size();
        for (size_t gap = 2; gap < n; ++gap) {
            for (size_t i = 0; i + gap < n; ++i) {
                const size_t k = i + gap;
                double best = -std::numeric_limits<double>::infinity();
                for (size_t j = i + 1; j < k; ++j) {
                    const double shape =
                        shapeOf(positions[outline[i]], positions[outline[j]], positions[outline[k]], normal);
                    const double worst = std::min({shape, worstOf(i, j), worstOf(j, k)});
                    if (worst > best || j == i + 1) {
                        best = worst;
                        middle_[i][k] = static_cast<uint8_t>(j);
                    }
                }
                worst_[i][k] = best;
            }
        }
    }

    void collect(size_t i, size_t k, std::vector<FlatTriangle>& triangles) const {
        if (k - i < 2) return;
        const size_t j = middle_[i][k];
        triangles.push_back({outline_[i], outline_[j], outline_[k]});
        collect(i, j, triangles);
        collect(j, k, triangles);
    }

private:
    double worstOf(size_t i, size_t k) const {
        return k - i < 2 ? std::numeric_limits<double>::infinity() : worst_[i][k];
    }

    std::span<const Node> outline_;
    double worst_[kMaxSearched][kMaxSearched]{};
    uint8_t middle_[kMaxSearched][kMaxSearched]{};
};

/// Seen along the normal, up to a stretch: enough for what lies inside what.
class Projection {
public:
    Projection(std::span<const Vec3> positions, const Vec3& normal) : positions_(positions) {
        int axis = 0;
        normal.cwiseAbs().maxCoeff(&axis);
        u_ = (axis + 1) % 3;
        v_ = (axis + 2) % 3;
        if (normal[axis] < 0) std::swap(u_, v_);
    }
    Vec2 operator()(Node n) const { return {positions_[n][u_], positions_[n][v_]}; }

private:
    std::span<const Vec3> positions_;
    int u_ = 0, v_ = 1;
};

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

double areaOf(std::span<const Node> outline, const Projection& flat) {
    double twice = 0;
    const Vec2 origin = flat(outline[0]);
    for (size_t i = 1; i + 1 < outline.size(); ++i) {
        twice += cross(flat(outline[i]) - origin, flat(outline[i + 1]) - origin);
    }
    return 0.5 * twice;
}

bool contains(std::span<const Node> outline, const Vec2& p, const Projection& flat) {
    bool inside = false;
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec2 a = flat(outline[i]), b = flat(outline[(i + 1) % outline.size()]);
        if ((a.y() > p.y()) == (b.y() > p.y())) continue;
        if (p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
    }
    return inside;
}

size_t rightmost(std::span<const Node> outline, const Projection& flat) {
    size_t best = 0;
    for (size_t i = 1; i < outline.size(); ++i) {
        if (flat(outline[i]).x() > flat(outline[best]).x()) best = i;
    }
    return best;
}

/// A corner of the outline that the point sees, looking to the right: the end of the edge it meets, or a corner that
/// stands before it, the one nearest to the line of sight [eberly2008]. None when it looks at nothing.
size_t visibleCorner(std::span<const Node> outline, const Vec2& from, const Projection& flat) {
    // the edge that the line of sight meets first
    size_t edge = outline.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec2 a = flat(outline[i]), b = flat(outline[(i + 1) % outline.size()]);
        if (!(a.y() <= from.y() && b.y() > from.y())) continue;  // the inside is to the left of edges that go up
        const double x = a.x() + (from.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
        if (x >= from.x() && x < nearest) {
            nearest = x;
            edge = i;
        }
    }
    if (edge == outline.size()) return edge;

    // other corners may stand before that edge: in the triangle of point, hit and tip, the flattest is seen
    const Vec2 hit(nearest, from.y());
    const size_t next = (edge + 1) % outline.size();
    size_t best = flat(outline[edge]).x() > flat(outline[next]).x() ? edge : next;
    const Vec2 tip = flat(outline[best]);
    const double side = tip.y() > from.y() ? 1 : -1;
    const auto steepness = [&](const Vec2& p) { return std::abs(p.y() - from.y()) / (p.x() - from.x()); };
    double flattest = steepness(tip);
    for (size_t i = 0; i < outline.size(); ++i) {
        const Vec2 p = flat(outline[i]);
        if (outline[i] == outline[best] || !(p.x() > from.x())) continue;
        const bool within = side * cross(hit - from, p - from) >= 0 && side * cross(tip - hit, p - hit) >= 0 &&
                            side * cross(from - tip, p - tip) >= 0;
        if (within && steepness(p) < flattest) {
            flattest = steepness(p);
            best = i;
        }
    }
    return best;
}

/// An outline and the holes in it.
struct Region {
    std::vector<Node> outline;
    double area = 0;
    std::vector<std::span<const Node>> holes;
};

std::vector<Region> regionsOf(std::span<const std::span<const Node>> outlines, const Projection& flat) {
    // outlines that go clockwise are holes
    std::vector<Region> regions;
    std::vector<std::span<const Node>> holes;
    for (const auto outline : outlines) {
        const double area = areaOf(outline, flat);
        if (area < 0) {
            holes.push_back(outline);
        } else {
            regions.push_back({{outline.begin(), outline.end()}, area, {}});
        }
    }
    // each hole belongs to the smallest region around it
    for (const auto hole : holes) {
        Region* around = nullptr;
        for (Region& region : regions) {
            if (around != nullptr && region.area >= around->area) continue;
            if (contains(region.outline, flat(hole[0]), flat)) around = &region;
        }
        if (around != nullptr) {
            around->holes.push_back(hole);
        } else {
            regions.push_back({{hole.begin(), hole.end()}, 0, {}});  // by rounding: closed all the same
        }
    }
    return regions;
}

/// One line around all: out to each hole and back, those farthest right first, so that none is in the way of the next.
void joinHoles(Region& region, const Projection& flat, std::vector<Region>& leftOver) {
    const auto reach = [&](std::span<const Node> hole) { return flat(hole[rightmost(hole, flat)]).x(); };
    std::stable_sort(region.holes.begin(), region.holes.end(), [&](auto a, auto b) { return reach(a) > reach(b); });
    for (const auto hole : region.holes) {
        const size_t start = rightmost(hole, flat);
        const size_t corner = visibleCorner(region.outline, flat(hole[start]), flat);
        if (corner == region.outline.size()) {
            leftOver.push_back({{hole.begin(), hole.end()}, 0, {}});
            continue;
        }
        std::vector<Node> detour;
        for (size_t i = 0; i <= hole.size(); ++i) detour.push_back(hole[(start + i) % hole.size()]);
        detour.push_back(region.outline[corner]);
        region.outline.insert(region.outline.begin() + static_cast<std::ptrdiff_t>(corner) + 1, detour.begin(),
                              detour.end());
    }
}

}  // namespace

void triangulateOutline(std::span<const Node> outline, std::span<const Vec3> positions, const Vec3& normal,
                        std::vector<FlatTriangle>& triangles) {
    if (outline.size() == 3) {
        triangles.push_back({outline[0], outline[1], outline[2]});
    } else if (outline.size() <= kMaxSearched) {
        BestCut(outline, positions, normal).collect(0, outline.size() - 1, triangles);
    } else {
        std::vector<Vec3> corners;
        corners.reserve(outline.size());
        for (const Node n : outline) corners.push_back(positions[n]);
        for (const PolygonTriangle& t : triangulatePolygon(corners)) {
            triangles.push_back({outline[t[0]], outline[t[1]], outline[t[2]]});
        }
    }
}

void triangulateOutlines(std::span<const std::span<const Node>> outlines, std::span<const Vec3> positions,
                         const Vec3& normal, std::vector<FlatTriangle>& triangles) {
    ASSERT(!outlines.empty());
    const size_t first = triangles.size();
    bool simple = outlines.size() == 1;
    if (simple) {
        triangulateOutline(outlines[0], positions, normal, triangles);
        simple = outlines[0].size() <= kMaxSearched;
    } else {
        const Projection flat(positions, normal);
        std::vector<Region> regions = regionsOf(outlines, flat), leftOver;
        for (Region& region : regions) joinHoles(region, flat, leftOver);
        for (const auto* list : {&regions, &leftOver}) {
            for (const Region& region : *list) triangulateOutline(region.outline, positions, normal, triangles);
        }
    }
    if (!simple) improveTriangles(std::span(triangles).subspan(first), positions, normal);
}

}  // namespace sunder::detail
