#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

void checkAxis(const Vec3& axis, Reader& reader, const char* key) {
    if (axis.norm() > 0) return;
    const Reader::Below below(reader, key);
    reader.fail(Json::array({0, 0, 0}), "a direction with a length, as [0, 1, 0]");
}

const Record<Keyframe>& recordFor(Of<Keyframe>) {
    using K = Keyframe;
    static const Record<K> record =
        Record<K>("keyframe", "Where a scripted body is at a time, as seen from its own position and rotation.")
            .field("time", &K::time, number({0, 1e6}, "s"), "since the start")
            .required()
            .field("position", &K::position, vector3("m"), "moved by this much")
            .field("rotation", &K::rotation, rotation(), "turned by this much about its own position");
    return record;
}

const Record<KeyframeMotion>& recordFor(Of<KeyframeMotion>) {
    using M = KeyframeMotion;
    static const Record<M> record =
        Record<M>("keyframes", "From place to place.")
            .tag("type", "keyframes")
            .field("keys", &M::keys, listOf(scene::record<Keyframe>(), 1), "times must ascend")
            .required()
            .field("interpolation", &M::interpolation,
                   choice<Interpolation>({{Interpolation::Linear, "linear"}, {Interpolation::Smooth, "smooth"}}),
                   "smooth starts and stops at every key without a jerk")
            .field("repeat", &M::repeat, boolean(), "begin again after the last key")
            // a key that is not later than the one before has no way to be reached
            .check([](const Json&, const M& motion, Reader& reader) {
                for (size_t i = 1; i < motion.keys.size(); ++i) {
                    if (motion.keys[i].time > motion.keys[i - 1].time) continue;
                    const Reader::Below keys(reader, "keys"), key(reader, i), time(reader, "time");
                    reader.fail(numberJson(motion.keys[i].time),
                                "later than the key before it (" + numberJson(motion.keys[i - 1].time).dump() + " s)");
                }
            });
    return record;
}

const Record<SpinMotion>& recordFor(Of<SpinMotion>) {
    using M = SpinMotion;
    static const Record<M> record =
        Record<M>("spin", "Turns for ever about its own position.")
            .tag("type", "spin")
            .field("axis", &M::axis, vector3(""), "direction; the length does not count")
            .field("speed", &M::speed, number({-1e4, 1e4}, "rad/s"), "counter-clockwise seen from the axis' tip")
            .check([](const Json&, const M& motion, Reader& reader) { checkAxis(motion.axis, reader); });
    return record;
}

const Record<OscillationMotion>& recordFor(Of<OscillationMotion>) {
    using M = OscillationMotion;
    static const Record<M> record =
        Record<M>("oscillation", "To and fro about its own position, as a sine.")
            .tag("type", "oscillation")
            .field("displacement", &M::displacement, vector3("m"), "largest, in either direction")
            .field("axis", &M::axis, vector3(""), "of the swing; the length does not count")
            .field("swing", &M::swing, number({-180, 180}, "degrees"), "largest turn, in either direction")
            .field("period", &M::period, number(positive(1e6), "s"), "of one to and fro")
            .field("phase", &M::phase, number({0, 1}), "part of the period it is ahead at the start")
            .check([](const Json&, const M& motion, Reader& reader) { checkAxis(motion.axis, reader); });
    return record;
}

}  // namespace sunder::scene
