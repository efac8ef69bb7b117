#pragma once

#include <optional>
#include <span>

#include "math/vec.h"

namespace sunder::bench {

/// What Blender's Cell Fracture made of an icosphere of radius 1 with 5,120 triangles.
struct BlenderFracture {
    double cpuSeconds = 0;  // of the operator alone
    size_t pieces = 0;
    size_t openPieces = 0;   // with an edge that has not exactly two faces
    double volumeError = 0;  // relative
};

/// Runs `blender` in the background as a child process; nothing when it is not installed or has no such add-on.
std::optional<BlenderFracture> blenderCellFracture(std::span<const Vec3> sites);

}  // namespace sunder::bench
