#include "io/exports/replay_tracks.h"

#include <algorithm>
#include <cmath>

#include "io/files/packed_numbers.h"

namespace sunder {

ReplayTrack::Sample ReplayTrack::sampleOf(const Vec3& centre, const Quat& rotation, double positionQuantum) const {
    constexpr double kFarthest = 0x1p29;  // quanta, so that differences fit 32 bits; what flies beyond stays there
    Sample sample;
    for (int k = 0; k < 3; ++k)
        sample[static_cast<size_t>(k)] = std::llround(std::clamp(centre[k] / positionQuantum, -kFarthest, kFarthest));
    // of the two quaternions for one rotation, the one near the last: channels have no jumps
    const Vec4 q = rotation.normalized().coeffs();
    double along = 0;
    for (int k = 0; k < 4; ++k) along += q[k] * static_cast<double>(last_[static_cast<size_t>(3 + k)]);
    const double sign = along < 0 ? -1 : 1;
    for (int k = 0; k < 4; ++k) sample[static_cast<size_t>(3 + k)] = std::llround(sign * q[k] / kReplayRotationQuantum);
    return sample;
}

void ReplayTrack::add(const Vec3& centre, const Quat& rotation, double positionQuantum) {
    const Sample sample = sampleOf(centre, rotation, positionQuantum);
    if (samples_ > 0 && sample == last_) {
        ++held_;
        return;
    }
    for (const Sample still = last_; held_ > 0; --held_) write(still);
    write(sample);
}

void ReplayTrack::write(const Sample& sample) {
    for (size_t k = 0; k < kChannels; ++k) {
        const int64_t straightOn = samples_ < 2 ? last_[k] : 2 * last_[k] - before_[k];
        writeSigned(channels_[k], sample[k] - straightOn);
    }
    before_ = last_;
    last_ = sample;
    ++samples_;
}

void ReplayTrack::appendTo(std::vector<std::byte>& bytes) const {
    for (const std::vector<std::byte>& channel : channels_) bytes.insert(bytes.end(), channel.begin(), channel.end());
}

}  // namespace sunder
