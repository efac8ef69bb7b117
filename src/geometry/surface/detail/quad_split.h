#pragma once

#include <array>

#include "math/vec.h"

namespace sunder::detail {

/// Is a quad better split from corner 0 to 2, or from 1 to 3? Not into slivers (three corners may lie on one crease);
/// along the crease if one passes through two opposite corners; otherwise where the halves are flatter, and on flat
/// ground along the shorter one.
bool splitsAtFirst(const std::array<Vec3, 4>& corners, const std::array<bool, 4>& onCrease);

}  // namespace sunder::detail
