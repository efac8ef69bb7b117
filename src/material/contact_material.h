#pragma once

namespace sunder {

/// How a surface meets another one.
struct ContactMaterial {
    double friction = 0.6;       // Coulomb coefficient, sticking and sliding alike
    double restitution = 0;      // 0 = no bounce, 1 = elastic
    double rollingFriction = 0;  // lever arm of the resisting torque, m: torque <= rollingFriction * normal force
    friend bool operator==(const ContactMaterial&, const ContactMaterial&) = default;
};

/// The material of a contact between two surfaces: geometric mean of friction, the larger restitution, the larger
/// rolling friction.
ContactMaterial combined(const ContactMaterial& a, const ContactMaterial& b);

}  // namespace sunder
