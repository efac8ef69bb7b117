#pragma once

#include "scene/body.h"

namespace sunder::scene {

inline constexpr double kMaxMembers = 1e6;     // of one array, and of all arrays and instances together
inline constexpr size_t kMaxLayers = 31;       // of collision: bits of a word, of which the floor has one
inline constexpr double kSmallestBody = 1e-6;  // m across: below, a mass has no digits left to move by

/// How many members an array has; as a double, since the product may be beyond any integer.
double memberCount(const Array& array);

}  // namespace sunder::scene
