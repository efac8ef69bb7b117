#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "base/random.h"
#include "fracture/prescored/detail/nearest_sites.h"
#include "fracture/prescored/detail/portable.h"
#include "fracture/prescored/detail/site_patterns.h"

namespace sunder::fracture {

namespace {

constexpr double kRingGrowth = 2.1;  // of one ring's radius over the one before
constexpr int kMostRings = 64;

/// Sites in the plane, for a first ring of this radius. The same random numbers for any radius, so that the pattern
/// only moves while the radius is being sought.
std::vector<Vec2> polarSites(double firstRadius, double reach, int spokes, Random random) {
    ASSERT(firstRadius > 0 && spokes > 0);
    std::vector<Vec2> sites{firstRadius * 0.2 * Vec2(random.uniform(-1, 1), random.uniform(-1, 1))};
    // a spoke keeps its angle from ring to ring: cracks run straight from the centre
    std::vector<double> angles;
    for (int s = 0; s < spokes; ++s) angles.push_back((s + 0.6 * random.uniform(-0.5, 0.5)) / spokes);
    double radius = firstRadius;
    for (int ring = 0; ring < kMostRings && radius < reach * kRingGrowth; ++ring) {
        // sites of one ring stray a little from it, and from their spokes
        Random jitter(random.bits64(), static_cast<uint64_t>(ring));
        const double turn = 1.0 / static_cast<double>(angles.size());
        for (const double angle : angles) {
            const double r = radius * (1 + 0.15 * jitter.uniform(-1, 1));
            sites.push_back(r * directionAt(angle + 0.05 * turn * jitter.uniform(-1, 1)));
        }
        // behind every other ring some cracks fork
        if (ring % 2 == 1) {
            std::vector<double> forked;
            for (size_t s = 0; s < angles.size(); ++s) {
                const bool fork = jitter.uniform() < 0.3;
                if (fork) {
                    forked.push_back(angles[s] - 0.22 * turn);
                    forked.push_back(angles[s] + 0.22 * turn);
                } else {
                    forked.push_back(angles[s]);
                }
            }
            angles = std::move(forked);
        }
        radius *= kRingGrowth;
    }
    return sites;
}

/// Those that are nearest to one of the points.
std::vector<Vec2> inUse(const std::vector<Vec2>& sites, const std::vector<Vec2>& points) {
    const std::vector<uint32_t> owned = pointsPerSite(sites, points);
    std::vector<Vec2> kept;
    for (size_t s = 0; s < sites.size(); ++s) {
        if (owned[s] > 0) kept.push_back(sites[s]);
    }
    return kept;
}

/// The samples as the axis sees them, no more than are needed.
std::vector<Vec2> projected(const InteriorSamples& body, int pieces, const RigidTransform& patternFromBody) {
    std::vector<Vec2> points;
    for (const Vec3& p : thinned(body.points, 256 + 24 * static_cast<size_t>(pieces))) {
        points.push_back((patternFromBody * p).head<2>());
    }
    return points;
}

}  // namespace

/// Concentric and radial cracks: sites on rings and spokes in the plane across the axis, so that every wall runs along
/// the axis, as in a pane struck square. Rings widen outwards in proportion to their radius and spokes fork, so that
/// shards are of one shape and grow with the distance. Sites that own nothing of the body are left out.
SitePattern glassSites(const SiteWish& wish) {
    const auto& [options, body, pieces, place, seed] = wish;

    // how far the body reaches from the impact, as the axis sees it, and how many spokes it gets
    const RigidTransform bodyFromGlass = bodyFromPattern(place, seed);
    const Random random(seed, 2);
    const std::vector<Vec2> points = projected(body, pieces, bodyFromGlass.inverse());
    double reach = 0;
    for (const Vec2& p : points) reach = std::max(reach, p.norm());
    reach = std::max(reach, body.spacing);
    const int spokes = options.spokes > 0
                           ? options.spokes
                           : std::clamp(static_cast<int>(1.9 * std::sqrt(static_cast<double>(pieces)) + 1), 5, 48);

    // the smaller the first ring, the more rings there are: take the radius that gives the nearest number
    std::vector<Vec2> best;
    size_t smallestMiss = std::numeric_limits<size_t>::max();
    double radius = reach;
    for (int step = 0; step < 40 && radius > 0.004 * reach; ++step, radius *= 0.87) {
        std::vector<Vec2> sites = inUse(polarSites(radius, reach, spokes, random), points);
        const size_t wanted = static_cast<size_t>(pieces);
        const size_t miss = sites.size() > wanted ? sites.size() - wanted : wanted - sites.size();
        if (miss < smallestMiss) {
            smallestMiss = miss;
            best = std::move(sites);
        } else if (sites.size() > 2 * wanted + 8) {
            break;
        }
    }

    // back from the plane into the body
    std::vector<Vec3> sites;
    for (const Vec2& s : best) sites.push_back(bodyFromGlass * Vec3(s.x(), s.y(), 0));
    return {sites};
}

}  // namespace sunder::fracture
