#include "dynamics/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "dynamics/free_rotation.h"

namespace sunder::dynamics {

namespace {

/// Turned about its own origin, then shifted.
RigidTransform offset(const RigidTransform& start, const Vec3& shift, const Quat& turn) {
    return {turn * start.rotation, start.translation + shift};
}

/// Part of the way between two rotations, at constant speed, the shorter way round.
Quat between(const Quat& from, const Quat& to, double part) {
    const Vec3 way = rotationVector((to * from.conjugate()).normalized());
    return (rotationBy(part * way) * from).normalized();
}

RigidTransform at(const KeyframePath& path, const RigidTransform& start, double time) {
    if (path.keys.empty()) return start;
    const double first = path.keys.front().time, last = path.keys.back().time;
    ASSERT(first <= last);
    if (path.repeat && time > last && last > first) time = first + std::fmod(time - first, last - first);

    // the keys on both sides of the time; beyond the ends both are the same
    const auto next = std::upper_bound(path.keys.begin(), path.keys.end(), time,
                                       [](double t, const MotionKey& key) { return t < key.time; });
    const MotionKey& after = next == path.keys.end() ? path.keys.back() : *next;
    const MotionKey& before = next == path.keys.begin() ? after : *(next - 1);
    double part = after.time > before.time ? (time - before.time) / (after.time - before.time) : 0;
    if (path.interpolation == Interpolation::Smooth) part = part * part * (3 - 2 * part);
    return offset(start, before.position + part * (after.position - before.position),
                  between(before.rotation, after.rotation, part));
}

RigidTransform at(const SpinPath& path, const RigidTransform& start, double time) {
    return offset(start, Vec3::Zero(), turnAbout(path.axis, path.speed * time));
}

RigidTransform at(const OscillationPath& path, const RigidTransform& start, double time) {
    ASSERT(path.period > 0);
    const double wave = sineOfTurns(time / path.period + path.phase);
    return offset(start, wave * path.displacement, turnAbout(path.axis, wave * path.swing * std::numbers::pi / 180));
}

}  // namespace

RigidTransform poseAt(const Motion& motion, double time) {
    return motion.worldFromGroup *
           std::visit([&](const auto& path) { return at(path, motion.start, time); }, motion.path);
}

}  // namespace sunder::dynamics
