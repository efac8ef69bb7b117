#include "scene/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/free_rotation.h"
#include "scene/rotations.h"

namespace sunder::scene {

namespace {

/// Turned about its own origin, then shifted.
RigidTransform offset(const RigidTransform& start, const Vec3& shift, const Quat& turn) {
    return {turn * start.rotation, start.translation + shift};
}

/// Part of the way between two rotations, at constant speed, the shorter way round.
Quat between(const Quat& from, const Quat& to, double part) {
    const Vec3 way = dynamics::rotationVector((to * from.conjugate()).normalized());
    return (dynamics::rotationBy(part * way) * from).normalized();
}

RigidTransform at(const KeyframeMotion& motion, const RigidTransform& start, double time) {
    if (motion.keys.empty()) return start;
    const double first = motion.keys.front().time, last = motion.keys.back().time;
    if (motion.repeat && time > last && last > first) time = first + std::fmod(time - first, last - first);
    const auto next = std::upper_bound(motion.keys.begin(), motion.keys.end(), time,
                                       [](double t, const Keyframe& key) { return t < key.time; });
    const Keyframe& after = next == motion.keys.end() ? motion.keys.back() : *next;
    const Keyframe& before = next == motion.keys.begin() ? after : *(next - 1);
    double part = after.time > before.time ? (time - before.time) / (after.time - before.time) : 0;
    if (motion.interpolation == Interpolation::Smooth) part = part * part * (3 - 2 * part);
    return offset(start, before.position + part * (after.position - before.position),
                  between(quaternionOf(before.rotation), quaternionOf(after.rotation), part));
}

RigidTransform at(const SpinMotion& motion, const RigidTransform& start, double time) {
    return offset(start, Vec3::Zero(), turnAbout(motion.axis, motion.speed * time));
}

RigidTransform at(const OscillationMotion& motion, const RigidTransform& start, double time) {
    const double wave = sineOfTurns(time / motion.period + motion.phase);
    return offset(start, wave * motion.displacement,
                  turnAbout(motion.axis, wave * motion.swing * std::numbers::pi / 180));
}

}  // namespace

RigidTransform moved(const MotionSettings& motion, const RigidTransform& start, double time) {
    return std::visit([&](const auto& kind) { return at(kind, start, time); }, motion);
}

}  // namespace sunder::scene
