#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/recording/record_stream.h"

namespace sunder {

/// Who met whom, frame by frame: docs/recording.md, "Impacts".

/// Two bodies that met, as it is stored.
struct RecordedImpact {
    uint32_t a = 0, b = 0;           // numbers of bodies
    std::array<float, 3> point{};    // m, world
    std::array<float, 3> normal{};   // unit, from a to b
    std::array<float, 3> impulse{};  // N s, on b
    float speed = 0;                 // m/s, of approach
    friend bool operator==(const RecordedImpact&, const RecordedImpact&) = default;
};
/// As the stream keeps them, before it is compressed.
std::vector<std::byte> impactBytes(std::span<const RecordedImpact> impacts);
/// Throws std::runtime_error when damaged.
std::vector<RecordedImpact> impactsFromBytes(std::span<const std::byte> bytes);

/// The row for recordStreams().
RecordStream impactStream();

}  // namespace sunder
