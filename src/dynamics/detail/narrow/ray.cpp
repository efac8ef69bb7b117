#include "dynamics/detail/narrow/ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::dynamics::detail {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Ray {
    Vec3 origin;     // m
    Vec3 direction;  // unit
    Vec3 at(double t) const { return origin + t * direction; }
};

/// The part of a ray inside a convex set, and the surface where it comes in.
struct Passage {
    double enter = -kNever, leave = kNever;  // m
    Vec3 normal = Vec3::Zero();

    /// Only what is below the plane normal . x <= offset.
    void cut(const Ray& ray, const Vec3& planeNormal, double offset) {
        const double above = planeNormal.dot(ray.origin) - offset, slope = planeNormal.dot(ray.direction);
        if (slope == 0) {
            if (above > 0) leave = -kNever;
            return;
        }
        const double t = -above / slope;
        if (slope > 0) {
            leave = std::min(leave, t);
        } else if (t > enter) {
            enter = t;
            normal = planeNormal;
        }
    }

    std::optional<ShapeHit> hit(const Ray& ray, double maxDistance) const {
        if (enter > leave || leave < 0 || enter > maxDistance) return std::nullopt;
        if (enter <= 0) return ShapeHit{0, -ray.direction};
        return ShapeHit{enter, normal};
    }
};

/// Inside a ball. The nearest place on the ray is found first, so that little is lost for far origins.
Passage throughBall(const Ray& ray, const Vec3& centre, double radius) {
    const double nearest = ray.direction.dot(centre - ray.origin);
    const double squared = radius * radius - (ray.at(nearest) - centre).squaredNorm();
    if (squared < 0) return {kNever, -kNever, Vec3::Zero()};
    const double half = std::sqrt(squared);
    return {nearest - half, nearest + half, (ray.at(nearest - half) - centre) / radius};
}

/// Inside the endless tube around y.
Passage throughTube(const Ray& ray, double radius) {
    const Vec3 across(ray.direction.x(), 0, ray.direction.z()), start(ray.origin.x(), 0, ray.origin.z());
    const double a = across.squaredNorm();
    const auto missed = Passage{kNever, -kNever, Vec3::Zero()};
    if (a == 0) return start.squaredNorm() <= radius * radius ? Passage{} : missed;
    const double nearest = -across.dot(start) / a;
    const double squared = radius * radius - (start + nearest * across).squaredNorm();
    if (squared < 0) return missed;
    const double half = std::sqrt(squared / a);
    return {nearest - half, nearest + half, (start + (nearest - half) * across) / radius};
}

Passage throughCylinder(const Ray& ray, double radius, double halfLength) {
    Passage passage = throughTube(ray, radius);
    passage.cut(ray, Vec3::UnitY(), halfLength);
    passage.cut(ray, -Vec3::UnitY(), halfLength);
    return passage;
}

/// The union of its tube and its two balls, which is convex: first in, last out.
Passage throughCapsule(const Ray& ray, double radius, double halfLength) {
    Passage first{kNever, -kNever, Vec3::Zero()};
    for (const Passage& part : {throughCylinder(ray, radius, halfLength), throughBall(ray, {0, halfLength, 0}, radius),
                                throughBall(ray, {0, -halfLength, 0}, radius)}) {
        if (part.enter > part.leave) continue;
        if (part.enter < first.enter) first.enter = part.enter, first.normal = part.normal;
        first.leave = std::max(first.leave, part.leave);
    }
    return first;
}

Passage throughHull(const Ray& ray, const ConvexCore& hull) {
    Passage passage;
    for (const ConvexCore::Face& face : hull.faces) passage.cut(ray, face.normal.cast<double>(), face.offset);
    return passage;
}

std::optional<ShapeHit> hitField(const FieldSolid& field, const Ray& ray, double maxDistance) {
    // without a limit first: the far side tells whether the ray starts inside
    const auto hit = field.tree->raycast(ray.origin, ray.direction);
    if (!hit) return std::nullopt;
    const Vec3 normal = field.surface.areaVector(hit->triangle).normalized();
    if (normal.dot(ray.direction) > 0) return ShapeHit{0, -ray.direction};
    if (hit->distance > maxDistance) return std::nullopt;
    return ShapeHit{hit->distance, normal};
}

std::optional<ShapeHit> hitCompound(const Compound& compound, const Ray& ray, double maxDistance) {
    std::optional<ShapeHit> nearest;
    for (const CompoundPart& part : compound.parts) {
        const RigidTransform partFromBody = part.bodyFromPart.inverse();
        const double limit = nearest ? nearest->distance : maxDistance;
        const auto hit = castRay(*part.shape, partFromBody * ray.origin, partFromBody.rotation * ray.direction, limit);
        if (!hit || (nearest && hit->distance >= nearest->distance)) continue;
        nearest = ShapeHit{hit->distance, part.bodyFromPart.rotation * hit->normal};
    }
    return nearest;
}

Passage throughConvex(const Shape& shape, const Ray& ray) {
    switch (shape.kind()) {
        case ShapeKind::Sphere:
            return throughBall(ray, Vec3::Zero(), shape.roundRadius());
        case ShapeKind::Capsule:
            return throughCapsule(ray, shape.roundRadius(), shape.halfLength());
        case ShapeKind::Cylinder:
            return throughCylinder(ray, shape.roundRadius(), shape.halfLength());
        case ShapeKind::HalfSpace: {
            Passage passage;
            passage.cut(ray, Vec3::UnitY(), 0);
            return passage;
        }
        default:
            return throughHull(ray, *shape.convex());
    }
}

}  // namespace

std::optional<ShapeHit> castRay(const Shape& shape, const Vec3& origin, const Vec3& direction, double maxDistance) {
    const double length = direction.norm();
    if (!(length > 0) || !(maxDistance >= 0)) return std::nullopt;
    Ray ray{origin, direction / length};

    // start near the shape, so that nothing is lost for far origins
    double skipped = 0;
    if (shape.kind() != ShapeKind::HalfSpace) {
        const Passage ball = throughBall(ray, Vec3::Zero(), 1.001 * shape.radius());
        if (ball.enter > ball.leave || ball.leave < 0 || ball.enter > maxDistance) return std::nullopt;
        skipped = std::max(0.0, ball.enter);
        ray.origin = ray.at(skipped);
    }
    std::optional<ShapeHit> hit;
    if (const FieldSolid* field = shape.field()) {
        hit = hitField(*field, ray, maxDistance - skipped);
    } else if (const Compound* compound = shape.compound()) {
        hit = hitCompound(*compound, ray, maxDistance - skipped);
    } else {
        hit = throughConvex(shape, ray).hit(ray, maxDistance - skipped);
    }
    if (hit) hit->distance += skipped;
    return hit;
}

}  // namespace sunder::dynamics::detail
