#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dynamics/world.h"

/// What a world is doing, worked out from the poses and velocities of its bodies alone, so that nothing the engine says
/// about itself is believed.
namespace sunder::measures {

using dynamics::BodyId;
using dynamics::BodyState;
using dynamics::World;

inline constexpr double kFrame = 1.0 / 30;  // s

/// Of the body's axes: the frame in which its inertia is diagonal.
inline Mat3 worldFromPrincipal(const World& world, BodyId id) {
    return (world.state(id).pose * world.shape(id).bodyFromGiven().inverse()).rotation.toRotationMatrix();
}

struct Motion {
    double linear = 0, rotational = 0, potential = 0;  // J
    Vec3 momentum = Vec3::Zero();                      // kg m/s
    Vec3 angularMomentum = Vec3::Zero();               // kg m^2/s, about the origin
    double momentumScale = 0, angularScale = 0;        // sums of sizes, for relative errors
    bool finite = true;

    double kinetic() const { return linear + rotational; }
    double mechanical() const { return kinetic() + potential; }
};

inline Motion motionOf(const World& world) {
    Motion all;
    for (const BodyId id : world.bodies()) {
        const BodyState body = world.state(id);
        if (body.kind != dynamics::BodyKind::Dynamic) continue;
        const Mat3 axes = worldFromPrincipal(world, id);
        const Vec3 moments = body.mass / world.shape(id).volume() * world.shape(id).moments();
        const Vec3 spin = axes.transpose() * body.angularVelocity;
        all.linear += 0.5 * body.mass * body.velocity.squaredNorm();
        all.rotational += 0.5 * spin.dot(moments.cwiseProduct(spin));
        all.potential -= body.mass * world.options().gravity.dot(body.centre);
        const Vec3 p = body.mass * body.velocity, l = axes * moments.cwiseProduct(spin);
        all.momentum += p;
        all.angularMomentum += body.centre.cross(p) + l;
        all.momentumScale += p.norm();
        all.angularScale += body.centre.norm() * p.norm() + l.norm();
        all.finite = all.finite && body.centre.allFinite() && body.velocity.allFinite() && l.allFinite() &&
                     body.pose.rotation.coeffs().allFinite();
    }
    return all;
}

/// What the energy bar is relative to: kinetic energy at the start, and all weights times their heights above the
/// lowest place that a body of the scene can get to.
inline double energyScale(const World& world, double lowest = 0) {
    double scale = motionOf(world).kinetic();
    const Vec3 gravity = world.options().gravity;
    for (const BodyId id : world.bodies()) {
        const BodyState body = world.state(id);
        if (body.kind != dynamics::BodyKind::Dynamic || gravity.isZero()) continue;
        scale += body.mass * gravity.norm() * std::max(0.0, -gravity.normalized().dot(body.centre) - lowest);
    }
    return scale;
}

/// The largest rise of a quantity above the least it was before.
class Rise {
public:
    void add(double value) {
        least_ = std::min(least_, value);
        largest_ = std::max(largest_, value - least_);
    }
    double largest() const { return largest_; }

private:
    double least_ = std::numeric_limits<double>::infinity(), largest_ = 0;
};

inline std::vector<Vec3> centresOf(const World& world, const std::vector<BodyId>& bodies) {
    std::vector<Vec3> centres;
    for (const BodyId id : bodies) centres.push_back(world.state(id).centre);
    return centres;
}

inline double largestDistance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
    return largest;
}

inline void run(World& world, int frames, double dt = kFrame) {
    for (int frame = 0; frame < frames; ++frame) world.step(dt);
}

/// A convex body in its place, in double.
struct PlacedHull {
    std::vector<Vec3> corners;       // world, m
    std::vector<Vec3> faces, edges;  // directions
    Vec3 centre = Vec3::Zero();
    double radius = 0;

    PlacedHull(const World& world, BodyId id) : centre(world.state(id).centre), radius(world.shape(id).radius()) {
        const Mat3 rotation = worldFromPrincipal(world, id);
        const dynamics::ConvexCore& core = *world.shape(id).convex();
        for (int i = 0; i < core.vertexCount; ++i) corners.push_back(centre + rotation * core.vertex(i).cast<double>());
        for (const auto& face : core.faces) faces.push_back(rotation * face.normal.cast<double>());
        for (size_t i = 0; i < static_cast<size_t>(core.edges.count); ++i)
            edges.push_back((rotation * Vec3(core.edges.dx[i], core.edges.dy[i], core.edges.dz[i])).normalized());
    }
};

/// How deep two convex bodies overlap, m: over all axes of faces and pairs of edges; negative when apart.
inline double overlap(const PlacedHull& a, const PlacedHull& b) {
    const Vec3 between = b.centre - a.centre;
    if (between.norm() > a.radius + b.radius) return -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    const auto along = [&](const Vec3& axis) {
        double highA = -1e300, lowA = 1e300, highB = -1e300, lowB = 1e300;
        for (const Vec3& p : a.corners) highA = std::max(highA, axis.dot(p)), lowA = std::min(lowA, axis.dot(p));
        for (const Vec3& p : b.corners) highB = std::max(highB, axis.dot(p)), lowB = std::min(lowB, axis.dot(p));
        least = std::min({least, highA - lowB, highB - lowA});
    };
    for (const Vec3& axis : a.faces) along(axis);
    for (const Vec3& axis : b.faces) along(axis);
    if (least < 0) return least;
    for (const Vec3& p : a.edges) {
        for (const Vec3& q : b.edges) {
            const Vec3 axis = p.cross(q);
            if (axis.squaredNorm() > 1e-8) along(axis.normalized());
        }
    }
    return least;
}

/// Of every touching pair of these convex bodies.
struct Overlap {
    size_t a = 0, b = 0;
    double depth = 0;  // m, > 0
};
inline std::vector<Overlap> overlaps(const World& world, const std::vector<BodyId>& bodies) {
    std::vector<PlacedHull> hulls;
    for (const BodyId id : bodies) hulls.emplace_back(world, id);
    std::vector<Overlap> found;
    for (size_t i = 0; i < hulls.size(); ++i) {
        for (size_t j = i + 1; j < hulls.size(); ++j) {
            const double depth = overlap(hulls[i], hulls[j]);
            if (depth > 0) found.push_back({i, j, depth});
        }
    }
    return found;
}

}  // namespace sunder::measures
