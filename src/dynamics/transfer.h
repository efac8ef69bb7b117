#pragma once

#include "base/archive.h"
#include "dynamics/world.h"

// The fields of what a world is told and tells, listed once for saving, loading and hashing: see base/archive.h.
namespace sunder {

/// Hands every field to an archive in a fixed order: what that does with it (save, load, hash) is the archive's matter.
template <class Archive, Some<RigidTransform> T>
void transfer(Archive& archive, T& pose) {
    transferAll(archive, pose.rotation, pose.translation);
}

template <class Archive, Some<ContactMaterial> T>
void transfer(Archive& archive, T& m) {
    transferAll(archive, m.friction, m.restitution, m.rollingFriction);
}

namespace dynamics {

/// As above, for what a world is told and tells.
template <class Archive, Some<BodyId> T>
void transfer(Archive& archive, T& id) {
    transferAll(archive, id.index, id.generation);
}

template <class Archive, Some<StepOptions> T>
void transfer(Archive& archive, T& step) {
    transferAll(archive, step.substeps, step.sweeps, step.maxSweeps, step.conservingRotation, step.restitution,
                step.friction, step.clampImpulses, step.secondOrder, step.warmStart, step.depenetrate, step.continuous,
                step.sleeping, step.energyGuard);
}

template <class Archive, Some<WorldOptions> T>
void transfer(Archive& archive, T& options) {
    transferAll(archive, options.gravity, options.step);
}

template <class Archive, Some<UniformField> T>
void transfer(Archive& archive, T& field) {
    transfer(archive, field.acceleration);
}
template <class Archive, Some<RadialField> T>
void transfer(Archive& archive, T& field) {
    transferAll(archive, field.centre, field.strength, field.falloff, field.reach);
}
template <class Archive, Some<DragField> T>
void transfer(Archive& archive, T& field) {
    transferAll(archive, field.linear, field.quadratic, field.angular, field.wind);
}

template <class Archive, Some<Explosion> T>
void transfer(Archive& archive, T& explosion) {
    transferAll(archive, explosion.centre, explosion.radius, explosion.impulse);
}

template <class Archive, Some<MotionKey> T>
void transfer(Archive& archive, T& key) {
    transferAll(archive, key.time, key.position, key.rotation);
}
template <class Archive, Some<KeyframePath> T>
void transfer(Archive& archive, T& path) {
    transferAll(archive, path.keys, path.interpolation, path.repeat);
}
template <class Archive, Some<SpinPath> T>
void transfer(Archive& archive, T& path) {
    transferAll(archive, path.axis, path.speed);
}
template <class Archive, Some<OscillationPath> T>
void transfer(Archive& archive, T& path) {
    transferAll(archive, path.displacement, path.axis, path.swing, path.period, path.phase);
}
template <class Archive, Some<Motion> T>
void transfer(Archive& archive, T& motion) {
    transferAll(archive, motion.path, motion.start, motion.worldFromGroup);
}

template <class Archive, Some<ImpactSide> T>
void transfer(Archive& archive, T& blow) {
    transferAll(archive, blow.point, blow.normal, blow.impulse);
}
template <class Archive, Some<Impact> T>
void transfer(Archive& archive, T& impact) {
    transferAll(archive, impact.a, impact.b, impact.point, impact.normal, impact.impulse, impact.normalImpulse,
                impact.approachSpeed, impact.time, impact.onA, impact.onB);
}

/// What tells one shape from another, for hashing only: its kind, size and mass, not every corner.
template <class Archive>
requires(!Archive::kReads) void transfer(Archive& archive, const Shape& shape) {
    const ShapeKind kind = shape.kind();
    const double volume = shape.volume(), radius = shape.radius(), thickness = shape.thickness();
    transferAll(archive, kind, volume, radius, thickness, shape.moments(), shape.bodyFromGiven());
}

}  // namespace dynamics

}  // namespace sunder
