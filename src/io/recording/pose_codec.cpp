#include "io/recording/pose_codec.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/assert.h"
#include "io/files/packed_numbers.h"

namespace sunder {

namespace {

/// Differences wrap around, so that no damaged file can overflow.
int64_t minus(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

Vec3 positionOf(const QuantisedPose& pose, double quantum) {
    return quantum * Vec3(static_cast<double>(pose.position[0]), static_cast<double>(pose.position[1]),
                          static_cast<double>(pose.position[2]));
}

/// The part that is left out makes the length 1.
Quat rotationOf(const QuantisedPose& pose) {
    ASSERT(pose.largest < 4);
    Vec4 q = Vec4::Zero();
    double squares = 0;
    for (int k = 0, at = 0; k < 4; ++k) {
        if (k == pose.largest) continue;
        q[k] = kRotationQuantum * pose.others[static_cast<size_t>(at++)];
        squares += q[k] * q[k];
    }
    q[pose.largest] = std::sqrt(std::max(0.0, 1 - squares));
    return Quat(q).normalized();
}

}  // namespace

QuantisedPose quantised(const Vec3& centre, const Quat& rotation, double quantum) {
    ASSERT(quantum > 0);
    constexpr double kFarthest = 0x1p60;  // quanta; what flies beyond stays there
    QuantisedPose pose;
    // the place in whole quanta
    for (size_t k = 0; k < 3; ++k) {
        const double quanta = centre[static_cast<int>(k)] / quantum;
        pose.position[k] = std::llround(std::clamp(quanta, -kFarthest, kFarthest));
    }
    // the largest of the four parts is left out: the unit length gives it back, and it is the best conditioned
    const Vec4 q = rotation.normalized().coeffs();  // x y z w
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
        if (std::abs(q[k]) > std::abs(q[largest])) largest = k;
    }
    pose.largest = static_cast<uint8_t>(largest);
    // a rotation and its negative are the same: make the missing part positive
    const double sign = q[largest] < 0 ? -1 : 1;
    for (int k = 0, at = 0; k < 4; ++k) {
        if (k != largest)
            pose.others[static_cast<size_t>(at++)] = static_cast<int32_t>(std::lround(sign * q[k] / kRotationQuantum));
    }
    return pose;
}

RecordedPose poseFrom(const QuantisedPose& pose, double quantum, uint32_t body, const Vec3& centreInMesh) {
    ASSERT(quantum > 0);
    const Vec3 centre = positionOf(pose, quantum);
    const Quat rotation = rotationOf(pose);
    return {body, centre, {rotation, centre - rotation * centreInMesh}};
}

const RecordedPose* poseOf(std::span<const RecordedPose> poses, uint32_t body) {
    const auto found = std::ranges::lower_bound(poses, body, {}, &RecordedPose::body);
    return found != poses.end() && found->body == body ? &*found : nullptr;
}

std::vector<std::byte> poseBytes(const QuantisedPoses& before, const QuantisedPoses& now) {
    std::vector<std::byte> bytes;
    uint64_t last = 0;
    for (const auto& [serial, pose] : now) {
        const auto old = before.find(serial);
        ASSERT(serial >= last && pose.largest < 4);
        const QuantisedPose base = old == before.end() ? QuantisedPose{} : old->second;
        if (old != before.end() && base == pose) continue;
        writeNumber(bytes, (serial - last) << 2 | pose.largest);
        last = serial;
        for (size_t k = 0; k < 3; ++k) writeSigned(bytes, minus(pose.position[k], base.position[k]));
        const bool same = base.largest == pose.largest;
        for (size_t k = 0; k < 3; ++k) writeSigned(bytes, int64_t{pose.others[k]} - (same ? base.others[k] : 0));
    }
    return bytes;
}

size_t applyPoseBytes(std::span<const std::byte> bytes, QuantisedPoses& poses) {
    // serials ascend, so each is stored as its step from the one before; two bits say which part is missing
    NumberReader reader(bytes);
    uint64_t serial = 0;
    size_t count = 0;
    for (; !reader.empty(); ++count) {
        const uint64_t head = reader.number();
        serial += head >> 2;
        if (serial > UINT32_MAX) throw std::runtime_error("poses are damaged: they name a body that cannot be");
        QuantisedPose& pose = poses[static_cast<uint32_t>(serial)];
        const auto largest = static_cast<uint8_t>(head & 3);
        // places are stored as differences; a sum that wraps is safe in a damaged file
        for (int64_t& position : pose.position) position = plus(position, reader.signedNumber());
        // parts of the rotation are differences only while the same part is missing
        const bool same = pose.largest == largest;
        for (int32_t& other : pose.others) {
            const int64_t value = plus(reader.signedNumber(), same ? other : 0);
            if (value > 1 << 20 || value < -(1 << 20))
                throw std::runtime_error("poses are damaged: a rotation that cannot be");
            other = static_cast<int32_t>(value);
        }
        pose.largest = largest;
    }
    return count;
}

}  // namespace sunder
