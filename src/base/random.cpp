#include "base/random.h"

#include <cstddef>

#include "base/assert.h"

namespace sunder {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> c, std::array<uint32_t, 2> key) {
    // multipliers and Weyl increments of [salmon2011], table 2
    constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
    constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = kMultiplier0 * c[0], p1 = kMultiplier1 * c[2];
        c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<uint32_t>(p1),
             static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<uint32_t>(p0)};
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return c;
}

void Random::refill() {
    block_ = philox4x32({static_cast<uint32_t>(counter_), static_cast<uint32_t>(counter_ >> 32),
                         static_cast<uint32_t>(stream_), static_cast<uint32_t>(stream_ >> 32)},
                        {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)});
    ++counter_;
    left_ = 4;
}

uint32_t Random::bits32() {
    if (left_ == 0) refill();
    return block_[static_cast<size_t>(4 - left_--)];
}

uint64_t Random::bits64() {
    const uint64_t high = bits32();
    return high << 32 | bits32();
}

double Random::uniform() { return static_cast<double>(bits64() >> 11) * 0x1p-53; }

uint64_t Random::below(uint64_t count) {
    ASSERT(count > 0);
    // reject the short last stretch of the 64-bit range, so that every value is equally likely
    const uint64_t limit = UINT64_MAX - UINT64_MAX % count;
    uint64_t bits = bits64();
    while (bits >= limit) bits = bits64();
    return bits % count;
}

double Random::normal() {
    // Irwin-Hall(12): mean 0, variance 1, excess kurtosis -0.1. No logarithm or cosine, whose last bit differs between
    // C libraries.
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    // Cornish-Fisher: takes the kurtosis out to first order
    return sum + (sum * sum * sum - 3 * sum) * 0.1 / 24;
}

uint64_t mixSeed(uint64_t seed, uint64_t part) {
    const std::array<uint32_t, 4> mixed =
        philox4x32({static_cast<uint32_t>(part), static_cast<uint32_t>(part >> 32), 0x5eed, 0},
                   {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
    return static_cast<uint64_t>(mixed[0]) << 32 | mixed[1];
}

}  // namespace sunder
