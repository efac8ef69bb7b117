#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace sunder::fracture {

/// Counts for each site the points that it is the nearest to; ties go to the first.
template <class Point>
std::vector<uint32_t> pointsPerSite(const std::vector<Point>& sites, const std::vector<Point>& points) {
    std::vector<uint32_t> owned(sites.size(), 0);
    for (const Point& p : points) {
        size_t nearest = 0;
        double best = std::numeric_limits<double>::infinity();
        for (size_t s = 0; s < sites.size(); ++s) {
            const double squaredDistance = (sites[s] - p).squaredNorm();
            if (squaredDistance < best) {
                best = squaredDistance;
                nearest = s;
            }
        }
        if (!sites.empty()) ++owned[nearest];
    }
    return owned;
}

}  // namespace sunder::fracture
