#pragma once

#include <cstdint>
#include <cstring>

namespace sunder {

/// Mixes words into 64 bits, the same on every machine. For comparing states, not against malice.
class Hasher {
public:
    /// The order counts: the same words in another order give another number.
    void add(uint64_t word) {
        state_ ^= word;
        state_ *= 0x9e3779b97f4a7c15ull;
        state_ ^= state_ >> 32;
        state_ *= 0xd6e8feb86659fd93ull;
        state_ ^= state_ >> 29;
    }
    /// By its bits: 0 and -0 differ.
    void add(double value) {
        uint64_t word = 0;
        std::memcpy(&word, &value, sizeof word);
        add(word);
    }
    void add(float value) { add(static_cast<double>(value)); }
    uint64_t value() const { return state_; }  // all that was added so far; more may follow

private:
    uint64_t state_ = 0x243f6a8885a308d3ull;
};

}  // namespace sunder
