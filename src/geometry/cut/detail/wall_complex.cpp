#include "geometry/cut/detail/wall_complex.h"

#include <algorithm>

#include "base/assert.h"

namespace sunder::detail {

namespace {

/// Cells are convex: what no wall crosses lies in the one that holds its middle.
uint32_t nearestSite(std::span<const Vec3> part, const VoronoiDiagram& cells) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : part) middle += p / static_cast<double>(part.size());
    uint32_t best = kInvalidIndex;
    double bestDistance = 0;
    for (uint32_t c = 0; c < cells.cellCount(); ++c) {
        if (cells.faces(SiteIndex{c}).empty()) continue;
        const double distance = (cells.sites()[c] - middle).squaredNorm();
        if (best == kInvalidIndex || distance < bestDistance) {
            best = c;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace

WallComplex::WallComplex(const VoronoiDiagram& cells)
    : cellCount(cells.cellCount()),
      positions(cells.vertices()),
      outside(cells.vertices().size(), 0),
      cellOfPart([&cells](std::span<const Vec3> part) { return nearestSite(part, cells); }) {
    // each face between two cells once, from the lower; faces of the container are no walls
    for (uint32_t c = 0; c < cells.cellCount(); ++c) {
        for (const VoronoiDiagram::Face& face : cells.faces(SiteIndex{c})) {
            const auto loop = cells.loop(face);
            if (face.neighbour == kNone<SiteIndex>) {
                for (const uint32_t v : loop) outside[v] = 1;
                continue;
            }
            if (raw(face.neighbour) < c) continue;
            walls.push_back({c, raw(face.neighbour), static_cast<uint32_t>(corners.size()), face.cornerCount,
                             static_cast<uint32_t>(wallOfFan.size())});
            corners.insert(corners.end(), loop.begin(), loop.end());
            ASSERT(loop.size() >= 3);
            // a convex polygon of n corners is a fan of n - 2 triangles
            wallOfFan.insert(wallOfFan.end(), loop.size() - 2, static_cast<uint32_t>(walls.size() - 1));
        }
    }
    numberEdges();
}

WallComplex::WallComplex(const CellWalls& given)
    : cellCount(given.cellCount),
      positions(given.positions),
      outside(given.positions.size(), 0),
      cellOfPart([&given](std::span<const Vec3> part) { return given.cellAt(part.front()); }) {
    walls.reserve(given.walls.size());
    corners.reserve(3 * given.walls.size());
    wallOfFan.reserve(given.walls.size());
    for (uint32_t w = 0; w < given.walls.size(); ++w) {
        const CellWalls::Wall& wall = given.walls[w];
        walls.push_back({wall.cell, wall.neighbour, 3 * w, 3, w});
        corners.insert(corners.end(), wall.corners.begin(), wall.corners.end());
        wallOfFan.push_back(w);
    }
    numberEdges();
}

/// In order of their ends.
void WallComplex::numberEdges() {
    std::vector<Edge> sideEdges;
    sideEdges.reserve(corners.size());
    for (const Wall& wall : walls) {
        for (uint32_t k = 0; k < wall.cornerCount; ++k) {
            const uint32_t a = corners[wall.firstCorner + k];
            const uint32_t b = corners[wall.firstCorner + (k + 1) % wall.cornerCount];
            sideEdges.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    edges = sideEdges;
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    sides.reserve(corners.size());
    for (size_t i = 0; i < sideEdges.size(); ++i) {
        const auto place = std::lower_bound(edges.begin(), edges.end(), sideEdges[i]);
        sides.push_back({static_cast<uint32_t>(place - edges.begin()), corners[i] == sideEdges[i].from});
    }
}

Vec3 WallComplex::normal(const Wall& wall) const {
    Vec3 sum = Vec3::Zero();
    for (uint32_t f = wall.firstFan; f < wall.firstFan + fanCount(wall); ++f) {
        const WallTriangle t = fan(f);
        sum += (positions[t[1]] - positions[t[0]]).cross(positions[t[2]] - positions[t[0]]);
    }
    const double length = sum.norm();
    return length > 0 ? Vec3(sum / length) : Vec3(0, 0, 1);
}

}  // namespace sunder::detail
