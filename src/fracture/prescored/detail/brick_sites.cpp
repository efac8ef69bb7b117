#include <algorithm>
#include <cmath>
#include <limits>

#include "fracture/prescored/detail/site_patterns.h"

namespace sunder::fracture {

namespace {

constexpr double kSqueeze = 1.0 / 16;

struct Bond {
    int length = 0, height = 1, depth = 2;  // axes of the body
    Box3 box;
    Vec3 counts = Vec3::Ones();  // bricks along each axis, whole numbers
    Vec3 size = Vec3::Ones();    // m, of a brick, along each axis

    bool shifted(int course) const { return course % 2 == 1; }
    int bricksInCourse(int course) const { return static_cast<int>(counts[length]) + (shifted(course) ? 1 : 0); }

    /// The number of the brick a point is in; courses differ in their number of bricks, so each has one place to spare.
    size_t indexOf(const Vec3& point) const {
        const auto at = [&](int axis, double shift, int count) {
            const double place = std::floor((point[axis] - box.min[axis]) / size[axis] + shift);
            return static_cast<size_t>(std::clamp(place, 0.0, count - 1.0));
        };
        const size_t course = at(height, 0, static_cast<int>(counts[height]));
        const int bricks = bricksInCourse(static_cast<int>(course));
        const size_t along = at(length, shifted(static_cast<int>(course)) ? 0.5 : 0, bricks);
        const size_t layer = at(depth, 0, static_cast<int>(counts[depth]));
        return along + static_cast<size_t>(counts[length] + 1) * (course + static_cast<size_t>(counts[height]) * layer);
    }
    size_t places() const { return static_cast<size_t>((counts[length] + 1) * counts[height] * counts[depth]); }
};

Bond bondFor(const Box3& box, const Vec3& brick, double scale) {
    Bond bond;
    bond.box = box;
    if (box.size().x() < box.size().z()) std::swap(bond.length, bond.depth);
    const auto fit = [&](int axis, double side) {
        bond.counts[axis] = std::max(1.0, std::floor(box.size()[axis] / (scale * side) + 0.5));
        bond.size[axis] = std::max(box.size()[axis], 1e-9 * box.diagonal()) / bond.counts[axis];
    };
    fit(bond.length, brick.x());
    fit(bond.height, brick.y());
    fit(bond.depth, brick.z());
    return bond;
}

std::vector<uint8_t> bricksInUse(const Bond& bond, const std::vector<Vec3>& points) {
    std::vector<uint8_t> used(bond.places(), 0);
    for (const Vec3& p : points) used[bond.indexOf(p)] = 1;
    return used;
}

}  // namespace

/// Bricks in running bond along the axes of the body, courses level (y is up), whole bricks fitted to its box. The
/// space is squeezed along the bricks: cells of sites shifted by half a brick from course to course are hexagons, and
/// squeezed 16 times these are bricks to a thousandth of their height.
SitePattern brickSites(const SiteWish& wish) {
    const PatternOptions& options = wish.options;
    const InteriorSamples& body = wish.body;
    const int pieces = wish.pieces;
    const std::vector<Vec3> points = thinned(body.points, 256 + 24 * static_cast<size_t>(pieces));
    // from one brick as large as the body downwards: the first size that gives the nearest number of bricks
    Bond best;
    std::vector<uint8_t> used;
    double smallestMiss = std::numeric_limits<double>::infinity();
    double scale = body.bounds.size().maxCoeff() / options.brick.minCoeff();
    for (int step = 0; step < 200; ++step, scale *= 0.96) {
        const Bond bond = bondFor(body.bounds, options.brick, scale);
        std::vector<uint8_t> inUse = bricksInUse(bond, points);
        const auto bricks = static_cast<double>(std::count(inUse.begin(), inUse.end(), 1));
        const double miss = std::abs(bricks - pieces);
        if (miss < smallestMiss) {
            smallestMiss = miss;
            best = bond;
            used = std::move(inUse);
        } else if (bricks > 2.0 * pieces + 8) {
            break;
        }
    }

    // a site in the middle of each brick that holds some of the body
    SitePattern pattern;
    pattern.squeeze[best.length] = kSqueeze;
    for (int layer = 0; layer < static_cast<int>(best.counts[best.depth]); ++layer) {
        for (int course = 0; course < static_cast<int>(best.counts[best.height]); ++course) {
            for (int along = 0; along < best.bricksInCourse(course); ++along) {
                Vec3 place;
                place[best.length] = along + (best.shifted(course) ? 0 : 0.5);
                place[best.height] = course + 0.5;
                place[best.depth] = layer + 0.5;
                const Vec3 site = best.box.min + best.size.cwiseProduct(place);
                if (used[best.indexOf(site)] == 1) pattern.sites.push_back(site.cwiseProduct(pattern.squeeze));
            }
        }
    }
    return pattern;
}

}  // namespace sunder::fracture
