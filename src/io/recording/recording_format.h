#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "math/vec.h"

namespace sunder {

/// What docs/recording.md promises: how poses and meshes are turned into bytes. Writer and reader share it.

inline constexpr const char* kRecordingExtension = ".sunder";
inline constexpr int64_t kRecordingApplication = 0x53554e44;  // "SUND", SQLite's application_id
inline constexpr int64_t kRecordingVersion = 2;               // SQLite's user_version
inline constexpr uint64_t kKeyFrameEvery = 64;                // frames whose poses need no other frame

std::vector<std::byte> compressed(std::span<const std::byte> bytes);
/// Throws std::runtime_error when it is damaged or would need more than `limit` bytes.
std::vector<std::byte> decompressed(std::span<const std::byte> bytes, size_t limit = size_t{1} << 34);

/// All of a mesh, exactly.
std::vector<std::byte> meshBytes(const TriMesh& mesh);
/// Throws std::runtime_error when damaged, also when an index points nowhere.
TriMesh meshFromBytes(std::span<const std::byte> bytes);

/// 128 bits as 32 hex digits, the same on every machine. For telling contents apart, not against malice.
std::string contentHash(std::span<const std::byte> bytes);

/// A pose in whole numbers.
struct QuantisedPose {
    std::array<int64_t, 3> position{};  // of the centre of mass, in quanta
    uint8_t largest = 0;                // which of x y z w is left out
    std::array<int32_t, 3> others{};    // the other three, in order, in units of kRotationQuantum
    friend bool operator==(const QuantisedPose&, const QuantisedPose&) = default;
};
inline constexpr double kRotationQuantum = 0x1p-20;

QuantisedPose quantised(const Vec3& centre, const Quat& rotation, double quantum);
Vec3 positionOf(const QuantisedPose& pose, double quantum);
Quat rotationOf(const QuantisedPose& pose);

/// Of all bodies that live, by serial.
using QuantisedPoses = std::map<uint32_t, QuantisedPose>;

/// What changed from one frame to the next; everything when there is no frame before. Bodies that are gone are not
/// told.
std::vector<std::byte> poseBytes(const QuantisedPoses& before, const QuantisedPoses& now);
/// Changes `poses` as the bytes say; returns how many did. Throws std::runtime_error when damaged.
size_t applyPoseBytes(std::span<const std::byte> bytes, QuantisedPoses& poses);

/// Two bodies that met, as it is stored.
struct RecordedImpact {
    uint32_t a = 0, b = 0;
    std::array<float, 3> point{};    // m, world
    std::array<float, 3> normal{};   // unit, from a to b
    std::array<float, 3> impulse{};  // N s, on b
    float speed = 0;                 // m/s, of approach
    friend bool operator==(const RecordedImpact&, const RecordedImpact&) = default;
};
std::vector<std::byte> impactBytes(std::span<const RecordedImpact> impacts);
/// Throws std::runtime_error when damaged.
std::vector<RecordedImpact> impactsFromBytes(std::span<const std::byte> bytes);

}  // namespace sunder
