#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "material/contact_material.h"
#include "math/rigid_transform.h"

/// A second road to the motion of a few rigid bodies, slow and independent of the engine: adaptive Runge-Kutta between
/// events, bisection to the time of contact, impulses for colliding contacts, a quadratic programme for resting ones
/// (min f'(Af + b), Af + b >= 0, f >= 0). An oracle for scenes of one to five bodies.
namespace sunder::reference {

struct Sphere {
    double radius = 0.5;  // m
};
struct Box {
    Vec3 size = Vec3::Ones();  // m
};
/// y <= 0 of its frame; static.
struct HalfSpace {};

struct Body {
    std::variant<Sphere, Box, HalfSpace> shape;
    RigidTransform pose;  // of the centre of mass, principal axes
    double mass = 1;      // kg; 0: static
    Vec3 velocity = Vec3::Zero();
    Vec3 angularVelocity = Vec3::Zero();  // rad/s, world
    ContactMaterial material;
    std::optional<Vec3> moments;  // kg m^2; default: those of the solid shape
};

struct StepperOptions {
    Vec3 gravity{0, -9.81, 0};     // m/s^2
    double tolerance = 1e-10;      // of one step, m and rad
    double timeTolerance = 1e-10;  // s, of the time of contact
    double largestStep = 1e-3;     // s; nothing is missed that lasts longer
    double restSpeed = 1e-3;       // m/s: slower approaches do not bounce, slower slips may stick
};

/// A hit, when it happened.
struct Collision {
    double time = 0;  // s
    size_t a = 0, b = 0;
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  // m; from a to b
    Vec3 impulse = Vec3::Zero();                       // N s, on b
};

class Stepper {
public:
    explicit Stepper(std::vector<Body> bodies, const StepperOptions& options = {});

    void advance(double seconds);

    double time() const { return time_; }
    const Body& body(size_t i) const { return bodies_[i]; }
    const std::vector<Collision>& collisions() const { return collisions_; }
    /// Kinetic and potential (height along -gravity), J, of dynamic bodies.
    double energy() const;
    Vec3 momentum() const;
    Vec3 angularMomentum() const;  // about the origin

private:
    using Bodies = std::vector<Body>;
    Bodies moved(const Bodies& from, double h) const;
    bool collides(const Bodies& bodies) const;
    void resolveCollisions();

    Bodies bodies_;
    StepperOptions options_;
    double time_ = 0;
    double suggestedStep_ = 1e-4;         // s
    mutable Eigen::VectorXd lastForces_;  // of resting contacts: where the next search starts
    std::vector<Collision> collisions_;
};

}  // namespace sunder::reference
