#include "dynamics/detail/contacts/continuous.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "dynamics/detail/narrow/collide_fields.h"
#include "dynamics/detail/state/contact_patch.h"
#include "dynamics/free_rotation.h"

namespace sunder::dynamics::detail {

namespace {

/// Free motion: the velocity at the end of the frame is used throughout, as the solver's first substeps would.
struct Path {
    Vec3 velocity, spin;
    Mat3 rotation;
    double radius;

    Path(const Body& body, double dt, const Vec3& gravity)
        : velocity(body.velocity), spin(body.angularVelocity), rotation(body.rotation), radius(body.shape->radius()) {
        if (!body.moves()) velocity = spin = Vec3::Zero();
        if (body.mobile()) velocity += 0.5 * dt * gravity;
    }
    double surfaceSpeed() const { return spin.isZero() ? 0 : spin.norm() * radius; }
};

}  // namespace

Sweep timeOfImpact(const Body& a, const Body& b, double dt, const Vec3& gravity, double margin) {
    ASSERT(dt > 0 && margin >= 0);
    const Path pathA(a, dt, gravity), pathB(b, dt, gravity);
    const double speed = (pathA.velocity - pathB.velocity).norm() + pathA.surfaceSpeed() + pathB.surfaceSpeed();
    Sweep sweep;
    sweep.reach = margin + fieldSlack(*a.shape) + fieldSlack(*b.shape);
    constexpr int kMaxSteps = 64;
    double time = 0;
    for (int step = 0; step < kMaxSteps; ++step) {
        sweep.time = time;
        sweep.moveA = time * pathA.velocity;
        sweep.moveB = time * pathB.velocity;
        sweep.turnA = time * pathA.spin;
        sweep.turnB = time * pathB.spin;
        sweep.pose = {rotationBy(sweep.turnA).toRotationMatrix() * a.rotation,
                      rotationBy(sweep.turnB).toRotationMatrix() * b.rotation,
                      b.position + sweep.moveB - a.position - sweep.moveA};
        const double distance = contactDistance(*a.shape, *b.shape, sweep.pose, sweep.reach);
        if (distance <= margin) {
            // touching from the start is an ordinary contact
            sweep.found = step > 0;
            return sweep;
        }
        time += std::max(distance - 0.5 * margin, 0.25 * margin) / std::max(speed, 1e-300);
        if (time >= dt) return sweep;
    }
    sweep.found = true;  // still closing in: the nearest place found is near enough
    return sweep;
}

void Sweep::rewind(ContactPatch& patch, const Body& a, const Body& b) const {
    const Vec3 normal = pose.rotationA * patch.normal.cast<double>();
    patch.meetAfter = static_cast<float>(time);
    for (int i = 0; i < patch.count; ++i) {
        ContactPatch::Point& point = patch.points[size_t(i)];
        const Vec3 armA = pose.rotationA * point.onA.cast<double>(), armB = pose.rotationB * point.onB.cast<double>();
        const Vec3 moved = moveB + turnB.cross(armB) - moveA - turnA.cross(armA);
        point.separation -= static_cast<float>(normal.dot(moved));
        // the solver's lever arms are those of the impact
        point.onA = (a.rotation.transpose() * armA).cast<float>();
        point.onB = (b.rotation.transpose() * armB).cast<float>();
    }
    patch.normal = (a.rotation.transpose() * normal).cast<float>();
}

namespace {

/// From a point to the surface of a body, m.
double distanceTo(const Body& wall, const Vec3& point) {
    static const ShapePtr probe = makeSphere(1);
    return distanceBetween(*probe, *wall.shape, {Mat3::Identity(), wall.rotation, wall.position - point}) + 1;
}

/// How much of `step` a centre may go from `start` without coming nearer to the wall than half its thickness. One that
/// is nearer already goes no more than half of the way that is left: contacts push it out.
double shareBefore(const Body& wall, const Vec3& start, const Vec3& step, double thickness) {
    const double length = step.norm(), near = 0.5 * std::min(thickness, distanceTo(wall, start));
    if (!(near > 0)) return 1;
    double along = 0;  // m
    for (int k = 0; k < 64 && along < length; ++k) {
        const double distance = distanceTo(wall, start + along / length * step);
        if (distance < near) break;
        along += std::max(distance - 0.5 * near, 0.5 * near);
    }
    return std::min(1.0, along / length);
}

}  // namespace

void stopAtWalls(Bodies& bodies, const std::vector<ContactPatch>& patches, const std::vector<Vec3>& before) {
    // what went far may have been deflected to where no contact was looked for
    std::vector<uint32_t> walls;
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].alive && !bodies[i].mobile() && !bodies[i].asleep) walls.push_back(i);
    }
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        Body& body = bodies[i];
        if (!body.alive || !body.mobile()) continue;
        const Vec3& start = before[i];
        const Vec3 step = body.position - start;
        const double thickness = body.shape->thickness();
        if (step.norm() < 0.25 * thickness) continue;

        // as far as the nearest wall on its way
        Box3 path;
        path.add(start);
        path.add(body.position);
        double share = 1;
        for (const uint32_t w : walls) {
            const Body& wall = bodies[w];
            if ((wall.group & body.collidesWith) == 0 || (body.group & wall.collidesWith) == 0) continue;
            if (wall.shape->bounds(wall.pose()).expanded(thickness).overlaps(path))
                share = std::min(share, shareBefore(wall, start, step, thickness));
        }
        if (share < 1) body.position = start + share * step;
    }

    // what is squeezed into a wall by something heavy goes in no deeper than to its centre
    for (const ContactPatch& patch : patches) {
        const bool a = bodies[patch.a].mobile(), b = bodies[patch.b].mobile();
        if (a == b) continue;
        Body& body = bodies[a ? patch.a : patch.b];
        const Body& wall = bodies[a ? patch.b : patch.a];
        const double thickness = body.shape->thickness();
        if (double{patch.overlap()} < 0.5 * thickness) continue;
        const double least = 0.1 * thickness, distance = distanceTo(wall, body.position);
        if (distance >= least) continue;
        const Vec3 normal = bodies[patch.a].rotation * patch.normal.cast<double>();
        body.position += (a ? -1 : 1) * std::min(least - distance, thickness) * normal;
    }
}

}  // namespace sunder::dynamics::detail
