#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/body.h"

namespace sunder::scene {

inline constexpr size_t kMaxPaintText = size_t{1} << 28;  // bytes
inline constexpr const char* kPaintForm = "base64 of a zlib stream with one byte per vertex";

/// The values of a paint, or why there are none, for people.
struct PaintValues {
    std::vector<uint8_t> percent;  // per vertex
    std::string problem;
};
PaintValues paintValues(const StrengthPaint& paint);

/// As a scene has it.
StrengthPaint paintOf(std::span<const uint8_t> percent);

/// Why a paint does not fit a mesh of so many vertices; empty when it does.
std::string paintMismatch(const StrengthPaint& paint, size_t vertices);

}  // namespace sunder::scene
