#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/assert.h"

namespace sunder {

/// A number of the given type at an offset that the caller has checked.
template <class T>
T loadAs(std::string_view bytes, size_t offset, std::endian order = std::endian::little) {
    static_assert(std::is_arithmetic_v<T>);
    ASSERT(offset <= bytes.size() && sizeof(T) <= bytes.size() - offset);
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes.data() + offset, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

/// Appends a number, little endian.
template <class T>
void store(std::string& bytes, T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::array<char, sizeof(T)> raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (std::endian::native != std::endian::little) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
}

}  // namespace sunder
