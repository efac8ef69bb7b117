#include "geometry/cut/detail/cell_sheets.h"

#include <algorithm>

#include "geometry/cut/detail/improve_triangles.h"
#include "math/predicates.h"

namespace sunder::detail {

namespace {

using Positions = std::function<Vec3(SurfaceNode)>;
using Corners = std::array<Vec3, 3>;

/// Does the loop come to the faces at its node k only there?
bool mayBeApex(const WallLoop& loop, size_t k) {
    const size_t n = loop.size(), before = (k + n - 1) % n;
    for (size_t i = 0; i < n; ++i) {
        if (i == k || i == before) continue;
        if (loop[i].face == loop[k].face || loop[i].face == loop[before].face) return false;
    }
    return true;
}

std::vector<SheetTriangle> fanFrom(const WallLoop& loop, size_t apex) {
    std::vector<SheetTriangle> fan;
    for (size_t i = 1; i + 1 < loop.size(); ++i) {
        const WallLine& line = loop[(apex + i) % loop.size()];
        fan.push_back({{loop[apex].from, line.from, line.to}, false, line.left, line.right});
    }
    return fan;
}

Corners cornersOf(const SheetTriangle& triangle, const Positions& position) {
    return {position(triangle.corners[0]), position(triangle.corners[1]), position(triangle.corners[2])};
}

/// Height over longest side of the worst triangle.
double shapeOfWorst(const std::vector<SheetTriangle>& fan, const Positions& position) {
    double worst = 1;
    for (const SheetTriangle& triangle : fan) {
        const auto [a, b, c] = cornersOf(triangle, position);
        const Vec3 normal = (b - a).cross(c - a).normalized();
        worst = std::min(worst, shapeOf(a, b, c, normal));
    }
    return worst;
}

/// The fan with the best triangles. None when no node of the loop may be its apex.
std::vector<SheetTriangle> bestFan(const WallLoop& loop, const Positions& position) {
    std::vector<SheetTriangle> best;
    double bestShape = -1;
    for (size_t k = 0; k < loop.size(); ++k) {
        if (!mayBeApex(loop, k)) continue;
        std::vector<SheetTriangle> fan = fanFrom(loop, k);
        if (loop.size() == 3) return fan;
        const double shape = shapeOfWorst(fan, position);
        if (shape <= bestShape) continue;
        bestShape = shape;
        best = std::move(fan);
    }
    return best;
}

/// Does a side of the first meet the second? Touching counts.
bool sideMeets(const Corners& first, const Corners& second) {
    const auto& [a, b, c] = second;
    for (size_t k = 0; k < 3; ++k) {
        const Vec3 &p = first[k], &q = first[(k + 1) % 3];
        if (orient3d(a, b, c, p) * orient3d(a, b, c, q) > 0) continue;
        const int u = orient3d(p, q, a, b), v = orient3d(p, q, b, c), w = orient3d(p, q, c, a);
        if (std::min({u, v, w}) >= 0 || std::max({u, v, w}) <= 0) return true;
    }
    return false;
}

bool fansMeet(const std::vector<SheetTriangle>& first, const std::vector<SheetTriangle>& second,
              const Positions& position) {
    for (const SheetTriangle& a : first) {
        for (const SheetTriangle& b : second) {
            const Corners p = cornersOf(a, position), q = cornersOf(b, position);
            if (sideMeets(p, q) || sideMeets(q, p)) return true;
        }
    }
    return false;
}

std::vector<SheetTriangle> joinedToMiddle(const std::vector<WallLine>& lines) {
    std::vector<SheetTriangle> triangles;
    for (const WallLine& line : lines) triangles.push_back({{line.from, line.to, {}}, true, line.left, line.right});
    return triangles;
}

}  // namespace

std::vector<SheetTriangle> sheetsIn(const std::vector<WallLine>& lines, const Positions& position) {
    std::vector<std::vector<SheetTriangle>> fans;
    for (const WallLoop& loop : loopsOf(lines)) fans.push_back(bestFan(loop, position));
    if (fans.empty()) return joinedToMiddle(lines);
    std::vector<SheetTriangle> all;
    for (size_t i = 0; i < fans.size(); ++i) {
        if (fans[i].empty()) return joinedToMiddle(lines);
        for (size_t j = 0; j < i; ++j) {
            if (fansMeet(fans[i], fans[j], position)) return joinedToMiddle(lines);
        }
        all.insert(all.end(), fans[i].begin(), fans[i].end());
    }
    return all;
}

}  // namespace sunder::detail
