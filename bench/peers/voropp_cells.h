#pragma once

#include <span>

#include "math/box.h"

namespace sunder::bench {

/// All cells with vertices, face loops and neighbours by voro++, one after the other; returns the sum of volumes.
double voroppCells(std::span<const Vec3> sites, const Box3& box);

}  // namespace sunder::bench
