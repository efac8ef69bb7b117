#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What docs/recording.md promises: how bytes are packed and named, and what a mesh is in bytes. Writer
/// and reader share it. Poses: pose_codec.h; what else a run leaves behind: record_stream.h.

inline constexpr const char* kRecordingExtension = ".sunder";
inline constexpr int64_t kRecordingApplication = 0x53554e44;  // "SUND", SQLite's application_id
inline constexpr int64_t kRecordingVersion = 2;               // SQLite's user_version
inline constexpr uint64_t kKeyFrameEvery = 64;                // frames whose poses need no other frame

/// By zstd; decompressed() gives the bytes back.
std::vector<std::byte> compressed(std::span<const std::byte> bytes);
/// Throws std::runtime_error when it is damaged, would need more than `limit` bytes, or claims to hold more than its
/// own size can: up to 64 MB what zstd can pack into it, beyond that a thousand times its size.
std::vector<std::byte> decompressed(std::span<const std::byte> bytes, size_t limit = size_t{1} << 34);

/// All of a mesh, exactly.
std::vector<std::byte> meshBytes(const TriMesh& mesh);
/// Throws std::runtime_error when damaged, also when an index points nowhere.
TriMesh meshFromBytes(std::span<const std::byte> bytes);

/// Finite, and within what floats hold, which most exports are made of. Lengths, masses, times: nothing of a recording
/// is anything else.
inline constexpr double kLargestNumber = 1e36;
/// Whether it is finite, and no larger than that.
bool isSane(double number);
bool isSane(const Vec3& v);

/// 128 bits as 32 hex digits, the same on every machine. For telling contents apart, not against malice.
std::string contentHash(std::span<const std::byte> bytes);

}  // namespace sunder
