#include "geometry/cut/detail/wall_complex.h"

#include <algorithm>

namespace sunder::detail {

WallComplex::WallComplex(const VoronoiDiagram& cells)
    : positions(cells.vertices()), onContainer(cells.vertices().size(), 0) {
    for (uint32_t c = 0; c < cells.cellCount(); ++c) {
        for (const VoronoiDiagram::Face& face : cells.faces(SiteIndex{c})) {
            const auto loop = cells.loop(face);
            if (face.neighbour == kNone<SiteIndex>) {
                for (const uint32_t v : loop) onContainer[v] = 1;
                continue;
            }
            if (raw(face.neighbour) < c) continue;
            walls.push_back({c, raw(face.neighbour), static_cast<uint32_t>(corners.size()), face.cornerCount,
                             static_cast<uint32_t>(wallOfFan.size())});
            corners.insert(corners.end(), loop.begin(), loop.end());
            wallOfFan.insert(wallOfFan.end(), loop.size() - 2, static_cast<uint32_t>(walls.size() - 1));
        }
    }

    // edges in order of their ends
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
