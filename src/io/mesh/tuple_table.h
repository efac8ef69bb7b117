#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sunder {

/// Numbers tuples of N words in order of first use; equal tuples share a number. Never walked in hash order.
template <size_t N>
class TupleTable {
public:
    using Key = std::array<uint64_t, N>;

    struct Entry {
        uint32_t number = 0;
        bool isNew = false;
    };
    Entry number(const Key& key) {
        const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<uint32_t>(numbers_.size()));
        return {entry->second, isNew};
    }
    size_t size() const { return numbers_.size(); }

private:
    struct Hash {
        size_t operator()(const Key& key) const {
            uint64_t h = 0;
            for (const uint64_t word : key) {
                h = (h ^ word) * 0x9e3779b97f4a7c15u;
                h ^= h >> 32;
            }
            return h;
        }
    };
    std::unordered_map<Key, uint32_t, Hash> numbers_;
};

/// The bits of a number as a word of a key; 0 and -0 differ.
inline uint64_t wordOf(double value) { return std::bit_cast<uint64_t>(value); }
inline uint64_t wordOf(float value) { return std::bit_cast<uint32_t>(value); }

}  // namespace sunder
