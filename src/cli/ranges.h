#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

/// What numbers of the command line may be. CLI11's own ranges take NaN for a number within, and -1 for a large one.
namespace sunder::cli {

inline constexpr uint64_t kLargestWhole = (uint64_t{1} << 53) - 1;  // scenes allow no larger seed, JSON holds no other
inline constexpr uint64_t kMostFrames = 1'000'000;                  // as scenes have it

namespace detail {

template <class Number>
std::optional<Number> wholly(const std::string& text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional<Number>(number) : std::nullopt;
}

}  // namespace detail

inline CLI::Validator wholeWithin(uint64_t least, uint64_t most) {
    return {[least, most](std::string& text) {
                const std::optional<uint64_t> number = detail::wholly<uint64_t>(text);
                if (number && *number >= least && *number <= most) return std::string();
                return fmt::format("is {}; a whole number from {} to {} is allowed", text, least, most);
            },
            fmt::format("[{} - {}]", least, most)};
}

inline CLI::Validator within(double least, double most) {
    return {[least, most](std::string& text) {
                const std::optional<double> number = detail::wholly<double>(text);
                if (number && *number >= least && *number <= most) return std::string();
                return fmt::format("is {}; a number from {} to {} is allowed", text, least, most);
            },
            fmt::format("[{} - {}]", least, most)};
}

/// For each of several numbers too.
inline CLI::Validator finite() {
    return {[](std::string& text) {
                const std::optional<double> number = detail::wholly<double>(text);
                if (number && std::isfinite(*number)) return std::string();
                return fmt::format("is {}; a finite number is needed, such as -0.5", text);
            },
            ""};
}

}  // namespace sunder::cli
