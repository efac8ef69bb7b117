#pragma once

#include <string>
#include <vector>

namespace sunder::scene {

/// The half-space below y = 0, which no mesh can show.
inline constexpr const char* kPlane = "plane";

/// All that a body's "shape" may be: the catalogue of geometry/shapes, and the plane.
std::vector<std::string> shapeNames();

}  // namespace sunder::scene
