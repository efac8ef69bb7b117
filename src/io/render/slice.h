#pragma once

#include "geometry/grid/distance_grid.h"
#include "io/render/image.h"

namespace sunder {

/// A plane of a grid as a picture: warm inside, cool outside, the surface black, a contour line every few cells.
/// `axis` is the one the slice is normal to, `position` (0..1) where along it, `width` the picture's longer side.
Image sliceImage(const DistanceGrid& grid, int axis, double position, int width);

}  // namespace sunder
