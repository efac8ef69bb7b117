#include "fracture/prescored/detail/site_patterns.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "base/random.h"
#include "fracture/prescored/detail/nearest_sites.h"

namespace sunder::fracture {

namespace {

using Spacing = std::function<double(const Vec3&)>;  // relative, positive: how far apart sites should be there

/// Draws sites from the samples, more where the spacing is small. Each is the loneliest of a few candidates: pieces
/// differ in size, as broken things do, but two sites are seldom next to each other.
std::vector<Vec3> drawSites(const std::vector<Vec3>& points, double jitter, int count, const Spacing& spacing,
                            Random& random) {
    ASSERT(!points.empty());

    // chances summed up: as many sites in a volume as cubes of the spacing fill it
    std::vector<double> upTo(points.size());
    double sum = 0;
    for (size_t p = 0; p < points.size(); ++p) {
        const double s = spacing(points[p]);
        upTo[p] = sum += 1 / (s * s * s);
    }

    // of each few candidates the one farthest from all sites so far, by the spacing there
    const int candidates = count <= 1000 ? 5 : 1;  // quadratic in the count
    std::vector<Vec3> sites;
    for (int n = 0; n < count; ++n) {
        Vec3 best = points.front();
        double bestDistance = -1;
        for (int c = 0; c < candidates; ++c) {
            const auto drawn = std::upper_bound(upTo.begin(), upTo.end(), random.uniform() * sum) - upTo.begin();
            Vec3 candidate = points[std::min(static_cast<size_t>(drawn), points.size() - 1)];
            for (int axis = 0; axis < 3; ++axis) candidate[axis] += jitter * random.uniform(-0.5, 0.5);
            double nearest = std::numeric_limits<double>::infinity();
            for (const Vec3& site : sites) nearest = std::min(nearest, (site - candidate).squaredNorm());
            const double s = spacing(candidate);
            nearest /= s * s;
            if (nearest > bestDistance) {
                bestDistance = nearest;
                best = candidate;
            }
        }
        sites.push_back(best);
    }
    return sites;
}

/// Grows with the distance from the centre: 1 far away, 1 - concentration at the centre.
Spacing growingFrom(const Vec3& centre, double concentration, double farthest) {
    return [=](const Vec3& p) {
        return 1 - concentration + concentration * std::min(1.0, (p - centre).norm() / farthest);
    };
}

double farthestFrom(const Vec3& centre, const std::vector<Vec3>& points) {
    double farthest = 0;
    for (const Vec3& p : points) farthest = std::max(farthest, (p - centre).squaredNorm());
    return std::sqrt(std::max(farthest, std::numeric_limits<double>::min()));
}

int grainAxis(const Vec3& grain, const Box3& bounds) {
    int axis = 0;
    (grain.isZero() ? bounds.size() : Vec3(grain.cwiseAbs())).maxCoeff(&axis);
    return axis;
}

}  // namespace

std::vector<Vec3> concentratedSites(const InteriorSamples& body, int pieces, const Vec3& centre, double concentration,
                                    uint64_t seed) {
    Random random(seed, 2);
    return drawSites(body.points, body.spacing, pieces,
                     growingFrom(centre, concentration, farthestFrom(centre, body.points)), random);
}

SitePattern uniformSites(const SiteWish& wish) {
    return {concentratedSites(wish.body, wish.pieces, wish.place.point, 0, wish.seed)};
}

SitePattern radialSites(const SiteWish& wish) {
    return {concentratedSites(wish.body, wish.pieces, wish.place.point, wish.options.concentration, wish.seed)};
}

SitePattern splinterSites(const SiteWish& wish) {
    SitePattern pattern;
    pattern.squeeze[grainAxis(wish.options.grain, wish.body.bounds)] = 1.0 / wish.options.stretch;
    std::vector<Vec3> points = wish.body.points;
    for (Vec3& p : points) p = p.cwiseProduct(pattern.squeeze);
    const Vec3 centre = wish.place.point.cwiseProduct(pattern.squeeze);
    // wood splinters finer where it is struck, but it does so along its whole length
    const Spacing spacing = growingFrom(centre, 0.5, farthestFrom(centre, points));
    Random random(wish.seed, 2);
    pattern.sites = drawSites(points, 0.25 * wish.body.spacing, wish.pieces, spacing, random);
    return pattern;
}

size_t sitesInUse(const std::vector<Vec3>& sites, const std::vector<Vec3>& points) {
    const std::vector<uint32_t> owned = pointsPerSite(sites, points);
    const double share = static_cast<double>(points.size()) / static_cast<double>(std::max<size_t>(1, sites.size()));
    return static_cast<size_t>(std::count_if(owned.begin(), owned.end(), [&](uint32_t n) { return n > 0.05 * share; }));
}

}  // namespace sunder::fracture
