#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "math/rigid_transform.h"
#include "math/vec.h"

namespace sunder {

/// Where a body is in a frame. Whoever shows, exports or sends poses begins with these.
struct RecordedPose {
    uint32_t body = 0;                                               // its number
    Vec3 centre = Vec3::Zero();                                      // of mass, m, world
    RigidTransform worldFromMesh;                                    // m
    const Quat& rotation() const { return worldFromMesh.rotation; }  // from the mesh's axes to the world's
    friend bool operator==(const RecordedPose& a, const RecordedPose& b) {
        return a.body == b.body && a.centre == b.centre && a.rotation().coeffs() == b.rotation().coeffs();
    }
};

/// The pose of a body among poses that ascend by body; null: it is not there.
const RecordedPose* poseOf(std::span<const RecordedPose> poses, uint32_t body);

/// A pose in whole numbers.
struct QuantisedPose {
    std::array<int64_t, 3> position{};  // of the centre of mass, in quanta
    uint8_t largest = 0;                // which of x y z w is left out
    std::array<int32_t, 3> others{};    // the other three, in order, in units of kRotationQuantum
    friend bool operator==(const QuantisedPose&, const QuantisedPose&) = default;
};
inline constexpr double kRotationQuantum = 0x1p-20;  // of a component of a unit quaternion

/// Rounded to the nearest; `quantum` of positions, m.
QuantisedPose quantised(const Vec3& centre, const Quat& rotation, double quantum);
/// `centreInMesh`: the centre of mass in the mesh's coordinates, m.
RecordedPose poseFrom(const QuantisedPose& pose, double quantum, uint32_t body, const Vec3& centreInMesh);

/// The poses of all bodies that live, by number.
using QuantisedPoses = std::map<uint32_t, QuantisedPose>;

/// What changed from one frame to the next; everything when there is no frame before. Bodies that are gone are not
/// told.
std::vector<std::byte> poseBytes(const QuantisedPoses& before, const QuantisedPoses& now);
/// Changes `poses` as the bytes say; returns how many did. Throws std::runtime_error when damaged.
size_t applyPoseBytes(std::span<const std::byte> bytes, QuantisedPoses& poses);

}  // namespace sunder
