#include "geometry/cut/detail/improve_triangles.h"

#include <algorithm>
#include <vector>

namespace sunder::detail {

namespace {

constexpr int kMaxSweeps = 16;
constexpr double kGain = 1e-9;  // of a shape: less is rounding, and might be turned back and forth

struct Side {
    Node low = 0, high = 0;
    uint32_t triangle = 0;
    uint32_t corner = 0;  // the side runs from here to the next
};

std::vector<Side> sortedSides(std::span<const std::array<Node, 3>> triangles) {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        for (uint32_t k = 0; k < 3; ++k) {
            const Node a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, k});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    return sides;
}

bool hasEdge(std::span<const Side> sides, Node a, Node b) {
    const std::pair wanted(std::min(a, b), std::max(a, b));
    const auto place = std::lower_bound(sides.begin(), sides.end(), wanted,
                                        [](const Side& s, const auto& w) { return std::pair(s.low, s.high) < w; });
    return place != sides.end() && std::pair(place->low, place->high) == wanted;
}

}  // namespace

void improveTriangles(std::span<std::array<Node, 3>> triangles, std::span<const Vec3> positions, const Vec3& normal) {
    std::vector<uint8_t> changed(triangles.size());
    const auto shape = [&](const std::array<Node, 3>& t) {
        return shapeOf(positions[t[0]], positions[t[1]], positions[t[2]], normal);
    };
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        // a side of two triangles stands twice in the sorted list, one after the other
        const std::vector<Side> sides = sortedSides(triangles);
        std::fill(changed.begin(), changed.end(), uint8_t{0});
        bool any = false;
        for (size_t i = 0; i + 1 < sides.size(); ++i) {
            const Side &s = sides[i], &other = sides[i + 1];
            if (s.low != other.low || s.high != other.high) continue;
            const bool moreThanTwo = (i > 0 && sides[i - 1].low == s.low && sides[i - 1].high == s.high) ||
                                     (i + 2 < sides.size() && sides[i + 2].low == s.low && sides[i + 2].high == s.high);
            if (moreThanTwo || changed[s.triangle] || changed[other.triangle]) continue;
            auto &first = triangles[s.triangle], &second = triangles[other.triangle];
            // turning the side must not make an edge that is there, nor move a triangle twice in one sweep
            const Node a = first[s.corner], b = first[(s.corner + 1) % 3];
            const Node c = first[(s.corner + 2) % 3], d = second[(other.corner + 2) % 3];
            if (second[other.corner] != b || c == d || hasEdge(sides, c, d)) continue;
            // only where the worse of the two gets clearly better: sweeps must end
            const std::array<Node, 3> turnedFirst{c, d, b}, turnedSecond{d, c, a};
            const double before = std::min(shape(first), shape(second));
            if (std::min(shape(turnedFirst), shape(turnedSecond)) <= before + kGain) continue;
            first = turnedFirst;
            second = turnedSecond;
            changed[s.triangle] = changed[other.triangle] = 1;
            any = true;
        }
        if (!any) break;
    }
}

}  // namespace sunder::detail
