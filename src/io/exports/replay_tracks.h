#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace sunder {

/// Rotations are kept as x y z w in multiples of this.
inline constexpr double kReplayRotationQuantum = 0x1p-15;

/// Where a body is, frame by frame, from its first one on. Seven channels (centre of mass, quaternion) of signed
/// numbers; each is what is missing to a straight continuation of the two samples before (those before the first are
/// zero, the one before the second is the first). A body that comes to rest has no more samples: the last one holds.
class ReplayTrack {
public:
    static constexpr size_t kChannels = 7;
    using Sample = std::array<int64_t, kChannels>;

    /// The next frame's place.
    void add(const Vec3& centre, const Quat& rotation, double positionQuantum);

    size_t samples() const { return samples_; }
    /// One channel after the other.
    void appendTo(std::vector<std::byte>& bytes) const;

private:
    Sample sampleOf(const Vec3& centre, const Quat& rotation, double positionQuantum) const;
    void write(const Sample& sample);

    std::array<std::vector<std::byte>, kChannels> channels_;
    Sample last_{}, before_{};
    size_t samples_ = 0;
    size_t held_ = 0;  // frames since the last change, not written yet
};

}  // namespace sunder
