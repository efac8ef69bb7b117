#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "geometry/surface/detail/wall_polygons.h"

namespace sunder::detail {

namespace {

constexpr double kTowardsMean = 0.6;  // share of the way per round; 1 may oscillate

struct Neighbour {
    uint32_t loose = 0;  // index into the loose vertices
    uint32_t vertex = 0;
    bool onLine = false;  // along a line where several walls meet
    friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

/// For each loose vertex those it is drawn to.
struct Neighbours {
    std::vector<Neighbour> all;  // by loose vertex
    std::vector<size_t> start;   // one per loose vertex, and one more
};

/// A side of a polygon is counted once by each polygon at it: two on a wall, more where walls meet.
std::vector<Neighbour> sidesOf(const WallVertices& vertices, const std::vector<WallPolygon>& polygons) {
    std::vector<uint32_t> looseNumber(vertices.positions.size(), LatticeComponents::kOutside);
    for (size_t i = 0; i < vertices.loose.size(); ++i) looseNumber[vertices.loose[i].vertex] = static_cast<uint32_t>(i);
    std::vector<Neighbour> sides;
    for (const WallPolygon& polygon : polygons) {
        for (size_t c = 0; c < polygon.count; ++c) {
            const uint32_t a = polygon.corners[c], b = polygon.corners[(c + 1U) % polygon.count];
            if (looseNumber[a] != LatticeComponents::kOutside) sides.push_back({looseNumber[a], b, false});
            if (looseNumber[b] != LatticeComponents::kOutside) sides.push_back({looseNumber[b], a, false});
        }
    }
    std::sort(sides.begin(), sides.end());
    return sides;
}

Neighbours neighboursOf(const WallVertices& vertices, const std::vector<WallPolygon>& polygons) {
    const std::vector<Neighbour> sides = sidesOf(vertices, polygons);
    Neighbours found;
    found.start.push_back(0);
    size_t next = 0;
    for (size_t i = 0; i < vertices.loose.size(); ++i) {
        bool anyLine = false;
        while (next < sides.size() && sides[next].loose == i) {
            size_t end = next;
            while (end < sides.size() && sides[end] == sides[next]) ++end;
            found.all.push_back(sides[next]);
            found.all.back().onLine = end - next > 2;
            anyLine = anyLine || end - next > 2;
            next = end;
        }
        if (anyLine) {
            const auto begin = found.all.begin() + static_cast<std::ptrdiff_t>(found.start.back());
            found.all.erase(std::remove_if(begin, found.all.end(), [](const Neighbour& n) { return !n.onLine; }),
                            found.all.end());
        }
        found.start.push_back(found.all.size());
    }
    return found;
}

}  // namespace

void smoothLoose(WallVertices& vertices, const std::vector<WallPolygon>& polygons, const LabelCells& cells,
                 const WallPlacer& placer, int rounds) {
    if (vertices.loose.empty()) return;
    const Neighbours neighbours = neighboursOf(vertices, polygons);
    std::vector<Vec3> moved(vertices.loose.size());
    for (int round = 0; round < rounds; ++round) {
        parallelFor(moved.size(), 512, [&](const BlockRange& block) {
            for (size_t i = block.begin; i < block.end; ++i) {
                const auto& [vertex, cell] = vertices.loose[i];
                const size_t begin = neighbours.start[i], end = neighbours.start[i + 1];
                Vec3 mean = Vec3::Zero();
                for (size_t n = begin; n < end; ++n) mean += vertices.positions[neighbours.all[n].vertex];
                mean /= static_cast<double>(std::max<size_t>(end - begin, 1));
                const Vec3& here = vertices.positions[vertex];
                const Vec3 corner(cell[0], cell[1], cell[2]);
                const Vec3 wanted = begin == end ? here : Vec3(here + kTowardsMean * (mean - here));
                moved[i] = corner + placer.pulledToSolid(cell, cells.labels(cell), wanted - corner);
            }
        });
        for (size_t i = 0; i < moved.size(); ++i) vertices.positions[vertices.loose[i].vertex] = moved[i];
    }
}

}  // namespace sunder::detail
