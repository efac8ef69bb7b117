#include "fracture/interface/stress_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/assert.h"
#include "math/box.h"

namespace sunder::fracture {

namespace {

constexpr double kCoarser = 1.2;  // cells, from try to try

/// For each point, the one that stands for its cell.
std::vector<uint32_t> worstOfCells(const std::vector<StressAt>& points, const Vec3& origin, double cell) {
    std::map<std::array<int64_t, 3>, uint32_t> worst;  // by cell
    std::vector<const uint32_t*> ofPoint;
    for (uint32_t i = 0; i < points.size(); ++i) {
        const Vec3 steps = (points[i].place - origin) / cell;
        const std::array<int64_t, 3> where{static_cast<int64_t>(steps.x()), static_cast<int64_t>(steps.y()),
                                           static_cast<int64_t>(steps.z())};
        const auto [known, fresh] = worst.try_emplace(where, i);
        if (!fresh && points[i].ratio() > points[known->second].ratio()) known->second = i;
        ofPoint.push_back(&known->second);
    }
    std::vector<uint32_t> chosen;
    for (const uint32_t* one : ofPoint) chosen.push_back(*one);
    return chosen;
}

/// The corners of a cell, ascending, and how many of them differ.
std::pair<std::array<uint32_t, 4>, size_t> sortedCorners(std::array<uint32_t, 4> cell) {
    std::sort(cell.begin(), cell.end());
    size_t differ = 1;
    for (size_t i = 1; i < cell.size(); ++i) differ += cell[i] != cell[i - 1] ? 1 : 0;
    return {cell, differ};
}

void keepOnly(StressPicture& picture, const std::vector<uint32_t>& standsFor) {
    ASSERT(standsFor.size() == picture.points.size());

    // points that stand for themselves stay, renumbered
    std::vector<uint32_t> number(picture.points.size());
    std::vector<StressAt> kept;
    for (uint32_t i = 0; i < standsFor.size(); ++i) {
        if (standsFor[i] != i) continue;
        number[i] = static_cast<uint32_t>(kept.size());
        kept.push_back(picture.points[i]);
    }

    // cells two of whose corners fall together are gone, and others become the same: one of each stays
    std::set<std::array<uint32_t, 4>> seen;
    std::vector<std::array<uint32_t, 4>> cells;
    for (std::array<uint32_t, 4> cell : picture.cells) {
        const size_t corners = sortedCorners(cell).second;
        for (uint32_t& corner : cell) corner = number[standsFor[corner]];
        const auto [sorted, left] = sortedCorners(cell);
        if (left == corners && seen.insert(sorted).second) cells.push_back(cell);
    }
    picture.points = std::move(kept);
    picture.cells = std::move(cells);
}

}  // namespace

void coarsen(StressPicture& picture, size_t most) {
    const std::vector<StressAt>& points = picture.points;
    if (points.size() <= most) return;
    ASSERT(most > 0);
    Box3 box;
    for (const StressAt& point : points) box.add(point.place);
    // cells at first: half as large as points are apart, if they fill their box
    const auto count = static_cast<double>(points.size());
    const double finest = std::max(0.5 * std::cbrt(box.size().prod() / count), box.size().maxCoeff() / count);
    for (double cell = finest;; cell *= kCoarser) {
        const std::vector<uint32_t> standsFor = worstOfCells(points, box.min, cell);
        size_t left = 0;
        for (uint32_t i = 0; i < standsFor.size(); ++i) left += standsFor[i] == i;
        if (left > most) continue;
        keepOnly(picture, standsFor);
        return;
    }
}

}  // namespace sunder::fracture
