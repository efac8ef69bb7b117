#pragma once

#include <array>
#include <cstdint>

namespace sunder {

/// Counter-based random numbers (Philox 4x32-10, [salmon2011]): the value is a pure function of (seed, stream,
/// counter), so item i of a parallel loop draws from Random(seed, i) and gets the same numbers on any machine and
/// thread count.
class Random {
public:
    /// Streams of one seed are independent of each other, and so are seeds.
    explicit Random(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}

    uint32_t bits32();  // each of 2^32 values is equally likely
    uint64_t bits64();  // each of 2^64 values is equally likely
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    /// Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform integer in [0, count), without bias; count > 0.
    uint64_t below(uint64_t count);
    /// Standard normal: a sum of twelve uniforms with its kurtosis corrected, no libm. Tails end near 6.9 sigma.
    double normal();

private:
    void refill();

    uint64_t seed_;
    uint64_t stream_;
    uint64_t counter_ = 0;
    std::array<uint32_t, 4> block_{};
    int left_ = 0;
};

/// One Philox 4x32-10 block, for checking against the published vectors.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// A seed for a part of a job, so that parts do not share numbers: mixSeed(seed, kPartVoronoi).
uint64_t mixSeed(uint64_t seed, uint64_t part);

}  // namespace sunder
