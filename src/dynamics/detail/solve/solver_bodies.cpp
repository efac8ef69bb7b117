#include "dynamics/detail/solve/solver_bodies.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "dynamics/detail/solve/contact_solver.h"

namespace sunder::dynamics::detail {

namespace {

constexpr double kSmooth = 4;  // a velocity that changes by less than this many times gravity does so smoothly

/// Every third bit of ten.
uint32_t spreadBits(uint32_t x) {
    x &= 0x3ff;
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

/// Position along Morton's curve through cells of the given size. The curve repeats every 1024 cells, so that a body
/// far away does not make the cells of all others large.
uint32_t mortonCode(const Vec3& position, double cellSize) {
    uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double cell = std::floor(position[axis] / cellSize);
        code |= spreadBits(static_cast<uint32_t>(cell - 1024 * std::floor(cell / 1024))) << axis;
    }
    return code;
}

/// Mobile bodies by their place, then the others.
std::vector<uint32_t> inOrderOfPlace(const Bodies& bodies) {
    double size = 0;
    size_t count = 0;
    for (const Body& body : bodies) {
        if (!body.alive || !body.mobile()) continue;
        size += body.shape->radius();
        ++count;
    }
    std::vector<uint64_t> keys(bodies.size());
    for (uint32_t i = 0; i < bodies.size(); ++i) {
        const bool first = bodies[i].alive && bodies[i].mobile();
        const uint64_t place =
            first ? mortonCode(bodies[i].position, size / static_cast<double>(count)) : uint64_t{1} << 31;
        keys[i] = place << 32 | i;
    }
    std::sort(keys.begin(), keys.end());
    std::vector<uint32_t> order(bodies.size());
    for (size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<uint32_t>(keys[i]);
    return order;
}

}  // namespace

SolverBodies::SolverBodies(const Bodies& bodies, const SolverSettings& settings, StagedLoops& loops)
    : slotOf(bodies.size()),
      bodyOf(inOrderOfPlace(bodies)),
      velocity(bodies.size()),
      displacement(bodies.size()),
      push(bodies.size()),
      motions(bodies.size()),
      constants(bodies.size()),
      smooth(bodies.size()),
      gravity(bodies.size()),
      thickness(bodies.size()),
      position(bodies.size()) {
    loops.parallelFor(size(), 64, [&](const BlockRange& block) {
        for (size_t slot = block.begin; slot < block.end; ++slot) {
            slotOf[bodyOf[slot]] = static_cast<uint32_t>(slot);
            load(static_cast<uint32_t>(slot), bodies[bodyOf[slot]], settings);
        }
    });
}

void SolverBodies::load(uint32_t slot, const Body& body, const SolverSettings& settings) {
    // what contacts ask of any body
    if (!body.alive) return;
    position[slot] = body.position;
    BodyConstants& c = constants[slot];
    const Eigen::Matrix3f rotation = body.rotation.cast<float>();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) c.rotation[3 * row + column] = rotation(row, column);
    }
    c.radius = static_cast<float>(body.shape->radius());
    thickness[slot] = static_cast<float>(body.shape->thickness());
    c.friction = static_cast<float>(body.material.friction);
    c.rollingFriction = static_cast<float>(body.material.rollingFriction);
    c.restitution = static_cast<float>(body.material.restitution);

    // only of those that move
    if (!body.moves()) return;
    for (int k = 0; k < 3; ++k) {
        velocity[slot].row[k] = static_cast<float>(body.velocity[k]);
        velocity[slot].row[3 + k] = static_cast<float>(body.angularVelocity[k]);
    }
    // only of those that contacts can move
    if (!body.mobile()) return;
    ASSERT(body.mass > 0);
    c.inverseMass = static_cast<float>(body.inverseMass());
    const Mat3 inertia = body.rotation * body.moments.cwiseInverse().asDiagonal() * body.rotation.transpose();
    const double parts[6] = {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(1, 2), inertia(2, 0)};
    for (int k = 0; k < 6; ++k) c.inverseInertia[k] = static_cast<float>(parts[k]);

    // and what fields do to them
    const Vec3 linear = (*settings.accelerations)[bodyOf[slot]],
               angular = (*settings.angularAccelerations)[bodyOf[slot]];
    for (int k = 0; k < 3; ++k) {
        motions[slot].acceleration[k] = static_cast<float>(linear[k]);
        motions[slot].acceleration[3 + k] = static_cast<float>(angular[k]);
    }
    gravity[slot] = static_cast<float>(linear.norm());
    const double limit = kSmooth * settings.substep() * linear.norm();
    smooth[slot] = settings.options.secondOrder ? static_cast<float>(limit * limit) : -1;
}

}  // namespace sunder::dynamics::detail
