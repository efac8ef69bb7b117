#include "scene/motion.h"

#include "scene/rotations.h"

namespace sunder::scene {

namespace {

dynamics::MotionPath pathFrom(const KeyframeMotion& motion) {
    dynamics::KeyframePath path{.keys = {},
                                .interpolation = motion.interpolation == Interpolation::Smooth
                                                     ? dynamics::Interpolation::Smooth
                                                     : dynamics::Interpolation::Linear,
                                .repeat = motion.repeat};
    for (const Keyframe& key : motion.keys) path.keys.push_back({key.time, key.position, quaternionOf(key.rotation)});
    return path;
}

dynamics::MotionPath pathFrom(const SpinMotion& motion) { return dynamics::SpinPath{motion.axis, motion.speed}; }

dynamics::MotionPath pathFrom(const OscillationMotion& motion) {
    return dynamics::OscillationPath{.displacement = motion.displacement,
                                     .axis = motion.axis,
                                     .swing = motion.swing,
                                     .period = motion.period,
                                     .phase = motion.phase};
}

}  // namespace

dynamics::Motion motionFrom(const MotionSettings& settings, const RigidTransform& start,
                            const RigidTransform& worldFromGroup) {
    return {std::visit([](const auto& kind) { return pathFrom(kind); }, settings), start, worldFromGroup};
}

}  // namespace sunder::scene
