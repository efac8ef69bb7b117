#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace sunder {

/// Whole numbers as LEB128: seven bits per byte, lowest first. Small ones are short.
inline void writeNumber(std::vector<std::byte>& bytes, uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::byte>(number | 0x80));
    bytes.push_back(static_cast<std::byte>(number));
}
/// Small numbers of either sign are short: 2n or -2n - 1.
inline void writeSigned(std::vector<std::byte>& bytes, int64_t number) {
    writeNumber(bytes, static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63));
}

/// Throws std::runtime_error when the bytes are damaged.
class NumberReader {
public:
    explicit NumberReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    uint64_t number() {
        uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (bytes_.empty()) throw std::runtime_error("numbers end early");
            const auto byte = static_cast<uint64_t>(bytes_.front());
            bytes_ = bytes_.subspan(1);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        throw std::runtime_error("a number is too long");
    }
    int64_t signedNumber() {
        const uint64_t value = number();
        return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
    }
    bool empty() const { return bytes_.empty(); }

private:
    std::span<const std::byte> bytes_;
};

}  // namespace sunder
