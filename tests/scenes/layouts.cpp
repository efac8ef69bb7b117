#include "tests/scenes/layouts.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "geometry/convex/fragment_generator.h"

namespace sunder::scenes {
namespace {

Quat randomOrientation(Random& random) {
    return Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}

/// A piece in its place, for asking whether another one is clear of it.
struct PlacedPoints {
    std::vector<Vec3> points;  // m, world
    Vec3 centre = Vec3::Zero();
    double radius = 0;  // of the ball around all points

    PlacedPoints(const std::vector<Vec3>& shape, const RigidTransform& pose) : centre(pose.translation) {
        for (const Vec3& point : shape) {
            points.push_back(pose * point);
            radius = std::max(radius, point.norm());
        }
    }
    double reach(const Vec3& direction) const {
        double farthest = 0;
        for (const Vec3& point : points) farthest = std::max(farthest, direction.dot(point - centre));
        return farthest;
    }
};

/// A plane across the line between the centres parts them.
bool clear(const PlacedPoints& a, const PlacedPoints& b) {
    const Vec3 between = b.centre - a.centre;
    const double squared = between.squaredNorm(), touching = a.radius + b.radius;
    if (squared > touching * touching) return true;
    const double distance = std::sqrt(squared);
    const Vec3 direction = between / distance;
    return a.reach(direction) + b.reach(-direction) < distance;
}

bool insideBox(const PlacedPoints& piece, double side) {
    for (const Vec3& point : piece.points) {
        if (!(std::abs(point.x()) < 0.5 * side && std::abs(point.z()) < 0.5 * side && point.y() > 0)) return false;
    }
    return true;
}

std::vector<PlacedBox> openBox(double side, double height) {
    constexpr double kThickness = 0.5;  // m
    const double across = side + 2 * kThickness, middle = 0.5 * (side + kThickness);
    const auto at = [](double x, double y, double z) { return RigidTransform{Quat::Identity(), {x, y, z}}; };
    return {{{across, kThickness, across}, at(0, -0.5 * kThickness, 0)},
            {{kThickness, height, across}, at(-middle, 0.5 * height, 0)},
            {{kThickness, height, across}, at(middle, 0.5 * height, 0)},
            {{side, height, kThickness}, at(0, 0.5 * height, -middle)},
            {{side, height, kThickness}, at(0, 0.5 * height, middle)}};
}

}  // namespace

bool PileLayout::escaped(const Vec3& centre) const {
    const double half = 0.5 * side, top = walls[1].size.y();
    return !(std::abs(centre.x()) <= half && std::abs(centre.z()) <= half && centre.y() >= 0 && centre.y() <= top);
}

PileLayout layOutPile(size_t count, const std::vector<std::vector<Vec3>>& shapes, uint64_t seed) {
    constexpr double kColumnSpacing = 0.32;  // m, at least
    constexpr double kTop = 16;              // m
    constexpr int kAttempts = 10000;

    PileLayout layout;
    layout.side = 2 * std::cbrt(static_cast<double>(count) / 1000);
    const size_t perSide = std::max<size_t>(1, static_cast<size_t>(layout.side / kColumnSpacing));
    const size_t perLayer = perSide * perSide, layers = (count + perLayer - 1) / perLayer;
    const double spacing = layout.side / static_cast<double>(perSide);
    const double rise = (kTop - 0.5) / static_cast<double>(std::max<size_t>(layers, 2) - 1);

    std::vector<PlacedPoints> placed;
    for (size_t i = 0; i < count; ++i) {
        const size_t column = i % perLayer;
        const Vec3 place((static_cast<double>(column % perSide) + 0.5) * spacing - 0.5 * layout.side,
                         0.5 + rise * static_cast<double>(i / perLayer),
                         (static_cast<double>(column / perSide) + 0.5) * spacing - 0.5 * layout.side);
        Random random(seed, i);
        for (int attempt = 0;; ++attempt) {
            if (attempt == kAttempts) throw std::runtime_error("no room for a piece of the pile");
            const double jitter = 0.02 + 0.001 * attempt;  // m
            const Vec3 shift(random.uniform(-jitter, jitter), random.uniform(-jitter, jitter),
                             random.uniform(-jitter, jitter));
            const RigidTransform pose{randomOrientation(random), place + shift};
            const uint32_t shape = static_cast<uint32_t>(i % shapes.size());
            PlacedPoints piece(shapes[shape], pose);
            if (!insideBox(piece, layout.side)) continue;
            if (!std::all_of(placed.rbegin(), placed.rend(), [&](const auto& other) { return clear(piece, other); })) {
                continue;
            }
            layout.pieces.push_back({shape, pose});
            placed.push_back(std::move(piece));
            break;
        }
    }
    layout.walls = openBox(layout.side, kTop + 3);
    return layout;
}

ConvexPile convexPile(size_t count, uint64_t seed, size_t distinctShapes) {
    constexpr uint64_t kShapesPart = 1, kPlacesPart = 2;  // of the seed
    ConvexPile pile;
    pile.hulls = convexFragments(mixSeed(seed, kShapesPart), distinctShapes);
    std::vector<std::vector<Vec3>> corners;
    for (const ConvexPolytope& hull : pile.hulls) corners.push_back(hull.vertices);
    pile.layout = layOutPile(count, corners, mixSeed(seed, kPlacesPart));
    return pile;
}

BoxLayout layOutStack(size_t count, double side) {
    BoxLayout layout;
    for (size_t i = 0; i < count; ++i) {
        layout.boxes.push_back(
            {Vec3::Constant(side), {Quat::Identity(), Vec3(0, (static_cast<double>(i) + 0.5) * side, 0)}});
    }
    return layout;
}

BoxLayout layOutBrickWall(size_t rows, size_t perRow) {
    const Vec3 whole(0.6, 0.3, 0.3), half(0.3, 0.3, 0.3);
    const double length = static_cast<double>(perRow) * whole.x();
    BoxLayout layout;
    for (size_t row = 0; row < rows; ++row) {
        const double height = (static_cast<double>(row) + 0.5) * whole.y();
        double end = -0.5 * length;
        for (const bool odd = row % 2 == 1; end < 0.5 * length - 0.1;) {
            const bool first = end<-0.5 * length + 0.1, last = end> 0.5 * length - 0.4;
            const Vec3& size = odd && (first || last) ? half : whole;
            layout.boxes.push_back({size, {Quat::Identity(), Vec3(end + 0.5 * size.x(), height, 0)}});
            end += size.x();
        }
    }
    return layout;
}

}  // namespace sunder::scenes
