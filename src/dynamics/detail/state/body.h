#pragma once

#include <memory>
#include <vector>

#include "base/assert.h"
#include "dynamics/world.h"
#include "math/box.h"
#include "math/sym_mat3.h"

namespace sunder::dynamics::detail {

inline constexpr double kWakeShare = 0.25;  // wakeShare of a body that has just moved

inline constexpr double kNeighbourTime = 0.25;  // s: what moved within it keeps neighbours awake

/// A body as the world keeps it. The state is that of the principal frame at the centre of mass.
struct Body {
    // what it is
    bool alive = false;
    bool newborn = true;  // has not been through a step
    uint32_t generation = 0;
    ShapePtr shape;
    BodyKind kind = BodyKind::Dynamic;
    ContactMaterial material;
    uint32_t group = 1, collidesWith = ~0u;
    double anchor = -1;                    // N s; negative: none, or released
    std::shared_ptr<const Motion> motion;  // scripted; shared by all copies of the world, and never changed
    double mass = 0;                       // kg
    Vec3 moments = Vec3::Zero();           // kg m^2, principal

    // where it is and how it moves
    Vec3 position = Vec3::Zero();  // m
    Quat orientation = Quat::Identity();
    Vec3 velocity = Vec3::Zero();         // m/s
    Vec3 angularMomentum = Vec3::Zero();  // kg m^2/s, world; dynamic bodies
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world; derived for dynamic bodies
    Mat3 rotation = Mat3::Identity();     // of orientation

    // sleeping
    bool asleep = false;
    /// Since when it has not left a place.
    struct Stay {
        double time = 0;               // s
        Vec3 position = Vec3::Zero();  // from where that is counted
        Quat orientation = Quat::Identity();
    };
    double still = 0;               // s, for how long it has hardly moved
    Stay restPlace;                 // where it lies: within 0.04 radii
    Stay swingPlace;                // where it may swing: within 0.15 radii
    Stay lingerPlace;               // where a wide swing comes back to: within 0.6 radii
    double wakeShare = kWakeShare;  // of its weight and of what presses it: a change by more wakes it

    // broad phase
    Box3 fatBox;            // holds the body for some frames
    double boxSpare = 0;    // m: besides falling by boxFall its points can move this far before they leave it
    double boxFall = 0;     // m
    double lastMotion = 0;  // m, the most a point of it moved in the last frame

    /// Can contacts change its velocity?
    bool mobile() const { return kind == BodyKind::Dynamic && anchor < 0 && !asleep; }
    bool moves() const {
        return mobile() || (kind == BodyKind::Kinematic && !(velocity.isZero() && angularVelocity.isZero()));
    }
    double inverseMass() const { return mobile() ? 1 / mass : 0; }
    RigidTransform pose() const { return {orientation, position}; }
    Vec3 applyInverseInertia(const Vec3& v) const {
        return rotation * (rotation.transpose() * v).cwiseQuotient(moments);
    }
    Vec3 applyInertia(const Vec3& v) const { return rotation * (rotation.transpose() * v).cwiseProduct(moments); }
    void setOrientation(const Quat& q) {
        ASSERT(q.squaredNorm() > 0);
        orientation = q.normalized();
        rotation = orientation.toRotationMatrix();
    }
};

using Bodies = std::vector<Body>;

}  // namespace sunder::dynamics::detail
