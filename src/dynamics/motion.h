#pragma once

#include <variant>
#include <vector>

#include "math/rigid_transform.h"

namespace sunder::dynamics {

/// Where a scripted body is at a time, as seen from where it starts.
struct MotionKey {
    double time = 0;                   // s
    Vec3 position = Vec3::Zero();      // m, moved by this much
    Quat rotation = Quat::Identity();  // turned by this much about its own origin
};
/// How a path goes from key to key: at constant speed, or from rest to rest.
enum class Interpolation : uint8_t { Linear, Smooth };

/// From key to key, the rotation the shorter way round; before the first and after the last it rests there.
struct KeyframePath {
    std::vector<MotionKey> keys;                          // times ascend
    Interpolation interpolation = Interpolation::Smooth;  // smooth: it stops at every key without a jerk
    bool repeat = false;                                  // begins again after the last key
};
/// Turns for ever about its own origin.
struct SpinPath {
    Vec3 axis{0, 1, 0};  // the length does not count
    double speed = 1;    // rad/s
};
/// To and fro, as a sine.
struct OscillationPath {
    Vec3 displacement = Vec3::Zero();  // m, amplitude
    Vec3 axis{0, 1, 0};                // the length does not count
    double swing = 0;                  // degrees, amplitude about the axis
    double period = 1;                 // s
    double phase = 0;                  // part of a period
};
/// One of these, as seen from where a body starts.
using MotionPath = std::variant<KeyframePath, SpinPath, OscillationPath>;

/// A scripted motion of a shape's given frame. It is data: it can be compared, saved, sent and hashed.
struct Motion {
    MotionPath path;                // how it moves, as seen from where it starts
    RigidTransform start;           // in the group
    RigidTransform worldFromGroup;  // the path is that of the group's axes
};

/// The pose at a time, s; a pure function of its arguments, the same on every machine.
RigidTransform poseAt(const Motion& motion, double time);

}  // namespace sunder::dynamics
